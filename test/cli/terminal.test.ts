import { describe, expect, it } from 'vitest'
import {
  formatTable,
  jsonLine,
  sanitizeForTerminal,
  textForOutput,
} from '../../src/cli/terminal.ts'

/** A colour, CSI in 8 bits, an override of the text's direction, an isolate. */
const HOSTILE = 'a\u001b[31mb\u009b31mc\u202ed\u2066e'

describe('what a terminal is shown', () => {
  it('has no control characters and no overrides of direction', () => {
    expect(sanitizeForTerminal(HOSTILE)).toBe('a^[[31mbM-^[31mc<U+202E>d<U+2066>e')
    expect(formatTable([[HOSTILE, 'x']])).toBe('a^[[31mbM-^[31mc<U+202E>d<U+2066>e  x\n')
    expect(sanitizeForTerminal('tab\tand\nline, \u0627\u0644\u200f \ud83d\ude00')).toBe(
      'tab\tand\nline, \u0627\u0644\u200f \ud83d\ude00',
    )
  })

  it('is the same value in JSON, in printable characters', () => {
    const line = jsonLine({ text: HOSTILE, [HOSTILE]: '\u2028\n' })
    expect(line).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/)
    expect(JSON.parse(line)).toEqual({ text: HOSTILE, [HOSTILE]: '\u2028\n' })
  })

  it('is byte for byte what it is where no terminal shows it', () => {
    expect(textForOutput(HOSTILE, { isTTY: false } as typeof process.stdout)).toBe(HOSTILE)
    expect(textForOutput(HOSTILE, { isTTY: true } as typeof process.stdout)).not.toContain('\u001b')
  })
})
