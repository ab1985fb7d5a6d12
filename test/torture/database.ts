import { crowd, cut } from './disruptions/connections.ts'
import { crash, freeze, restart } from './disruptions/crash.ts'
import type { Disruption } from './disruptions/disruption.ts'
import { backup, deadlocks, lockedRows } from './disruptions/locks.ts'
import { readOnly } from './disruptions/refusals.ts'
import { runDisruptions } from './disruptions/run-disruptions.ts'
import { createTortureFixture } from './support/torture-fixture.ts'
import type { Trial } from './trial.ts'

const DISRUPTIONS: readonly Disruption[] = [
  crash,
  restart,
  freeze,
  cut,
  crowd,
  readOnly,
  lockedRows,
  backup,
  deadlocks,
]

/** Runs all disruptions of the database one after the other, against the same two processes. */
export const database: Trial = {
  name: 'database',
  tries:
    'the database is killed, shut down, frozen, disconnected, overcrowded and locked under load from writers, readers and visitors',
  run: async (conditions) => {
    const fixture = await createTortureFixture(conditions.folder, { durable: true })
    const disruptions = DISRUPTIONS.filter(({ takesLong }) => !takesLong || !conditions.short)
    return runDisruptions(fixture, disruptions, conditions)
  },
}
