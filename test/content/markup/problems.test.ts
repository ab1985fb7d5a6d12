import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { MarkupProblem } from '../../../src/content/markup/nodes.ts'
import { describeProblems, Locator, locateProblems } from '../../../src/content/markup/problems.ts'

const describeAll = (source: string, spans: readonly Omit<MarkupProblem, 'code'>[]) => {
  const problems = spans.map((span) => ({ ...span, code: 'too_deep' as const }))
  return describeProblems(locateProblems(source, problems), problems.length)
}

describe('describeProblems', () => {
  it('reports location, message and excerpt in source order', () => {
    const source = 'a\n😀b <!-- svc/x\n  /-->'
    expect(
      describeAll(source, [
        { start: 6, end: source.length, message: 'Second.' },
        { start: 0, end: 1, message: 'First.' },
      ]),
    ).toEqual([
      'Line 1, column 1: First. Near: a',
      'Line 2, column 4: Second. Near: <!-- svc/x /-->',
    ])
  })

  it('cuts excerpts between characters', () => {
    const [warning] = describeAll('😀'.repeat(1000), [{ start: 0, end: 2000, message: '' }])
    expect(warning).toBe(`Line 1, column 1:  Near: ${'😀'.repeat(59)}…`)
  })

  it('only counts warnings beyond the limit', () => {
    const problems = Array.from({ length: 250 }, (_, start) => ({ start, end: 250, message: 'x' }))
    const warnings = describeAll('a'.repeat(250), problems)
    expect(warnings).toHaveLength(101)
    expect(warnings.at(-1)).toBe('150 more warnings are not listed.')
  })
})

describe('Locator', () => {
  const source = fc.string({ unit: fc.constantFrom('a', '\n', '\r', '\r\n', '😀', '\ud83d') })

  it('counts lines and characters in any order of offsets', () => {
    fc.assert(
      fc.property(source, fc.array(fc.nat(60)), (text, offsets) => {
        const locator = new Locator(text)
        for (const offset of offsets.map((at) => Math.min(at, text.length))) {
          // Offsets inside a surrogate pair or a CR LF have no defined location.
          const isInside = /(?:\r\n|[\ud800-\udbff][\udc00-\udfff])/.test(
            text.slice(offset - 1, offset + 1),
          )
          if (isInside && offset > 0) continue
          const lines = text.slice(0, offset).split(/\r\n|\r|\n/)
          const column = [...(lines.at(-1) ?? '')].length + 1
          expect(locator.locate(offset)).toEqual({ line: lines.length, column })
        }
      }),
    )
  })
})
