import { describe, expect, it } from 'vitest'
import {
  formatTable,
  jsonLine,
  sanitizeForTerminal,
  textForOutput,
} from '../../src/cli/terminal.ts'

/** A color sequence, an 8-bit CSI, a direction override, and an isolate. */
const HOSTILE = 'a\u001b[31mb\u009b31mc\u202ed\u2066e'

describe('output for a terminal', () => {
  it('contains no control characters and no direction overrides', () => {
    expect(sanitizeForTerminal(HOSTILE)).toBe('a^[[31mbM-^[31mc<U+202E>d<U+2066>e')
    expect(formatTable([[HOSTILE, 'x']])).toBe('a^[[31mbM-^[31mc<U+202E>d<U+2066>e  x\n')
    expect(sanitizeForTerminal('tab\tand\nline, \u0627\u0644\u200f \ud83d\ude00')).toBe(
      'tab\tand\nline, \u0627\u0644\u200f \ud83d\ude00',
    )
  })

  it('parses to the same value as JSON', () => {
    const line = jsonLine({ text: HOSTILE, [HOSTILE]: '\u2028\n' })
    expect(line).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/)
    expect(JSON.parse(line)).toEqual({ text: HOSTILE, [HOSTILE]: '\u2028\n' })
  })

  it('is unchanged if it does not go to a terminal', () => {
    expect(textForOutput(HOSTILE, { isTTY: false } as typeof process.stdout)).toBe(HOSTILE)
    expect(textForOutput(HOSTILE, { isTTY: true } as typeof process.stdout)).not.toContain('\u001b')
  })
})
