import fc from 'fast-check'
import { Parser } from 'htmlparser2'
import { describe, expect, it } from 'vitest'
import { menuItemTitle, menuName } from '../../../src/wordpress/formatting/menu-texts.ts'
import { decodeName } from '../../../src/wordpress/formatting/plain-text.ts'
import { sanitizeUrl } from '../../../src/wordpress/formatting/sanitize-url.ts'
import { pagePathSlugs, sanitizeTitle } from '../../../src/wordpress/formatting/slugs.ts'

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

it('pagePathSlugs maps every stored slug to itself, escaped or not', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (title) => {
      const slug = sanitizeTitle(title.replaceAll('%', ''), 'en_US')
      expect(pagePathSlugs(`/parent/${slug}/`).at(-1)).toBe(slug === '' ? 'parent' : slug)
      expect(pagePathSlugs(decodeURIComponent(slug))).toEqual([slug])
    }),
  )
})

const ELEMENTS = /^(?:a|abbr|acronym|b|blockquote|cite|code|del|em|i|q|s|strike|strong)$/
const ATTRIBUTES = /^(?:href|title|cite|datetime)$/

const noise = fc.constantFrom('', '<', '>', '"', "'", '<!--', '-->', '</', '\\', ' x ', '\0')
const attribute = fc
  .tuple(
    fc.constantFrom(' ', '\n', '/', ''),
    fc.constantFrom('href', 'HREF', 'title', 'onclick', 'style', 'cite'),
    fc.constantFrom('"', "'", '', ' '),
    fc.constantFrom(
      'javascript:x',
      'Java\nScript:x',
      'javascript&colon;x',
      '&#106avascript:x',
      '/x',
    ),
  )
  .map(([gap, name, quote, value]) => `${gap}${name}=${quote}${value}${quote}`)
const tag = fc
  .tuple(fc.constantFrom('a', 'A', 'q', 'b', 'script', 'svg', 'img'), fc.array(attribute), noise)
  .map(([name, attributes, end]) => `<${name}${attributes.join('')}${end}>`)

describe('menuItemTitle', () => {
  it('only trims for a user with unfiltered_html', () => {
    expect(menuItemTitle(' <svg/> & "x" \n', { unfilteredHtml: true })).toBe('<svg/> & "x"')
  })

  it('removes every executable element, attribute and protocol for other users', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(tag, noise)), (parts) => {
        const parser = new Parser({
          onopentagname: (name) => expect(name).toMatch(ELEMENTS),
          onattribute: (name, value) => {
            expect(name).toMatch(ATTRIBUTES)
            if (name !== 'title') expect(value).not.toMatch(/^\s*javascript:/i)
          },
        })
        parser.end(menuItemTitle(parts.join(''), { unfilteredHtml: false }))
      }),
      { numRuns: 2000 },
    )
  })
})

describe('decodeName', () => {
  it.each([
    ['Top &amp; Bottom', 'Top & Bottom'],
    ['&lt;3', '<3'],
    ['&quot;q&quot; &#039;s&#039; &#8217;', '"q" \'s\' ’'],
    ['a&nbsp;b', 'a\u00a0b'],
    ['&amp;lt;', '&lt;'],
    ['AT&T &copy=1', 'AT&T &copy=1'],
  ])('decodes %j to %j', (stored, name) => {
    expect(decodeName(stored)).toBe(name)
  })

  it('restores the stored name except for tags, octets and white space', () => {
    const texts = fc.stringMatching(/^[a-zé&>"'#;!]+( [a-zé&>"'#;!]+)*$/)
    fc.assert(
      fc.property(texts, (name) => {
        fc.pre(decodeName(name) === name)
        expect(decodeName(menuName(name))).toBe(name)
      }),
    )
  })
})

const schemes = ['javascript:', 'JAVASCRIPT:', 'data:', 'vbscript:', 'feed:javascript:', 'x:']
const signs = fc.constantFrom('', ' ', '\t', '\n', '\0', '\u0001', '"', '<', '\\', '%0a', '%0D')

describe('sanitizeUrl', () => {
  it('refuses disallowed protocols in any disguise', () => {
    fc.assert(
      fc.property(fc.constantFrom(...schemes), signs, fc.nat(5), (scheme, hidden, at) => {
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
