import { expect, it } from 'vitest'
import type { Held } from '../../../src/db/tasks/hold-task.ts'
import { pruneTask } from '../../../src/db/tasks/prune-task.ts'
import { createLog } from '../../../src/host/log.ts'

it('all old rows are deleted, also if some cannot be, until the process stops', async () => {
  const stop = new AbortController()
  let rounds = 0
  const task = pruneTask({
    log: createLog('silent'),
    intervalMs: 60_000,
    prunables: [
      { rows: 'locked rows', prune: () => Promise.reject(new Error('locked')) },
      {
        rows: 'rows',
        prune: async (signal) => {
          expect(signal).toBe(stop.signal)
          rounds += 1
          return 1
        },
      },
    ],
  })
  expect(await task.run({} as Held, stop.signal)).toEqual({ dueInMs: 60_000 })
  stop.abort()
  await task.run({} as Held, stop.signal)
  expect(rounds).toBe(1)
})
