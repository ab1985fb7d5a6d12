import { describe, expect, it } from 'vitest'
import { type Bind, MAX_BINDS, parseBinds } from '../../../src/content/markup/parse-binds.ts'

const shape = (bind: Bind): string => {
  if (bind.kind === 'refused') return `${bind.reason}: ${bind.written}`
  const target = bind.kind === 'attribute' ? bind.attribute : bind.kind
  const isNegated = bind.kind === 'if' && bind.isNegated
  return `${target} = ${isNegated ? 'not ' : ''}${bind.path.text}`
}
const parse = (value: string, tag = 'div', hasContent = true): string[] =>
  parseBinds(value, tag, hasContent).map(shape)

describe('parseBinds', () => {
  it.each([
    ['site.title', ['text = site.title']],
    ['href:page.url; title:page.title', ['href = page.url', 'title = page.title']],
    [' ; HREF : page.url ;; site.title;', ['href = page.url', 'text = site.title']],
    ['html:page.content', ['html = page.content']],
    ['html:page.excerpt', ['html = page.excerpt']],
    ['html:dataset.news.0.body', ['html = dataset.news.0.body']],
    ['if:page.image; src:page.image', ['if = page.image', 'src = page.image']],
    ['if:item.a; if:item.b', ['if = item.a', 'if = item.b']],
    ['if:!item.a; if: !item.b', ['if = not item.a', 'if = not item.b']],
    ['href: page.url', ['href = page.url']],
    ['xlink:href:item.url', ['xlink:href = item.url']],
    ['aria-label:item.title', ['aria-label = item.title']],
    ['', []],
  ])('parses %j', (value, expected) => {
    expect(parse(value)).toEqual(expected)
  })

  it.each([
    ['onclick:page.title', 'not_allowed'],
    ['ONCLICK:page.title', 'not_allowed'],
    ['style:page.title', 'not_allowed'],
    ['srcdoc:page.content', 'not_allowed'],
    ['data-op-bind:page.title', 'not_allowed'],
    ['a b:page.title', 'not_allowed'],
    ['a"b:page.title', 'not_allowed'],
    ['@click:page.title', 'not_allowed'],
    ['onclick:nothing', 'not_allowed'],
    ['html:page.title', 'not_allowed'],
    ['html:item.body', 'not_allowed'],
    ['html:props.body', 'not_allowed'],
    ['nothing', 'unknown_name'],
    ['title:', 'unknown_name'],
    ['if:nothing', 'unknown_name'],
    ['if:item.a!', 'unknown_name'],
    ['href:!page.url', 'unknown_name'],
    ['!page.title', 'unknown_name'],
    ['html:nothing', 'unknown_name'],
    ['item.__proto__', 'unknown_name'],
  ])('refuses %j as %s', (value, reason) => {
    expect(parse(value)).toEqual([`${reason}: ${value}`])
  })

  it('binds each target once', () => {
    expect(parse('site.title; html:page.content; id:item.a; ID:item.b')).toEqual([
      'text = site.title',
      'not_allowed: html:page.content',
      'id = item.a',
      'not_allowed: ID:item.b',
    ])
  })

  it(`applies ${MAX_BINDS} binds of an element and refuses the others as one`, () => {
    const value = Array.from({ length: 50_000 }, (_, index) => `data-${index}:item.a`).join(';')
    const binds = parseBinds(value, 'div', true)
    expect(binds).toHaveLength(MAX_BINDS + 1)
    expect(binds.at(-2)).toMatchObject({ kind: 'attribute', attribute: 'data-99' })
    expect(binds.at(-1)).toEqual({
      kind: 'refused',
      written: 'data-100:item.a',
      reason: 'not_allowed',
      message: 'This <div> has 50000 binds. Only the first 100 are applied.',
    })
  })

  it('refuses to bind content of an element without content', () => {
    expect(parse('site.title; alt:site.title', 'img', false)).toEqual([
      'not_allowed: site.title',
      'alt = site.title',
    ])
  })

  it.each(['script', 'style', 'iframe', 'xmp', 'noembed', 'noframes', 'noscript', 'plaintext'])(
    'refuses to bind content of <%s>, which cannot be escaped',
    (tag) => {
      expect(parse('dataset.a; html:dataset.a; src:dataset.a', tag)).toEqual([
        'not_allowed: dataset.a',
        'not_allowed: html:dataset.a',
        'src = dataset.a',
      ])
    },
  )

  it.each(['title', 'textarea'])('binds text of <%s>, not HTML', (tag) => {
    expect(parse('page.title', tag)).toEqual(['text = page.title'])
    expect(parse('html:page.content', tag)).toEqual(['not_allowed: html:page.content'])
  })

  it.each([
    'data-style:page.title',
    'styles:page.title',
    'data-onclick:page.title',
    'srcdocs:page.title',
  ])('accepts %j as an ordinary attribute', (value) => {
    expect(parse(value)).toEqual([value.replace(':', ' = ')])
  })

  it.each(['x-script', 'scripted', 'x-title', 'title-bar', 'textareas'])(
    'binds HTML in <%s>, which is an element like any other',
    (tag) => {
      expect(parse('html:page.content', tag)).toEqual(['html = page.content'])
    },
  )

  it.each([
    ['nothing', 'div', '"nothing" is not a valid value path.'],
    ['id:item.a; id:item.b', 'div', 'The attribute id of this <div> is bound twice.'],
    ['site.title; html:page.content', 'div', 'The content of this <div> is bound twice.'],
    ['html:page.content; html:dataset.a', 'div', 'The content of this <div> is bound twice.'],
    ['onclick:item.a', 'div', 'The attribute onclick cannot be bound.'],
    ['a b:item.a', 'div', '"a b" is not a valid attribute name.'],
    ['item.a', 'img', '<img> has no content to bind.'],
    ['item.a', 'script', 'The content of <script> cannot be bound.'],
    ['html:page.content', 'title', '<title> contains text, not HTML: bind it without "html:".'],
    [
      'html:page.title',
      'div',
      'Only page.content, page.excerpt and dataset.* can be bound as HTML.',
    ],
  ])('explains why %j of <%s> is refused', (value, tag, message) => {
    expect(parseBinds(value, tag, tag !== 'img').at(-1)).toMatchObject({ kind: 'refused', message })
  })

  it('keeps its messages short', () => {
    const [bind] = parseBinds('x'.repeat(100_000), 'div', true)
    expect(bind?.kind === 'refused' && bind.message.length).toBeLessThan(100)
  })
})
