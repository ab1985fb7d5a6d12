/** What one transaction of a remedy mends: locks are held shortly, and what is done stays done. */
const BATCH = 50

export function* inBatches<T>(things: readonly T[], size = BATCH): Generator<T[]> {
  for (let at = 0; at < things.length; at += size) yield things.slice(at, at + size)
}
