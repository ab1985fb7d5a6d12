import { access } from './access.ts'
import { clock } from './clock.ts'
import { cutOver } from './cut-over.ts'
import { database } from './database.ts'
import { disk } from './disk.ts'
import { edits } from './edits.ts'
import { events } from './events.ts'
import { galera } from './galera.ts'
import { hostile } from './hostile.ts'
import { kill } from './kill.ts'
import { neighbours } from './neighbours.ts'
import { outages } from './outages.ts'
import { pauses } from './pauses.ts'
import { executors, restarts } from './restarts.ts'
import { restore } from './restore.ts'
import { soak } from './soak.ts'
import type { Trial } from './trial.ts'
import { upgrade } from './upgrade.ts'
import { writers } from './writers.ts'

/** The longest trials first, so that concurrent trials end as soon as possible. */
export const TRIALS: readonly Trial[] = [
  soak,
  restore,
  restarts,
  executors,
  edits,
  cutOver,
  kill,
  outages,
  upgrade,
  hostile,
  neighbours,
  database,
  galera,
  writers,
  access,
  pauses,
  clock,
  disk,
  events,
]
