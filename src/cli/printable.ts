/** Control characters but for tabs and line feeds; what turns the direction of text around (bidi controls); line separators. */
const UNSAFE_CHARACTERS = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]/g

/**
 * A text as a terminal may show it: control characters, which could move the cursor or do worse, as `cat -v` writes them (`^[`), and
 * characters that make a line read other than it is as their code points (`<U+202E>`). Line breaks and tabs stay.
 */
export function sanitizeForTerminal(text: string): string {
  return text.replace(UNSAFE_CHARACTERS, (character) => {
    const code = character.charCodeAt(0)
    if (code < 0x80) return `^${String.fromCharCode(code ^ 0x40)}`
    return code < 0xa0 ? `M-^${String.fromCharCode(code ^ 0xc0)}` : `<U+${hex(code)}>`
  })
}

/** A value as a line of JSON that a terminal may show: the same value, with these characters escaped. */
export function jsonLine(value: unknown): string {
  const text = JSON.stringify(value).replace(
    UNSAFE_CHARACTERS,
    (character) => `\\u${hex(character.charCodeAt(0))}`,
  )
  return `${text}\n`
}

/** A text for standard output: byte for byte into a file or another program, printable on a terminal. */
export function textForOutput(text: string, { isTTY = false } = process.stdout): string {
  return isTTY ? sanitizeForTerminal(text) : text
}

const hex = (code: number): string => code.toString(16).toUpperCase().padStart(4, '0')
