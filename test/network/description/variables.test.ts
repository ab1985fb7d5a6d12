import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { escapeText, fillText, variablesIn } from '../../../src/network/description/variables.ts'

/** The filled text, and what is reported. */
function fill(text: string, variables: Record<string, string>) {
  const reported: string[] = []
  const filled = fillText(text, variables, (problem) => reported.push(problem))
  return [filled, ...reported]
}

describe('fillText', () => {
  it('replaces variables by their values as they are', () => {
    expect(fill('Call {{ phone }}{{phone}}, {x} }}', { phone: '{{ phone }} $& $1' })).toEqual([
      'Call {{ phone }} $& $1{{ phone }} $& $1, {x} }}',
    ])
  })

  it('reports unknown variables, also names that every object has', () => {
    expect(fill('{{ phne }}{{ constructor }}', { phone: '1' })).toEqual([
      '',
      'The variable "phne" is not defined. Did you mean "phone"?',
      'The variable "constructor" is not defined.',
    ])
  })

  it.each(['{{', '{{ }}', '{{ Phone }}', '{{ a.b }}', '{{ phone', '{{ "x" }}'])(
    'reports braces that begin no variable: %s',
    (text) => {
      expect(fill(text, { phone: '1' })).toEqual([
        text,
        expect.stringMatching(/begins no variable/),
      ])
    },
  )

  it('gives the text that was escaped', () => {
    const text = fc.string({ unit: fc.constantFrom('{', '}', '"', ' ', 'a') })
    fc.assert(
      fc.property(text, (value) => {
        expect(variablesIn(escapeText(value))).toEqual([])
        expect(fill(escapeText(value), {})).toEqual([value])
      }),
      { numRuns: 1000 },
    )
  })
})
