/** PHP's `rtrim` of these characters. A regular expression would try again at each of a run of them, `////…a`. */
export function trimEnd(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}
