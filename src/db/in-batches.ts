/** Things in their order, so many together that their sizes come to no more than `limit`; a larger one is alone. Taken as they are needed. */
export function* inBatches<T>(
  things: Iterable<T>,
  limit: number,
  sizeOf: (thing: T) => number = () => 1,
): Generator<T[]> {
  let batch: T[] = []
  let total = 0
  for (const thing of things) {
    const size = sizeOf(thing)
    if (batch.length > 0 && total + size > limit) {
      yield batch
      batch = []
      total = 0
    }
    batch.push(thing)
    total += size
  }
  if (batch.length > 0) yield batch
}
