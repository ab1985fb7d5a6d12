import { describe, expect, it } from 'vitest'
import type { LanguageValue } from '../../../../src/content/markup/evaluation/values.ts'
import { print } from '../evaluation/print.ts'

const values = {
  lang: 'fr',
  site: { title: 'A & B', url: 'https://x.test/' },
  pages: [{ title: 'One' }, { title: 'Two' }],
  languages: [
    { slug: 'en', locale: 'en_US', name: 'English', rtl: false, url: 'https://x.test/' },
    { slug: 'fr', locale: 'fr_FR', name: 'Français', rtl: false, url: 'https://x.test/fr/' },
  ],
  datasets: {
    news: {
      items: [
        { title: 'First', tags: ['a', 'b'] },
        { title: 'Second', tags: [] },
      ],
      named: { x: { title: 'X' }, y: { title: 'Y' } },
      many: Array.from({ length: 1001 }, (_, index) => index),
    },
  },
}
const page = {
  id: 7,
  title: 'Page <1>',
  url: 'https://x.test/fr/page/',
  lang: 'fr',
  content: '<p>Content</p>',
  children: [{ title: 'Child 1' }, { title: 'Child 2' }],
  translations: { fr: 'https://x.test/fr/page/', en: 'https://x.test/page-en/' },
}

describe('svc/data', () => {
  it.each([
    ['{"source":"site.title"}', 'A &amp; B'],
    ['{"source":" site.title "}', 'A &amp; B'],
    ['{"source":"dataset.news.items.1.title"}', 'Second'],
    ['{"source":"site.what"}', ''],
    ['{"source":7}', ''],
    ['', ''],
  ])('%s prints %j', (json, expected) => {
    expect(print(`<!-- svc/data ${json} /-->`, { values }).html).toBe(expected)
  })

  it('is reported if it prints nothing', () => {
    const reasonOf = (source: string) =>
      print(`<!-- svc/data {"source":"${source}"} /-->`, { values }).unresolved.map(
        ({ bind, reason }) => `${bind} ${reason}`,
      )
    expect(reasonOf('site.what')).toEqual(['site.what unknown_name'])
    expect(reasonOf('what')).toEqual(['what unknown_name'])
    expect(reasonOf('dataset.news.x')).toEqual(['dataset.news.x no_value'])
    expect(reasonOf('dataset.news.items')).toEqual(['dataset.news.items no_value'])
    expect(reasonOf('site.title')).toEqual([])
  })
})

describe('svc/frame and svc/partial', () => {
  const card = '<b data-op-bind="props.title; title:props.title">x</b>'

  it.each([
    ['{"name":"card","title":"T"}'],
    ['{"ref":"card","title":"T"}'],
    ['{"frame":"CARD","title":"T"}'],
    ['{"slug":" card ","title":"T"}'],
    ['{"id":"6361726420202020","title":"T"}'],
    ['{"slug":"6361726420202020","title":"T"}'],
  ])('%s embeds the frame it names', (json) => {
    for (const kind of ['frame', 'partial']) {
      expect(print({ page: `[<!-- svc/${kind} ${json} /-->]`, card }).html).toBe(
        '[<b title="T">T</b>]',
      )
    }
  })

  it('passes properties of any type, and only its own', () => {
    const frames = {
      page: '<!-- svc/frame {"name":"card","a":{"b":["c",5]},"id":"card"} /-->',
      card:
        '<!-- svc/data {"source":"props.a.b.1"} /--><!-- svc/data {"source":"props.name"} /-->' +
        '<!-- svc/frame {"name":"inner"} /-->',
      inner: '<!-- svc/data {"source":"props.a.b.0"} /-->',
    }
    expect(print(frames).html).toBe('5')
  })

  it('passes the current row to an embedded frame', () => {
    const frames = {
      page: '<!-- svc/repeat {"source":"dataset.news.items"} --><!-- svc/frame {"name":"card"} /--><!-- /svc/repeat -->',
      card: '<!-- svc/data {"source":"item.title"} /-->,',
    }
    expect(print(frames, { values }).html).toBe('First,Second,')
  })

  it('prints nothing for a missing frame, and warns', () => {
    const { html, warnings } = print('[<!-- svc/frame {"name":"what"} /-->]')
    expect(html).toBe('[]')
    expect(warnings).toEqual(['page: frame "what" does not exist; the insert prints nothing.'])
  })

  it('prints nothing where no frame is named', () => {
    expect(print('[<!-- svc/frame {"title":"x"} /-->]')).toMatchObject({ html: '[]', warnings: [] })
  })

  it('stops if a frame embeds itself', () => {
    const frames = {
      page: '1<!-- svc/frame {"name":"a"} /-->2',
      a: 'a<!-- svc/frame {"name":"b"} /-->a',
      b: 'b<!-- svc/frame {"name":"a"} /-->b',
    }
    const { html, warnings } = print(frames)
    expect(html).toBe('1abba2')
    expect(warnings).toEqual(['b: "a" embeds itself; the inner one prints nothing.'])
  })
})

describe('svc/repeat', () => {
  const repeat = (json: string, body: string) =>
    `<!-- svc/repeat ${json} -->${body}<!-- /svc/repeat -->`
  const title = '<!-- svc/data {"source":"item.title"} /-->'

  it.each([
    ['{"source":"dataset.news.items"}', 'First,Second,'],
    ['{"source":"dataset.news.named"}', 'X,Y,'],
    ['{"source":"pages"}', 'One,Two,'],
    ['{"source":"dataset.news.items","limit":1}', 'First,'],
    ['{"source":"dataset.news.items","limit":"1"}', 'First,'],
    ['{"source":"dataset.news.items","limit":0}', ''],
    ['{"source":"dataset.news.items","limit":-1}', 'First,Second,'],
    ['{"source":"dataset.news.items","limit":null}', 'First,Second,'],
    ['{"source":"dataset.news.items.0.title"}', ''],
    ['{"source":"dataset.news.what"}', ''],
  ])('%s prints %j', (json, expected) => {
    expect(print(repeat(json, `${title},`), { values }).html).toBe(expected)
  })

  it('iterates over nested rows', () => {
    const inner = repeat('{"source":"item.tags"}', '<!-- svc/data {"source":"item"} /-->')
    const markup = repeat('{"source":"dataset.news.items"}', `${title}:${inner};`)
    expect(print(markup, { values }).html).toBe('First:ab;Second:;')
  })

  it('prints the named frame once per row, without properties', () => {
    const frames = {
      page: '<!-- svc/frame {"name":"list","x":"1"} /-->',
      list: '<!-- svc/repeat {"source":"dataset.news.items","frame":"card"} /-->',
      card: `${title}[<!-- svc/data {"source":"props.x"} /-->]`,
    }
    expect(print(frames, { values }).html).toBe('First[]Second[]')
  })

  it('stops at 1,000 rows, and warns', () => {
    const { html, warnings } = print(repeat('{"source":"dataset.news.many"}', '.'), { values })
    expect(html).toBe('.'.repeat(1000))
    expect(warnings).toEqual([
      'page: "dataset.news.many" has more than 1000 rows; only the first 1000 are printed.',
    ])
    const fewer = repeat('{"source":"dataset.news.many","limit":999}', '.')
    expect(print(fewer, { values })).toMatchObject({ html: '.'.repeat(999), warnings: [] })
  })

  it('is reported if its source is unknown', () => {
    expect(print(repeat('{"source":"news"}', '.'), { values }).unresolved).toEqual([
      { frame: 'page', bind: 'news', reason: 'unknown_name', line: 1, column: 1 },
    ])
  })
})

describe('markup that depends on the page', () => {
  it.each([
    ['<!-- svc/content /-->', '<p>Content</p>'],
    ['<!-- svc/data {"source":"page.title"} /-->', 'Page &lt;1&gt;'],
    ['<h1 data-op-bind="page.title">x</h1>', '<h1>Page &lt;1&gt;</h1>'],
    [
      '<a data-op-bind="href:page.url" class=x>x</a>',
      '<a class=x href="https://x.test/fr/page/">x</a>',
    ],
    ['<div data-op-bind="html:page.content">x</div>', '<div><p>Content</p></div>'],
    [
      '<div data-op-bind="html:page.excerpt">x<i data-op-bind="page.id"></i></div>',
      '<div>x<i>7</i></div>',
    ],
    ['<p data-op-bind="if:page.title; if:site.title">x</p>', '<p>x</p>'],
    ['<p data-op-bind="if:page.parent"><i data-op-bind="page.title"></i></p>', ''],
    [
      '<p data-op-bind="if:page.id; title:page.title"><!-- svc/data {"source":"page.id"} /--></p>',
      '<p title="Page &lt;1&gt;">7</p>',
    ],
    [
      '<!-- svc/repeat {"source":"page.children"} --><i data-op-bind="item.title"></i><!-- /svc/repeat -->',
      '<i>Child 1</i><i>Child 2</i>',
    ],
  ])('%s becomes %s', (markup, expected) => {
    expect(print(markup, { values })).toMatchObject({ live: true })
    expect(print(markup, { values, page }).html).toBe(expected)
  })

  it('is not deferred if page.* has no such field', () => {
    const { live, unresolved } = print('<h1 data-op-bind="page.what">x</h1>')
    expect(live).toBe(false)
    expect(unresolved).toMatchObject([{ bind: 'page.what', reason: 'unknown_name' }])
  })

  it('is evaluated with its row and its properties', () => {
    const frames = {
      page: '<!-- svc/repeat {"source":"dataset.news.items"} --><!-- svc/frame {"name":"card","x":"!"} /--><!-- /svc/repeat -->',
      card: '<!-- svc/repeat {"source":"page.children"} --><!-- svc/data {"source":"props.x"} /--><!-- /svc/repeat --><b data-op-bind="if:page.id"><!-- svc/data {"source":"item.title"} /--></b>',
    }
    expect(print(frames, { values, page }).html).toBe('!!<b>First</b>!!<b>Second</b>')
  })

  it('can embed frames', () => {
    const frames = {
      page: '<!-- svc/repeat {"source":"page.children","frame":"card"} /-->',
      card: '<!-- svc/frame {"name":"inner"} /-->',
      inner: '<!-- svc/data {"source":"item.title"} /-->,',
    }
    expect(print(frames, { values, page }).html).toBe('Child 1,Child 2,')
  })
})

describe('svc/lang-switcher', () => {
  it('links the page in each language, the current one marked', () => {
    expect(print('<!-- svc/lang-switcher /-->', { values, page }).html).toBe(
      '<ul class="lang-switcher">' +
        '<li class="lang-item lang-item-en"><a lang="en-US" hreflang="en-US" href="https://x.test/page-en/">English</a></li>' +
        '<li class="lang-item lang-item-fr current-lang"><a lang="fr-FR" hreflang="fr-FR" href="https://x.test/fr/page/" aria-current="true">Français</a></li>' +
        '</ul>',
    )
  })

  it('links the home of a language that has no translation of the page', () => {
    const { html } = print('<!-- svc/lang-switcher {"class":"x \\"y"} /-->', {
      values,
      page: { ...page, translations: {} },
    })
    expect(html).toContain('<ul class="x &quot;y">')
    expect(html).toContain('class="lang-item lang-item-en no-translation"')
    expect(html).toContain('href="https://x.test/fr/" aria-current="true"')
  })

  it('omits languages without content', () => {
    const [english, french] = values.languages
    const languages = [{ ...english, empty: true as const }, french] as LanguageValue[]
    const { html } = print('<!-- svc/lang-switcher /-->', {
      values: { ...values, languages },
      page,
    })
    expect(html).not.toContain('English')
    expect(html).toContain('Français')
  })

  it('prints nothing on a site without languages', () => {
    expect(print('[<!-- svc/lang-switcher /-->]', { page }).html).toBe('[]')
  })
})
