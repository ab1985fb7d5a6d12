const OCTET_LENGTH = 3

/**
 * The text without the octets (`%0d` and the like) that match, and without those that their
 * removal joins together: `%%0d0d` leaves nothing. WordPress repeats a replacement until nothing
 * changes (`_deep_replace`, `sanitize_text_field`); as octets never overlap, one pass over a
 * stack gives the same, and takes linear time.
 */
export const removeOctets = (text: string, octet: RegExp): string => {
  if (!octet.test(text)) return text
  const kept: string[] = []
  for (const char of text) {
    kept.push(char)
    if (octet.test(kept.slice(-OCTET_LENGTH).join(''))) kept.length -= OCTET_LENGTH
  }
  return kept.join('')
}
