/** A text that `LIKE` takes for itself: prefixes and names hold `_`. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}
