import { setImmediate as nextTurn } from 'node:timers/promises'

/** Does `work` for every item, for `limit` of them at a time. What `work` throws ends it. */
export async function forEachBounded<T>(
  items: Iterable<T>,
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.iterator]()
  const worker = async (): Promise<void> => {
    for (let next = iterator.next(); !next.done; next = iterator.next()) await work(next.value)
  }
  await Promise.all(Array.from({ length: limit }, worker))
}

/** For how long, in milliseconds, one piece of work may keep all others waiting. */
const MAX_BLOCK_MS = 3

/**
 * Gives these to `work` one by one and lets others have their turn in between: ten thousand of anything take long.
 * @param clockEvery the clock is looked at once in so many things [1]: more where `work` takes microseconds, as looking does
 */
export async function forEachYielding<T>(
  things: Iterable<T>,
  work: (thing: T, index: number) => void,
  clockEvery = 1,
): Promise<void> {
  let index = 0
  let begun = performance.now()
  for (const thing of things) {
    work(thing, index)
    index += 1
    if (index % clockEvery !== 0 || performance.now() - begun < MAX_BLOCK_MS) continue
    await nextTurn()
    begun = performance.now()
  }
}
