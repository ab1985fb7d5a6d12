/**
 * A text as a terminal may show it: control characters, which could move the cursor or do worse, as `cat -v` writes them (`^[`). Line breaks
 * and tabs stay.
 */
export function printable(text: string): string {
  return text.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, caret)
}

function caret(character: string): string {
  const code = character.charCodeAt(0)
  return code < 0x80
    ? `^${String.fromCharCode(code ^ 0x40)}`
    : `M-^${String.fromCharCode(code ^ 0xc0)}`
}
