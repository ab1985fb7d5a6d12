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

/**
 * Inserted, deleted and replaced characters, and exchanged neighbors (optimal string alignment); `limit` if there are as many or more. Names may have hundreds of
 * characters, and are compared with thousands: so only the diagonals of the table are computed on which the result can be less. A row has the main diagonal at the
 * index `limit`, and a border at each end.
 */
function countEdits(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit
  const border = 2 * limit
  let before: number[] = []
  let last = Array.from({ length: border + 1 }, (_, d) => (d < limit ? limit : d - limit))
  for (let i = 1; i <= a.length; i += 1) {
    const row = [limit]
    let least = limit
    for (let d = 1; d < border; d += 1) {
      const j = i + d - limit
      const isSame = j > 0 && a[i - 1] === b[j - 1]
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const edits = Math.min(
        (last[d + 1] ?? limit) + 1,
        (row[d - 1] ?? limit) + 1,
        (last[d] ?? limit) + (isSame ? 0 : 1),
        isSwapped ? (before[d] ?? limit) + 1 : limit,
      )
      row.push(edits)
      least = Math.min(least, edits)
    }
    if (least >= limit) return limit
    row.push(limit)
    ;[before, last] = [last, row]
  }
  return Math.min(last[b.length - a.length + limit] ?? limit, limit)
}
