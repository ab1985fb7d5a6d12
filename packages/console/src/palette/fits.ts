const partsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)

/** Whether a text has each part of a search, perhaps with a letter too many, too few, or exchanged with another one: `hedaer` finds `site-header`. */
export function fits(search: string, text: string): boolean {
  const parts = partsOf(text)
  return partsOf(search).every((wanted) =>
    parts.some((part) => part.includes(wanted) || (wanted.length > 3 && isSimilar(wanted, part))),
  )
}

/** At most one letter is other, missing, additional, or exchanged with its neighbor; two in a long part. */
function isSimilar(wanted: string, part: string): boolean {
  const most = wanted.length > 7 ? 2 : 1
  // What follows is not typed yet.
  const lengths = [wanted.length - 1, wanted.length, wanted.length + 1]
  return lengths.some((length) => edits(wanted, part.slice(0, length)) <= most)
}

/** Inserted, deleted, replaced and exchanged letters. */
function edits(a: string, b: string): number {
  let before: number[] = []
  let above = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let row = 1; row <= a.length; row += 1) {
    const own = [row]
    for (let at = 1; at <= b.length; at += 1) {
      const isSame = a[row - 1] === b[at - 1]
      const isExchanged = a[row - 1] === b[at - 2] && a[row - 2] === b[at - 1]
      own[at] = Math.min(
        (own[at - 1] ?? 0) + 1,
        (above[at] ?? 0) + 1,
        (above[at - 1] ?? 0) + (isSame ? 0 : 1),
        isExchanged ? (before[at - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    before = above
    above = own
  }
  return above[b.length] ?? 0
}
