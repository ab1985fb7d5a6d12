import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { describeProblems, Locator } from '../../src/markup/problems.ts'

describe('describeProblems', () => {
  it('says where, what and next to what, in the order of the source', () => {
    const source = 'a\n😀b <!-- svc/x\n  /-->'
    expect(
      describeProblems(source, [
        { start: 6, end: source.length, message: 'Second.' },
        { start: 0, end: 1, message: 'First.' },
      ]),
    ).toEqual([
      'Line 1, column 1: First. Near: a',
      'Line 2, column 4: Second. Near: <!-- svc/x /-->',
    ])
  })

  it('cuts excerpts between characters', () => {
    const [warning] = describeProblems('😀'.repeat(1000), [{ start: 0, end: 2000, message: '' }])
    expect(warning).toBe(`Line 1, column 1:  Near: ${'😀'.repeat(59)}…`)
  })

  it('counts what would be too much', () => {
    const problems = Array.from({ length: 250 }, (_, start) => ({ start, end: 250, message: 'x' }))
    const warnings = describeProblems('a'.repeat(250), problems)
    expect(warnings).toHaveLength(101)
    expect(warnings.at(-1)).toBe('There are 150 more warnings like these.')
  })
})

describe('Locator', () => {
  const source = fc.string({ unit: fc.constantFrom('a', '\n', '\r', '\r\n', '😀', '\ud83d') })

  it('counts lines and characters, in whatever order it is asked', () => {
    fc.assert(
      fc.property(source, fc.array(fc.nat(60)), (text, offsets) => {
        const locator = new Locator(text)
        for (const offset of offsets.map((at) => Math.min(at, text.length))) {
          // Between the two units of one character or line end there is no place to speak of.
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
