import { expect, it } from 'vitest'
import { Pruner } from '../../src/db/pruner.ts'
import { createLog } from '../../src/log.ts'
import { eventually } from '../support/eventually.ts'

it('a pruner prunes all rows in each round, also if some cannot be deleted, until it is stopped', async () => {
  let rounds = 0
  let signal: AbortSignal | undefined
  const pruner = new Pruner({
    log: createLog('silent'),
    intervalMs: 1,
    prunables: [
      { rows: 'locked rows', prune: () => Promise.reject(new Error('locked')) },
      {
        rows: 'rows',
        prune: async (stopping) => {
          signal = stopping
          rounds += 1
          return 1
        },
      },
    ],
  })
  await eventually(() => expect(rounds).toBeGreaterThan(2))
  await pruner.stop()
  expect(signal?.aborted).toBe(true)
})
