const MAX_CHARACTERS = 60

/** A text short enough to be quoted in a message, on one line. */
export function excerptOf(text: string): string {
  // What lies far behind the cut need not be read.
  const line = text
    .slice(0, 10 * MAX_CHARACTERS)
    .replace(/\s+/g, ' ')
    .trim()
  const characters = [...line]
  return characters.length <= MAX_CHARACTERS
    ? line
    : `${characters.slice(0, MAX_CHARACTERS - 1).join('')}…`
}
