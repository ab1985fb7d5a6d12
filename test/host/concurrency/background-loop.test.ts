import { expect, it } from 'vitest'
import { BackgroundLoop } from '../../../src/host/concurrency/background-loop.ts'

it('a background loop repeats its work, one round after the other, until it is stopped', async () => {
  let rounds = 0
  let running = 0
  const loop = new BackgroundLoop(async () => {
    running += 1
    expect(running).toBe(1)
    await new Promise((resolve) => setImmediate(resolve))
    running -= 1
    rounds += 1
    return 0
  })
  await expect.poll(() => rounds).toBeGreaterThan(3)
  await loop.stop()
  expect(running).toBe(0)
  const ended = rounds
  // Another loop of the same kind has time for rounds.
  let others = 0
  const other = new BackgroundLoop(async () => {
    await new Promise((resolve) => setImmediate(resolve))
    others += 1
    return 0
  })
  await expect.poll(() => others).toBeGreaterThan(3)
  await other.stop()
  expect(rounds).toBe(ended)
})

it('a background loop ends a pause when it is stopped, and begins no round after it', async () => {
  let rounds = 0
  const count = async (): Promise<number> => {
    rounds += 1
    return 3_600_000
  }
  const loop = new BackgroundLoop(count)
  await expect.poll(() => rounds).toBe(1)
  await loop.stop()
  await new BackgroundLoop(count, 3_600_000).stop()
  expect(rounds).toBe(1)
})

it('a background loop tells its work that it is stopped', async () => {
  let end: (() => void) | undefined
  const loop = new BackgroundLoop(
    (signal) =>
      new Promise((resolve) => {
        end = () => resolve(0)
        signal.addEventListener('abort', () => end?.())
      }),
  )
  await expect.poll(() => end).toBeDefined()
  await loop.stop()
  expect(loop.signal.aborted).toBe(true)
})
