import { describe, expect, it } from 'vitest'
import { print } from './print.ts'

const values = {
  site: {
    title: 'A & B',
    empty: '',
    zero: 0,
    yes: true,
    no: false,
    list: [],
    url: 'https://x.test/',
  },
  datasets: {
    news: {
      items: [{ title: 'First' }],
      bad: 'javascript:alert(1)',
      none: null,
    },
  },
}
const html = (markup: string): string => print(markup, { values }).html
const unresolved = (markup: string) =>
  print(markup, { values }).unresolved.map(({ bind, reason }) => [bind, reason])

describe('text', () => {
  it.each([
    ['<p data-op-bind="site.title">Old <i>x</i></p>', '<p>A &amp; B</p>'],
    ['<p class="a" data-op-bind="site.title">Old</p>', '<p class="a">A &amp; B</p>'],
    ['<p data-op-bind="site.title" class=a>Old</p>', '<p class=a>A &amp; B</p>'],
    ["<p data-op-bind='site.title'\n>Old</p>", '<p\n>A &amp; B</p>'],
    ['<P DATA-OP-BIND=site.title>Old</P>', '<P>A &amp; B</P>'],
    ['<title data-op-bind="site.title">Old</title>', '<title>A &amp; B</title>'],
    ['<textarea data-op-bind="site.title"></textarea>', '<textarea>A &amp; B</textarea>'],
    ['<p data-op-bind="site.zero">Old</p>', '<p>0</p>'],
    ['<p data-op-bind="site.yes">Old</p>', '<p>true</p>'],
    ['<p data-op-bind="dataset.news.items.0.title">Old</p>', '<p>First</p>'],
    ['<li data-op-bind="site.title">one<li>two', '<li>A &amp; B<li>two'],
  ])('%s becomes %s', (markup, expected) => {
    expect(html(markup)).toBe(expected)
  })

  it.each([
    [
      'no value',
      '<p data-op-bind="site.empty">Old <i>x</i></p>',
      '<p>Old <i>x</i></p>',
      'no_value',
    ],
    ['null', '<p data-op-bind="dataset.news.none">Old</p>', '<p>Old</p>', 'no_value'],
    ['no field', '<p data-op-bind="dataset.news.what">Old</p>', '<p>Old</p>', 'no_value'],
    ['a list', '<p data-op-bind="dataset.news.items">Old</p>', '<p>Old</p>', 'no_value'],
    ['no such set', '<p data-op-bind="dataset.what.x">Old</p>', '<p>Old</p>', 'unknown_name'],
    ['no such name', '<p data-op-bind="site.what">Old</p>', '<p>Old</p>', 'unknown_name'],
    ['no such root', '<p data-op-bind="shop.title">Old</p>', '<p>Old</p>', 'unknown_name'],
    ['no row', '<p data-op-bind="item.title">Old</p>', '<p>Old</p>', 'unknown_name'],
    ['no property', '<p data-op-bind="props.x">Old</p>', '<p>Old</p>', 'no_value'],
    ['an inherited name', '<p data-op-bind="site.constructor">x</p>', '<p>x</p>', 'unknown_name'],
    ['an inherited field', '<p data-op-bind="dataset.news.toString">x</p>', '<p>x</p>', 'no_value'],
    ['no content', '<img data-op-bind="site.title">', '<img>', 'not_allowed'],
  ])('%s keeps the content of the element', (_, markup, expected, reason) => {
    expect(html(markup)).toBe(expected)
    const [bind] = /"([^"]*)"/.exec(markup)?.slice(1) ?? []
    expect(unresolved(markup)).toEqual([[bind, reason]])
  })

  it('applies binds inside kept content', () => {
    expect(html('<p data-op-bind="site.empty"><i data-op-bind="site.title">x</i></p>')).toBe(
      '<p><i>A &amp; B</i></p>',
    )
  })
})

describe('attributes', () => {
  it.each([
    ['<a data-op-bind="href:site.url">x</a>', '<a href="https://x.test/">x</a>'],
    ['<a href="/old" data-op-bind="href:site.url">x</a>', '<a href="https://x.test/">x</a>'],
    [
      '<a data-op-bind="href:site.url" HREF=/old id=y>x</a>',
      '<a HREF="https://x.test/" id=y>x</a>',
    ],
    ['<a href data-op-bind="href:site.url">x</a>', '<a href="https://x.test/">x</a>'],
    ["<a title='o' data-op-bind='title:site.title'>x</a>", '<a title="A &amp; B">x</a>'],
    ['<img data-op-bind="alt:site.title" />', '<img alt="A &amp; B" />'],
    ['<img src=a data-op-bind="alt:site.title"/>', '<img src=a  alt="A &amp; B"/>'],
    [
      '<a data-op-bind="title:site.title; href:site.url; site.title">x</a>',
      '<a title="A &amp; B" href="https://x.test/">A &amp; B</a>',
    ],
    ['<use data-op-bind="xlink:href:site.url" />', '<use xlink:href="https://x.test/" />'],
    ['<p data-op-bind="data-x:site.title">x</p>', '<p data-x="A &amp; B">x</p>'],
  ])('%s becomes %s', (markup, expected) => {
    expect(html(markup)).toBe(expected)
  })

  it.each([
    ['<a href="/old" data-op-bind="href:dataset.news.bad">x</a>', '<a href="/old">x</a>'],
    ['<a data-op-bind="href:dataset.news.bad">x</a>', '<a>x</a>'],
    ['<a data-op-bind="onclick:site.title">x</a>', '<a>x</a>'],
  ])('%s is not allowed', (markup, expected) => {
    expect(html(markup)).toBe(expected)
    expect(unresolved(markup)).toEqual([[expect.any(String), 'not_allowed']])
  })

  it('keeps an attribute whose bind has no value', () => {
    const markup = '<a title="old" data-op-bind="title:site.empty; lang:site.what">x</a>'
    expect(html(markup)).toBe('<a title="old">x</a>')
    expect(unresolved(markup)).toEqual([
      ['title:site.empty', 'no_value'],
      ['lang:site.what', 'unknown_name'],
    ])
  })
})

describe('if', () => {
  it.each([
    ['site.title', true],
    ['site.zero', false],
    ['site.yes', true],
    ['dataset.news.items', true],
    ['site.no', false],
    ['site.empty', false],
    ['site.list', false],
    ['dataset.news.none', false],
    ['dataset.news.what', false],
    ['props.x', false],
    ['site.what', false],
  ])('%s keeps the element: %s', (path, isKept) => {
    expect(html(`a<p data-op-bind="if:${path}">b</p>c`)).toBe(isKept ? 'a<p>b</p>c' : 'ac')
  })

  it('needs all of its conditions', () => {
    const under = (paths: string) => html(`<p data-op-bind="${paths}">b</p>`)
    expect(under('if:site.title; if:site.yes')).toBe('<p>b</p>')
    expect(under('if:site.title; if:site.no')).toBe('')
    expect(under('if:site.no; if:site.title; site.what')).toBe('')
  })

  it('reports an unknown name, but not an empty value', () => {
    expect(unresolved('<p data-op-bind="if:site.no">b</p>')).toEqual([])
    expect(unresolved('<p data-op-bind="if:site.what">b</p>')).toEqual([
      ['if:site.what', 'unknown_name'],
    ])
  })

  it('drops void elements and those whose end is implied', () => {
    expect(html('<ul><li data-op-bind="if:site.no">a<li>b</ul>')).toBe('<ul><li>b</ul>')
    expect(html('a<img data-op-bind="if:site.no">b')).toBe('ab')
  })
})

it('the evaluation reports the location of a bind', () => {
  const frames = {
    page: 'a\n\n  <!-- svc/frame {"name":"card"} /-->',
    card: '<p>\n<i data-op-bind="site.what"></i></p>',
  }
  expect(print(frames, { values }).unresolved).toEqual([
    { frame: 'card', bind: 'site.what', reason: 'unknown_name', line: 2, column: 1 },
  ])
})

it('the evaluation reports a bind once for all rows of a repeat', () => {
  const rows = { datasets: { rows: Array.from({ length: 50 }, () => ({})) } }
  const markup =
    '<!-- svc/repeat {"source":"dataset.rows"} --><i data-op-bind="item.x"></i><!-- /svc/repeat -->'
  expect(print(markup, { values: rows }).unresolved).toHaveLength(1)
})
