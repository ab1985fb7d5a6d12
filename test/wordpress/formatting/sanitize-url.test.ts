import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sanitizeUrl } from '../../../src/wordpress/formatting/sanitize-url.ts'

const schemes = ['javascript:', 'JAVASCRIPT:', 'data:', 'vbscript:', 'feed:javascript:', 'x:']
const noise = fc.constantFrom('', ' ', '\t', '\n', '\0', '\u0001', '"', '<', '\\', '%0a', '%0D')

describe('sanitizeUrl', () => {
  it('refuses disallowed protocols in any disguise', () => {
    fc.assert(
      fc.property(fc.constantFrom(...schemes), noise, fc.nat(5), (scheme, hidden, at) => {
        const hiding = scheme.slice(0, at) + hidden + scheme.slice(at)
        expect(sanitizeUrl(`${hiding}alert(1)`)).not.toMatch(/^(?:javascript|data|vbscript|x):/i)
      }),
    )
  })

  it('changes only brackets and line breaks of a web address', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (url) => {
        fc.pre(!/[[\]]|%0[ad]|;\/\//i.test(url))
        expect(sanitizeUrl(url)).toBe(url)
      }),
    )
  })
})
