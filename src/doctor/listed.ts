/** Names or ids in a sentence, the first ones of many. */
export function formatList(values: readonly (string | number)[], most = 10): string {
  const shown = values.slice(0, most).join(', ')
  const more = values.length - most
  return more > 0 ? `${shown} and ${more} more` : shown
}
