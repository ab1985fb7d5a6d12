import { access } from './access.ts'
import { database } from './database.ts'
import { disk } from './disk.ts'
import { galera } from './galera.ts'
import { hostile } from './hostile.ts'
import { kill } from './kill.ts'
import { soak } from './soak.ts'
import type { Trial } from './trial.ts'
import { writers } from './writers.ts'

/** Lanes run side by side, the trials of one of them one after the other. */
export const LANES: readonly (readonly Trial[])[] = [
  [kill],
  [database, disk, writers, galera, hostile, access],
  [soak],
]
