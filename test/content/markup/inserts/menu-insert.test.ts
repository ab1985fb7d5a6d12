import { describe, expect, it } from 'vitest'
import type {
  MenuItemValue,
  SwitcherValue,
} from '../../../../src/content/markup/evaluation/values.ts'
import { storedMenuRows } from '../../../../src/content/markup/menus/menu-tree.ts'
import { item, menu, print } from '../evaluation/print.ts'

const at = (location: string, items: readonly MenuItemValue[]) => ({
  menus: { [JSON.stringify([location, null, null])]: { ...menu(items), home: 'https://x.test/' } },
})
const HEADER = '<!-- svc/menu {"location":"header"} /-->'
const CURRENT = '<!-- svc/menu {"location":"header","current":true} /-->'
const page = {
  id: 7,
  url: 'https://x.test/p/',
  lang: 'fr',
  translations: { fr: 'https://x.test/p/', en: 'https://x.test/en/p/' },
  ancestors: [],
}
const ids = (html: string) => [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)

describe('svc/menu', () => {
  it.each([
    [{ title: '<b>"x"</b> & \'y\'' }, '><b>&quot;x&quot;</b> &amp; &#039;y&#039;</a>'],
    [{ title: '--> <!-- svc/content /-->' }, '>--&gt; &lt;!-- svc/content /--&gt;</a>'],
    [{ url: 'javascript:alert(1)' }, '<a>Item 1</a>'],
    [{ url: 'JaVa\tScript:alert(1)' }, '<a>Item 1</a>'],
    [{ url: 'https://x.test/?a=1&b="2"' }, '<a href="https://x.test/?a=1&amp;b=2">'],
    [{ url: 'sms:+49123' }, '<a href="sms:+49123">'],
    [{ url: '' }, '<a>Item 1</a>'],
    [{ classes: ['a"b', 'menu-item'] }, 'class="a&quot;b menu-item menu-item-type-custom'],
    [{ classes: ['plain string'] }, 'class="plain string menu-item menu-item-type-custom'],
    [{ target: '_blank', xfn: 'me "x"' }, '<a target="_blank" rel="me &quot;x&quot;" href='],
    [{ attrTitle: 'Tip' }, ' title="Tip">'],
    [{ title: 'R&amp;D &lt;b&gt; &amp;lt;' }, '>R&amp;D &lt;b&gt; &amp;lt;</a>'],
    [{ attrTitle: 'R&amp;D &quot;x&quot;' }, ' title="R&amp;D &quot;x&quot;">'],
    [{ attrTitle: ' ITEM 1 ' }, '<a href="https://example.com/1">Item 1</a>'],
  ])('prints %j as %s', (given, expected) => {
    const { html } = print(HEADER, { values: at('header', [item({ id: 1, ...given })]) })
    expect(html).toContain(expected)
  })

  it('takes a class and a depth', () => {
    const values = at('header', [item({ id: 1 }), item({ id: 2, parent: 1 })])
    const { html } = print(
      '<!-- svc/menu {"location":"header","class":"nav \\"x","depth":"1"} /-->',
      { values },
    )
    expect(html).toContain('<ul id="menu-main" class="nav &quot;x">')
    expect(html).not.toContain('menu-item-2')
    expect(html).not.toContain('has-children')
  })

  it.each([
    ['no such menu', '<!-- svc/menu {"location":"footer_1"} /-->'],
    ['no menu at all', '<!-- svc/menu /-->'],
    ['a menu without items', '<!-- svc/menu {"location":"empty","current":true} /-->'],
  ])('%s prints nothing', (_, markup) => {
    const values = at('empty', [])
    expect(print(`[${markup}]`, { values })).toMatchObject({ html: '[]', live: false })
  })

  it('assigns unique ids in page order', () => {
    const values = at('header', [item({ id: 1 })])
    const { html } = print(CURRENT + HEADER + HEADER, { values, page })
    expect(ids(html)).toEqual(['menu-main', 'menu-item-1', 'menu-main-1', 'menu-main-2'])
  })

  it('numbers ids beyond Number.MAX_SAFE_INTEGER', () => {
    const large = { ...menu([item({ id: 1 })]), slug: '9007199254740993' }
    const values = { menus: { '["header",null,null]': large } }
    expect(ids(print(HEADER.repeat(3), { values }).html)).toEqual([
      'menu-9007199254740993',
      'menu-item-1',
      'menu-9007199254740994',
      'menu-9007199254740995',
    ])
  })

  it('prints nothing of a menu with more text than a build may print', () => {
    const items = Array.from({ length: 9 }, (_, index) =>
      item({ id: index + 1, title: '<b>x</b>'.repeat(128 * 1024) }),
    )
    const rows = '<!-- svc/repeat {"source":"menu.header"} -->x<!-- /svc/repeat -->'
    for (const markup of [HEADER, rows])
      expect(print(`[${markup}`, { values: at('header', items) })).toMatchObject({
        html: expect.not.stringContaining('x'),
        warnings: ['The output exceeds 8 MB; the rest was omitted.'],
      })
  })

  it('terminates for cyclic and very deep parents', () => {
    const chain = Array.from({ length: 200 }, (_, index) => item({ id: index + 1, parent: index }))
    const { html } = print(HEADER, { values: at('header', chain) })
    expect(html).toContain('id="menu-item-100"')
    expect(html.split('<ul').length).toBe(html.split('</ul').length)
    const circle = [item({ id: 1, parent: 2 }), item({ id: 2, parent: 1 })]
    expect(ids(print(HEADER, { values: at('header', circle) }).html)).toEqual([
      'menu-main',
      'menu-item-1',
      'menu-item-2',
    ])
  })
})

describe('a language switcher in a menu', () => {
  const language = (id: number, slug: string, name: string, url: string) => {
    const locale = { en: 'en_US', fr: 'fr_FR', de: 'de_DE' }[slug] ?? slug
    return { id, slug, locale, name, rtl: false, url }
  }
  const settings: SwitcherValue = {
    dropdown: false,
    hideCurrent: false,
    hideUntranslated: false,
    forceHome: false,
    languages: [
      language(3, 'en', 'English', 'https://x.test/en/'),
      language(4, 'fr', 'Français', 'https://x.test/'),
      language(5, 'de', 'Deutsch', 'https://x.test/de/'),
    ],
  }
  const values = (switcher: Partial<SwitcherValue> = {}) =>
    at('header', [
      item({ id: 5, url: '/a' }),
      item({
        id: 6,
        title: 'Languages',
        url: '#pll_switcher',
        switcher: { ...settings, ...switcher },
      }),
    ])
  const links = (html: string) =>
    [
      ...html.matchAll(/<li id="menu-item-6-?([^"]*)"[^>]*><a [^>]*?href="([^"]*)"[^>]*>([^<]*)/g),
    ].map(([, ...parts]) => parts.join(' '))

  it('defers the menu until the page is known', () => {
    expect(print(HEADER, { values: values() })).toMatchObject({ html: '', live: true })
  })

  it('becomes one item per language', () => {
    const { html } = print(HEADER, { values: values(), page })
    expect(links(html)).toEqual([
      'en https://x.test/en/p/ English',
      'fr https://x.test/p/ Français',
      'de https://x.test/de/ Deutsch',
    ])
    expect(html).toContain(
      '<li id="menu-item-6-fr" class="lang-item lang-item-4 lang-item-fr current-lang menu-item menu-item-type-custom menu-item-object-custom menu-item-6-fr">' +
        '<a href="https://x.test/p/" lang="fr-FR" hreflang="fr-FR">Français</a></li>',
    )
    expect(html).toContain('class="lang-item lang-item-5 lang-item-de no-translation menu-item')
    expect(html).toContain('class="lang-item lang-item-3 lang-item-en lang-item-first menu-item')
  })

  it.each([
    [{ hideCurrent: true }, ['en https://x.test/en/p/ English', 'de https://x.test/de/ Deutsch']],
    [
      { hideUntranslated: true },
      ['en https://x.test/en/p/ English', 'fr https://x.test/p/ Français'],
    ],
    [
      { forceHome: true, hideUntranslated: true },
      ['en https://x.test/en/ English', 'fr https://x.test/ Français'],
    ],
    [
      { dropdown: true, hideCurrent: true },
      [
        ' #pll_switcher Français',
        'en https://x.test/en/p/ English',
        'de https://x.test/de/ Deutsch',
      ],
    ],
  ])('%j', (switcher, expected) => {
    expect(links(print(HEADER, { values: values(switcher), page }).html)).toEqual(expected)
  })

  it('is nested below the current language as a drop-down', () => {
    const { html } = print(HEADER, { values: values({ dropdown: true }), page })
    expect(html).toMatch(
      /pll-parent-menu-item [^"]*menu-item-has-children[^>]*><a [^>]*>Français<\/a>\n<ul/,
    )
  })

  it('is not marked as the current page although it links it', () => {
    expect(print(CURRENT, { values: values(), page }).html).not.toMatch(/current-menu|aria-current/)
  })

  it('omits languages without content', () => {
    const languages = settings.languages.map((language) =>
      language.slug === 'de' ? { ...language, empty: true as const } : language,
    )
    const { html } = print(HEADER, { values: values({ languages }), page })
    expect(links(html)).toEqual([
      'en https://x.test/en/p/ English',
      'fr https://x.test/p/ Français',
    ])
  })

  /** The classes of the switcher's entries, without the classes that all items have. */
  const marked = (switcher: Partial<SwitcherValue>, pageFields: object) => {
    const items = [
      item({ id: 1, title: 'Top' }),
      item({ id: 6, parent: 1, url: '#pll_switcher', switcher: { ...settings, ...switcher } }),
      item({ id: 7, parent: 6, title: 'Below' }),
    ]
    const { html } = print(CURRENT, {
      values: at('header', items),
      page: { ...page, ...pageFields },
    })
    const {
      1: above,
      7: below,
      ...entries
    } = Object.fromEntries(
      [...html.matchAll(/<li id="menu-item-([^"]*)" class="([^"]*)"/g)].map(
        ([, key, classes = '']) => [
          key,
          classes
            .replace(/(?<=^| )menu-item(-(type|object)-custom|-[0-9].*|(?= |$)) ?/g, '')
            .trim(),
        ],
      ),
    )
    expect([above, below]).toEqual(['menu-item-has-children', ''])
    return entries
  }
  const onHome = { url: 'https://x.test/', isFront: true, translations: { fr: 'https://x.test/' } }

  const square = { showsCodes: true, showsFlags: true, flagClass: 'pll-aspect-ratio-11' }

  // What WordPress 7.1 prints with Polylang 3.8, and with 3.9 for a switcher with a layout.
  it.each([
    [
      'a list of Polylang 3.9',
      { layout: square },
      {},
      {
        '6-en': 'lang-item lang-item-3 lang-item-en pll-aspect-ratio-11',
        '6-fr': 'lang-item lang-item-4 lang-item-fr current-lang pll-aspect-ratio-11',
        '6-de': 'lang-item lang-item-5 lang-item-de no-translation pll-aspect-ratio-11',
      },
    ],
    [
      'a drop-down of Polylang 3.9',
      { dropdown: true, layout: square },
      {},
      {
        6: 'lang-item lang-item-4 lang-item-fr current-lang pll-parent-menu-item pll-aspect-ratio-11 current-menu-parent menu-item-has-children',
        '6-en': 'lang-item lang-item-3 lang-item-en lang-item-first',
        '6-fr': 'lang-item lang-item-4 lang-item-fr current-lang',
        '6-de': 'lang-item lang-item-5 lang-item-de no-translation',
      },
    ],
    [
      'a list, on the front page',
      {},
      onHome,
      {
        '6-en': 'lang-item lang-item-3 lang-item-en lang-item-first',
        '6-fr': 'lang-item lang-item-4 lang-item-fr current-lang current_page_item menu-item-home',
        '6-de': 'lang-item lang-item-5 lang-item-de',
      },
    ],
    [
      'a drop-down, on a page',
      { dropdown: true },
      {},
      {
        6: 'pll-parent-menu-item current-menu-parent menu-item-has-children',
        '6-en': 'lang-item lang-item-3 lang-item-en lang-item-first',
        '6-fr': 'lang-item lang-item-4 lang-item-fr current-lang',
        '6-de': 'lang-item lang-item-5 lang-item-de no-translation',
      },
    ],
  ])('has the classes of %s', (_, switcher, pageFields, expected) => {
    expect(marked(switcher, pageFields)).toEqual(expected)
  })

  it('shows codes, and links the page in the head of a drop-down (Polylang 3.9)', () => {
    const layout = { showsCodes: true, showsFlags: false, flagClass: 'pll-aspect-ratio-32' }
    const { html } = print(HEADER, { values: values({ dropdown: true, layout }), page })
    expect(links(html)).toEqual([
      ' https://x.test/p/ FR',
      'en https://x.test/en/p/ EN',
      'fr https://x.test/p/ FR',
      'de https://x.test/de/ DE',
    ])
    expect(html).not.toContain('pll-aspect-ratio')
  })

  it('does not mark the items above a drop-down for items at the top', () => {
    const items = [
      item({ id: 1, title: 'Top' }),
      item({ id: 6, parent: 1, switcher: { ...settings, dropdown: true } }),
      item({ id: 8, switcher: settings }),
      item({ id: 9, url: 'https://x.test/p/' }),
    ]
    const { html } = print(CURRENT, { values: at('header', items), page })
    const marked = [...html.matchAll(/<li id="menu-item-([^"]*)" class="([^"]*)"/g)].map(
      ([, key, classes = '']) => [key, classes.match(/current-menu-\w+/g) ?? []],
    )
    expect(Object.fromEntries(marked)).toMatchObject({
      1: [],
      6: ['current-menu-parent'],
      '8-fr': [],
      9: ['current-menu-item'],
    })
  })

  it('adds its languages to repeats, too', () => {
    const repeat =
      '<!-- svc/repeat {"source":"menu.header"} --><a data-op-bind="href:item.url"></a><!-- /svc/repeat -->'
    expect(print(repeat, { values: values(), page }).html).toBe(
      '<a href="/a"></a><a href="https://x.test/en/p/"></a><a href="https://x.test/p/"></a><a href="https://x.test/de/"></a>',
    )
  })
})

describe('a menu as rows', () => {
  it('has texts as stored for the API', () => {
    const items = [item({ id: 1, title: '&lt;b&gt;', classes: ['x', '', 'y', ''] })]
    expect(storedMenuRows(menu(items))).toMatchObject([{ title: '&lt;b&gt;', classes: 'x  y ' }])
  })

  it('prints titles as text although they are stored as HTML', () => {
    const values = at('header', [item({ id: 1, title: 'R&amp;D &lt;b&gt; &amp;lt;' })])
    const markup =
      '<!-- svc/repeat {"source":"menu.header"} --><b data-op-bind="item.title"></b><!-- /svc/repeat -->'
    expect(print(markup, { values }).html).toBe('<b>R&amp;D &lt;b&gt; &amp;lt;</b>')
  })

  it('supports nested repeats over children', () => {
    const values = at('header', [item({ id: 1 }), item({ id: 2, parent: 1 }), item({ id: 3 })])
    const id = '<!-- svc/data {"source":"item.id"} /-->'
    const repeat = (source: string, body: string) =>
      `<!-- svc/repeat {"source":"${source}"} -->${body}<!-- /svc/repeat -->`
    const markup = repeat('menu.header', `${id}[${repeat('item.children', id)}]`)
    expect(print(markup, { values }).html).toBe('1[2]3[]')
  })
})
