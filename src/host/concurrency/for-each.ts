import { endPiece, whileBusy } from './time-slices.ts'

/** Calls `work` for each item, at most `limit` calls at a time. After an error of `work` no further item begins. */
export async function forEachBounded<T>(
  items: Iterable<T>,
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.iterator]()
  let hasFailed = false
  const worker = async (): Promise<void> => {
    for (let next = iterator.next(); !next.done && !hasFailed; next = iterator.next())
      try {
        await work(next.value)
      } catch (error) {
        hasFailed = true
        throw error
      }
  }
  await Promise.all(Array.from({ length: limit }, worker))
}

/** How long a loop may block the event loop, in milliseconds. */
const MAX_BLOCK_MS = 3

/**
 * Calls `work` for each item, yielding to the event loop every 3 ms so that large lists do not block other requests.
 * @param clockEvery reads the clock once in so many items [1]; use more if `work` takes microseconds, as reading the clock does
 */
export async function forEachYielding<T>(
  items: Iterable<T>,
  work: (item: T, index: number) => void,
  clockEvery = 1,
): Promise<void> {
  let index = 0
  let resumedAt = performance.now()
  for (const item of items) {
    work(item, index)
    index += 1
    if (index % clockEvery !== 0 || performance.now() - resumedAt < MAX_BLOCK_MS) continue
    let wait: Promise<void> | undefined = endPiece(performance.now() - resumedAt)
    for (; wait; wait = whileBusy()) await wait
    resumedAt = performance.now()
  }
}

/** Items between two readings of the clock, if each takes microseconds. */
const CLOCK_EVERY = 64

/** Maps a list, each item of which takes microseconds, and yields like `forEachYielding`. */
export async function mapYielding<T, Result>(
  items: Iterable<T>,
  map: (item: T, index: number) => Result,
): Promise<Result[]> {
  const results: Result[] = []
  const add = (item: T, index: number) => void results.push(map(item, index))
  await forEachYielding(items, add, CLOCK_EVERY)
  return results
}
