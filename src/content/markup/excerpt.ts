const MAX_CHARACTERS = 60

/** Shortens a text so that a message can quote it on one line. */
export function excerptOf(text: string): string {
  // Text far beyond the limit need not be processed.
  const line = text
    .slice(0, 10 * MAX_CHARACTERS)
    .replace(/\s+/g, ' ')
    .trim()
  const characters = [...line]
  return characters.length <= MAX_CHARACTERS
    ? line
    : `${characters.slice(0, MAX_CHARACTERS - 1).join('')}…`
}
