import { crowd, cut } from './injuries/connections.ts'
import { crash, freeze, restart } from './injuries/crash.ts'
import type { Injury } from './injuries/injury.ts'
import { backup, deadlocks, heldLocks } from './injuries/locks.ts'
import { readOnly } from './injuries/refusals.ts'
import { standInjuries } from './injuries/stand-injuries.ts'
import { setStage } from './support/stage.ts'
import type { Trial } from './trial.ts'

const INJURIES: readonly Injury[] = [
  ...[crash, restart, freeze, cut, crowd],
  ...[readOnly, heldLocks, backup, deadlocks],
]

/** The same two processes stand it all, one injury after the other. */
export const database: Trial = {
  name: 'database',
  tries:
    'the database is killed, shut down, silenced, cut off, crowded, locked while writers, readers and visitors go on',
  run: async (conditions) => {
    const stage = await setStage(conditions.folder, { durable: true })
    const injuries = INJURIES.filter(({ takesLong }) => !takesLong || !conditions.short)
    return standInjuries(stage, injuries, conditions)
  },
}
