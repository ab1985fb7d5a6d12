/** How many times longer the long text is. */
const FACTOR = 8
/** Growth of the time that still counts as linear: quadratic work grows by 64. */
const MAX_GROWTH = 3 * FACTOR
/** Shorter times are dominated by the machine's noise. In milliseconds. */
const LEAST_MS = 10
const ATTEMPTS = 4

/**
 * How a time grows with the length of the input: `linear`, or the factor by which it grew. A worse result is measured again, because
 * other work on the machine can only make it slower.
 * @param textOf a text of about this many characters
 */
export function growthOf(
  work: (text: string) => unknown,
  textOf: (length: number) => string,
  length = 16 * 1024,
): string {
  const [short, long] = [textOf(length), textOf(FACTOR * length)]
  let best = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const least = Math.max(
      LEAST_MS,
      timeOf(() => work(short)),
    )
    best = Math.min(best, timeOf(() => work(long)) / least)
    if (best <= MAX_GROWTH) return 'linear'
  }
  return `${Math.round(best)} times longer for ${FACTOR} times the text`
}

function timeOf(work: () => unknown): number {
  const begun = performance.now()
  work()
  return performance.now() - begun
}
