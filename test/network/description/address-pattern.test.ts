import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { matchesPattern, patternOf } from '../../../src/network/description/address-pattern.ts'

describe('a pattern', () => {
  it.each([
    ['net.test/shop', 'net.test/shop', true],
    ['https://NET.test/Shop/', 'net.test/shop', true],
    ['net.test/shop', 'net.test/shop2', false],
    ['net.test/shop*', 'net.test/shop2', true],
    ['net.test/shop*', 'net.test/shop', true],
    ['*.example.org', 'a.b.example.org', true],
    ['*.example.org', 'example.org', false],
    ['*.example.org', 'a.example.org/shop', false],
    ['net.test/*', 'net.test', false],
    ['*', 'net.test/shop', true],
    ['a*a', 'a', false],
    ['n?t.test', 'net.test', false],
  ])('%s: %s %s', (pattern, address, expected) => {
    expect(matchesPattern(patternOf(pattern), address)).toBe(expected)
  })

  it('matches what the regular expression matches', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '.'), maxLength: 8 })
    const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*'), maxLength: 8 })
    fc.assert(
      fc.property(pattern, text, (stars, value) => {
        const source = stars.replaceAll('.', '\\.').replaceAll('*', '.*')
        expect(matchesPattern(stars.split('*'), value)).toBe(new RegExp(`^${source}$`).test(value))
      }),
      { numRuns: 1000 },
    )
  })
})
