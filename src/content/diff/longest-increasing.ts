/**
 * The positions of a longest increasing subsequence, in n log n steps (patience sorting). What is not in it has moved.
 * @param values distinct numbers
 */
export function longestIncreasing(values: readonly number[]): Set<number> {
  /** The position of the smallest last value of a subsequence of each length. */
  const ends: number[] = []
  const previous: (number | undefined)[] = []
  for (const [index, value] of values.entries()) {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((values[ends[middle] ?? 0] ?? 0) < value) low = middle + 1
      else high = middle
    }
    previous.push(ends[low - 1])
    ends[low] = index
  }
  const found = new Set<number>()
  for (let index = ends.at(-1); index !== undefined; index = previous[index]) found.add(index)
  return found
}
