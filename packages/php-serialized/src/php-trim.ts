const PHP_SPACES = ' \t\n\r\v\0'

/** PHP's `trim`: removes ASCII white space and NUL only; JavaScript's `trim` would remove U+00A0 too. */
export function phpTrim(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && PHP_SPACES.includes(text.charAt(start))) start += 1
  while (end > start && PHP_SPACES.includes(text.charAt(end - 1))) end -= 1
  return text.slice(start, end)
}
