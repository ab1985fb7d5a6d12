import { expect, it } from 'vitest'
import { forEachYielding } from '../../../src/host/concurrency/for-each.ts'
import { inTimeSlice } from '../../../src/host/concurrency/time-slices.ts'

/** Longer than all pieces of an iteration may take together. */
const LONG_MS = 6

function work(): void {
  for (const end = performance.now() + LONG_MS; performance.now() < end; );
}

const nextIteration = () => new Promise<void>((resolve) => setImmediate(resolve))

it('the main thread serves other requests between the pieces and loops of concurrent ones', async () => {
  let done = 0
  const piece = () => {
    work()
    done += 1
  }
  const pieces = Array.from({ length: 10 }, () => inTimeSlice(piece))
  const loops = Array.from({ length: 3 }, () => forEachYielding([1, 2, 3], piece))
  // Each loop begins at once.
  expect(done).toBeLessThanOrEqual(4)
  for (let served = 1; served <= 5; served += 1) {
    await nextIteration()
    expect(done).toBeLessThanOrEqual(5 + served)
  }
  await Promise.all([...pieces, ...loops])
  expect(done).toBe(19)
})

it('the main thread passes on the result and the error of a piece', async () => {
  expect(await inTimeSlice(() => 7)).toBe(7)
  const failing = inTimeSlice(() => {
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(await inTimeSlice(() => 8)).toBe(8)
})
