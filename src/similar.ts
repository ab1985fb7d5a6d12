/** ` Did you mean "name"?` if a known name is similar to this one, else nothing: for the end of a message. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const similar = findSimilar(name, known)
  return similar === undefined ? '' : ` Did you mean "${similar}"?`
}

/** The known name that is most similar to this one: with at most two edits, or one in a name of up to five characters. */
export function findSimilar(name: string, known: Iterable<string>): string | undefined {
  let best: string | undefined
  let least = name.length > 5 ? 3 : 2
  for (const one of known) {
    const edits = countEdits(name, one, least)
    if (edits < least) [best, least] = [one, edits]
  }
  return best
}

/** Inserted, deleted and replaced characters, and exchanged neighbors (optimal string alignment); `limit` if there are as many or more. */
function countEdits(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1]
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row[j] = Math.min(
        (last[j] ?? limit) + 1,
        (row[j - 1] ?? limit) + 1,
        (last[j - 1] ?? limit) + (isSame ? 0 : 1),
        isSwapped ? (before[j - 2] ?? limit) + 1 : limit,
      )
    }
    if (Math.min(...row) >= limit) return limit
    ;[before, last] = [last, row]
  }
  return Math.min(last[b.length] ?? limit, limit)
}
