import { setImmediate as nextMacrotask } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import {
  MAX_RUNNING_LONG_READS,
  MAX_RUNNING_READS,
  ReadQueue,
} from '../../src/api/run/read-queue.ts'
import { FAST } from '../support/timings.ts'

/** Starts 20 reads of a site that end on demand, and counts the running ones. */
async function countRunning(queue: ReadQueue, blogId: number): Promise<number> {
  let running = 0
  let end = (): void => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const reads = Array.from({ length: 20 }, () =>
    queue.run(blogId, async () => {
      running += 1
      await ended
    }),
  )
  await nextMacrotask()
  const counted = running
  end()
  await Promise.all(reads)
  return counted
}

it('the queue of reads runs more concurrent reads of a site while they are short', async () => {
  const queue = new ReadQueue(FAST.api)
  expect(await countRunning(queue, 2)).toBe(MAX_RUNNING_LONG_READS)
  await queue.run(2, async () => {})
  expect(await countRunning(queue, 2)).toBe(MAX_RUNNING_READS)
})

it('the queue of reads runs fewer concurrent reads of a site after a long one, and as many as before of another site', async () => {
  const queue = new ReadQueue(FAST.api)
  await queue.run(3, async () => {})
  await queue.run(2, async () => {})
  let now = performance.now()
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
  await queue.run(2, async () => {
    now += 100
  })
  clock.mockRestore()
  expect(await countRunning(queue, 2)).toBe(MAX_RUNNING_LONG_READS)
  expect(await countRunning(queue, 3)).toBe(MAX_RUNNING_READS)
})

it('the queue of reads frees the slot of a read that fails', async () => {
  const queue = new ReadQueue(FAST.api)
  const failing = Array.from({ length: 20 }, () =>
    queue.run(2, () => Promise.reject(new Error('failed'))),
  )
  await Promise.allSettled(failing)
  expect(await queue.run(2, async () => 'read')).toBe('read')
})
