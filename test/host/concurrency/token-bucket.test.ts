import { expect, it } from 'vitest'
import { TokenBucket } from '../../../src/host/concurrency/token-bucket.ts'

const never = new AbortController().signal
const msOf = async (work: () => Promise<unknown>): Promise<number> => {
  const begin = performance.now()
  await work()
  return performance.now() - begin
}

it('a bucket gives its burst at once, and further tokens at its rate', async () => {
  const bucket = new TokenBucket({ burst: 3, perSecond: 10 })
  const takeThree = async () => {
    for (let taken = 0; taken < 3; taken += 1) expect(await bucket.take(never)).toBe(true)
  }
  expect(await msOf(takeThree)).toBeLessThan(90)
  const ms = await msOf(takeThree)
  expect(ms).toBeGreaterThan(200)
})

it('a bucket is never fuller than its burst', async () => {
  const bucket = new TokenBucket({ burst: 1, perSecond: 100 })
  await bucket.take(never)
  await new Promise((resolve) => setTimeout(resolve, 60))
  await bucket.take(never)
  expect(await msOf(() => bucket.take(never))).toBeGreaterThan(5)
})

it('a bucket that pauses gives nothing for that time', async () => {
  const bucket = new TokenBucket({ burst: 5, perSecond: 1000 })
  bucket.pauseFor(150)
  expect(await msOf(() => bucket.take(never))).toBeGreaterThan(140)
  expect(await msOf(() => bucket.take(never))).toBeLessThan(100)
})

it('who waits for a token can stop', async () => {
  const bucket = new TokenBucket({ burst: 1, perSecond: 0.001 })
  await bucket.take(never)
  const stopping = new AbortController()
  const taking = bucket.take(stopping.signal)
  stopping.abort()
  expect(await taking).toBe(false)
})
