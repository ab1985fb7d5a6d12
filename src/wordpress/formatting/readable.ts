/**
 * A stored text as people write it, where that is stored as the same; else as it is stored.
 * @param read gives the text that people read, or throws where there is none
 * @param store gives what is stored of a text
 */
export function displayIfReversible(
  stored: string,
  read: (stored: string) => string,
  store: (text: string) => string,
): string {
  try {
    const text = read(stored)
    return store(text) === stored ? text : stored
  } catch {
    return stored
  }
}
