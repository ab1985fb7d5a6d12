import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PhpValue } from '#php-serialized'
import {
  type LinkSettings,
  permalinkStructure,
} from '../../../src/wordpress/permalinks/link-settings.ts'
import { addLanguage, switchLanguage } from '../../../src/wordpress/permalinks/switch-language.ts'
import { homeUrl } from '../../../src/wordpress/permalinks/urls.ts'
import { languagesOf } from '../languages/languages-of.ts'

const NO_PAGE = { id: 0, page: undefined, translations: new Map() }

function linksOf(
  home: string,
  structure: string,
  option: Record<string, PhpValue>,
  slugs: readonly string[] = ['en', 'fr', 'de'],
): LinkSettings {
  return {
    home,
    structure: permalinkStructure(structure),
    categoryBase: '',
    tagBase: '',
    languages: languagesOf(slugs, option),
    front: NO_PAGE,
    posts: NO_PAGE,
  }
}

const DOMAINS = new Map<string, PhpValue>([
  ['en', 'https://ex.com'],
  ['fr', 'https://exemple.fr/blog'],
  ['de', 'https://müller.de'],
])

describe('switchLanguage', () => {
  const anyLinks = fc
    .record({
      home: fc.constantFrom('https://ex.com', 'http://www.ex.com/shop', 'https://ex.com/fr'),
      structure: fc.constantFrom('', '/%postname%/', '/index.php/%postname%', '/blog/%year%/'),
      force_lang: fc.constantFrom(0, 1, 2, 3),
      hide_default: fc.boolean(),
      rewrite: fc.boolean(),
    })
    .map(({ home, structure, ...option }) =>
      linksOf(home, structure, { ...option, domains: DOMAINS }),
    )
  const anyLang = fc.constantFrom('en', 'fr', 'de')
  const anyPath = fc.constantFrom('', 'about/', 'about/team', '?page_id=7', 'a/fr/b/')
  const addressOf = (links: LinkSettings, path: string): string =>
    `${links.home}/${path.startsWith('?') ? '' : links.structure.root}${path}`

  it('is idempotent', () => {
    fc.assert(
      fc.property(anyLinks, anyPath, anyLang, (links, path, lang) => {
        const once = switchLanguage(links, addressOf(links, path), lang)
        expect(switchLanguage(links, once, lang)).toBe(once)
      }),
    )
  })

  it('removes the previous language of a URL', () => {
    fc.assert(
      fc.property(anyLinks, anyPath, anyLang, anyLang, (links, path, from, to) => {
        const address = addressOf(links, path)
        const there = switchLanguage(links, address, from)
        expect(switchLanguage(links, there, to)).toBe(switchLanguage(links, address, to))
        expect(switchLanguage(links, there, null)).toBe(address)
      }),
    )
  })

  it.each([
    ['replaces www', 'https://www.ex.com', 2, 'https://www.ex.com/a/', 'https://fr.ex.com/a/'],
    ['keeps a port before subdomains', 'ex.com:81', 2, 'ex.com:81/a/', 'fr.ex.com:81/a/'],
    ['changes no domain with a port', 'ex.com:81', 3, 'ex.com:81/a/', 'ex.com:81/a/'],
    ['changes only the domain', 'ex.com/shop', 3, 'ex.com/shop/a/', 'exemple.fr/shop/a/'],
    ['takes a page with its name for a language', 'ex.com', 1, 'ex.com/de/a/', 'ex.com/fr/a/'],
    ['marks other schemes alike', 'ex.com', 1, 'https://ex.com/a/', 'https://ex.com/fr/a/'],
    ['does not change other sites', 'ex.com/shop', 1, 'ex.com/docs/a/', 'ex.com/docs/a/'],
  ])('%s, like Polylang: home %s, force_lang %i', (_, home, force_lang, address, expected) => {
    const urlOf = (text: string) => (text.startsWith('https:') ? text : `http://${text}`)
    const links = linksOf(urlOf(home), '/%postname%/', { force_lang, domains: DOMAINS })
    expect(switchLanguage(links, urlOf(address), 'fr')).toBe(urlOf(expected))
  })

  it('writes domains in ASCII, except for the home', () => {
    const links = linksOf('https://ex.com', '/%postname%/', { force_lang: 3, domains: DOMAINS })
    expect(switchLanguage(links, 'https://ex.com/a/', 'de')).toBe('https://xn--mller-kva.de/a/')
    expect(homeUrl(links, 'de')).toBe('https://müller.de/')
    expect(homeUrl(links, 'fr')).toBe('https://exemple.fr/blog/')
  })

  it('matches complete language codes only', () => {
    const links = linksOf('http://ex.com', '/%postname%/', {}, ['en', 'pt', 'pt-br'])
    expect(switchLanguage(links, 'http://ex.com/pt-br/a/', 'pt')).toBe('http://ex.com/pt/a/')
    expect(switchLanguage(links, 'http://ex.com/ptolemy/', 'pt')).toBe('http://ex.com/pt/ptolemy/')
  })

  it('removes the language from the query at any position', () => {
    const links = linksOf('http://ex.com', '', {})
    expect(switchLanguage(links, 'http://ex.com/?lang=de&p=1', null)).toBe('http://ex.com/?p=1')
    expect(switchLanguage(links, 'http://ex.com/?p=1&lang=de', 'fr')).toBe(
      'http://ex.com/?p=1&lang=fr',
    )
    expect(addLanguage(links, 'http://ex.com/', 'fr')).toBe('http://ex.com/?lang=fr')
  })
})
