import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Cut, cutToLength, sliceAt } from '../../../src/api/mcp/cut-result.ts'

/** Values like results: texts, lists and structures, within each other. */
const results = fc.letrec<{ readonly value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.integer(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 30 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c/d', 'e~f', 'g'), tie('value')),
  ),
})).value

describe('a result that is cut', () => {
  it('has the same form, and lists what is missing', () => {
    fc.assert(
      fc.property(results, fc.integer({ min: 0, max: 2000 }), (value, limit) => {
        const { value: shown, cuts } = cutToLength(value, limit)
        if (JSON.stringify(value).length <= limit) expect(shown).toBe(value)
        expect(complete(value, shown, cuts)).toEqual(value)
      }),
    )
  })

  it('is about as long as allowed, if nothing but texts and lists are long', () => {
    const value = {
      short: 'x',
      text: 'é"\n'.repeat(50_000),
      list: Array.from({ length: 5000 }, (_, n) => ({ n, title: `Item ${n}` })),
    }
    const length = JSON.stringify(cutToLength(value, 20_000).value).length
    expect(length).toBeGreaterThan(18_000)
    expect(length).toBeLessThan(21_000)
  })

  it('has no half of a character', () => {
    const { value } = cutToLength('😀'.repeat(100), 101)
    expect(String(value)).toMatch(/^(?:😀)+$/u)
  })

  it('of a map with many members leaves the last ones out', () => {
    const map = Object.fromEntries(
      Array.from({ length: 500 }, (_, n) => [`key${n}`, 'x'.repeat(50)]),
    )
    const { value, cuts } = cutToLength({ map }, 5000)
    const shown = Object.keys(Object(value).map).length
    expect(cuts.at(-1)).toEqual({ at: '/map', shown, total: 500 })
    expect(sliceAt({ map }, '/map', shown)?.next_offset).toBeNull()
  })
})

/** What is shown, with the rest of each cut value from the whole result. */
function complete(value: unknown, shown: unknown, cuts: readonly Cut[]): unknown {
  const copy = { root: structuredClone(shown) }
  // Outer lists are listed after their elements.
  for (const { at, shown: offset } of cuts) {
    const names = [
      'root',
      ...at
        .split('/')
        .slice(1)
        .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~')),
    ]
    const last = names.pop() ?? ''
    const parent = names.reduce<unknown>((part, name) => Reflect.get(Object(part), name), copy)
    const slice = sliceAt(value, at, offset)
    const begin = Reflect.get(Object(parent), last)
    const rest = slice?.value
    const whole = Array.isArray(begin)
      ? [...begin, ...(rest as unknown[])]
      : typeof begin === 'string'
        ? `${begin}${rest}`
        : { ...begin, ...Object(rest) }
    Reflect.set(Object(parent), last, whole)
  }
  return copy.root
}
