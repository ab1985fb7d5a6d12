/** A text in which `*` means any characters: the parts between the stars. */
export type Pattern = readonly string[]

/** The pattern of an address as an operator writes it: `https://Net.test/shop/` is `net.test/shop`. */
export function patternOf(address: string): Pattern {
  return address
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/(?<!\/)\/+$/, '')
    .split('*')
}

/** Whether a text matches, in linear time: each part is searched behind the one before it. */
export function matchesPattern(pattern: Pattern, text: string): boolean {
  const [first = '', ...others] = pattern
  const last = others.pop()
  if (last === undefined) return text === first
  if (!text.startsWith(first) || !text.endsWith(last)) return false
  let from = first.length
  const end = text.length - last.length
  for (const part of others) {
    const at = text.indexOf(part, from)
    if (at < 0) return false
    from = at + part.length
  }
  return from <= end
}
