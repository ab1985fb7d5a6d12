/** Differences that a mistyped name may have, by its length. */
const toleratedIn = (length: number): number => (length < 4 ? 1 : 2)
/** Longer names are not compared, in characters: the comparison takes the product of both lengths. */
const MAX_LENGTH = 100

/** The name that is most like a mistyped one; undefined if none is like it. */
function nearestName(name: string, known: Iterable<string>): string | undefined {
  if (name.length > MAX_LENGTH) return undefined
  let nearest: string | undefined
  let least = toleratedIn(name.length) + 1
  for (const candidate of known) {
    if (candidate.length > MAX_LENGTH || Math.abs(candidate.length - name.length) >= least) continue
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase())
    if (distance >= least) continue
    least = distance
    nearest = candidate
  }
  return nearest
}

/** ` Did you mean "site.title"?`, or nothing. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const nearest = nearestName(name, known)
  return nearest === undefined ? '' : ` Did you mean "${nearest}"?`
}

/** Insertions, deletions, replacements and exchanges of neighbours that make one text the other. */
function editDistance(a: string, b: string): number {
  let last: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1]
      const above = row[j] ?? 0
      const left = next[j - 1] ?? 0
      let least = Math.min(above + 1, left + 1, (row[j - 1] ?? 0) + (isSame ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (last[j - 2] ?? 0) + 1)
      next[j] = least
    }
    last = row
    row = next
  }
  return row[b.length] ?? 0
}
