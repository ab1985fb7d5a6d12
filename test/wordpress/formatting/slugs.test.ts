import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sanitizeTitle } from '../../../src/wordpress/formatting/slugs.ts'

const anyTitle = fc.string({ unit: 'grapheme', maxLength: 120, size: 'max' })
const anyLocale = fc.constantFrom('', 'en_US', 'de_DE', 'da_DK', 'ca', 'sr_RS', 'bs_BA')

describe('sanitizeTitle', () => {
  it('creates slugs of at most 200 bytes, from one alphabet, without dashes at the ends', () => {
    fc.assert(
      fc.property(anyTitle, anyLocale, (title, locale) => {
        const slug = sanitizeTitle(title, locale)
        expect(slug).toMatch(/^(?!-)[%a-z0-9_-]*(?<!-)$/)
        expect(slug.length).toBeLessThanOrEqual(200)
      }),
    )
  })

  it('never splits a character', () => {
    fc.assert(
      fc.property(anyTitle, (text) => {
        const slug = sanitizeTitle(text.replaceAll('%', ''), 'en_US')
        expect(() => decodeURIComponent(slug)).not.toThrow()
      }),
    )
  })

  it('treats composed and decomposed letters alike', () => {
    fc.assert(
      fc.property(anyTitle, anyLocale, (title, locale) => {
        expect(sanitizeTitle(title.normalize('NFD'), locale)).toBe(
          sanitizeTitle(title.normalize('NFC'), locale),
        )
      }),
    )
  })

  it('lower-cases the Greek final sigma like PHP 8.3', () => {
    expect(sanitizeTitle('ΟΔΟΣ', 'el')).toBe('%ce%bf%ce%b4%ce%bf%cf%82')
  })

  it('treats an unpaired surrogate as the replacement character', () => {
    expect(sanitizeTitle('a\ud83d', 'en_US')).toBe('a%ef%bf%bd')
  })
})
