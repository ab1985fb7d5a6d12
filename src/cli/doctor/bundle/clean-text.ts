/** Shorter secrets would remove ordinary text; the server's messages contain none. */
const MIN_SECRET_LENGTH = 4

/** Removes what nobody else may see from a text. */
export type CleanText = (text: string) => string

/**
 * @param secrets texts to remove, the longest first
 * @returns a function that removes them, and everything that looks like a token, a user in an address, or markup
 */
export function createCleanText(secrets: readonly string[]): CleanText {
  const known = secrets.filter((secret) => secret.length >= MIN_SECRET_LENGTH)
  return (text) => {
    const without = known.reduce((rest, secret) => rest.replaceAll(secret, '[removed]'), text)
    return (
      without
        .replace(/op_[A-Za-z0-9]{16,}/g, 'op_[removed]')
        .replace(/\b(bearer|basic)\s+[^\s"']+/gi, '$1 [removed]')
        .replace(/\/\/[^/\s"'@]*@/g, '//[removed]@')
        // What follows an element is content.
        .replace(/<[a-z!/][\s\S]*$/i, '<[removed]')
    )
  }
}

/** Cleans all texts in plain data. */
export function cleanData(data: unknown, clean: CleanText): unknown {
  if (typeof data === 'string') return clean(data)
  if (Array.isArray(data)) return data.map((one) => cleanData(one, clean))
  if (typeof data !== 'object' || data === null) return data
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, cleanData(value, clean)]),
  )
}
