/** Share of each sample that is kept: the longest times are noise of the machine. */
const KEPT = 0.8

/**
 * Welch's t of two samples of times, each without its longest fifth, as in tests for timing leaks (Reparaz, Balasch, Verbauwhede:
 * Dude, is my code constant time?). Near 0 for equal distributions, beyond 10 for certainly different ones.
 */
export function welchT(one: readonly number[], other: readonly number[]): number {
  const [a, b] = [momentsOf(one), momentsOf(other)]
  return (a.mean - b.mean) / Math.sqrt(a.variance / a.count + b.variance / b.count)
}

function momentsOf(sample: readonly number[]) {
  const kept = sample
    .toSorted((one, other) => one - other)
    .slice(0, Math.ceil(sample.length * KEPT))
  const count = kept.length
  const mean = kept.reduce((sum, value) => sum + value, 0) / count
  const variance = kept.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (count - 1)
  return { count, mean, variance }
}
