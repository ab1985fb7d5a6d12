import { describe, expect, it } from 'vitest'
import { INSERTS } from '../../../src/content/markup/inserts/all-inserts.ts'
import { parseMarkup } from '../../../src/content/markup/parse-markup.ts'
import { outlineOf } from './outline.ts'

const MENU = '<!-- svc/menu {"location":"header"} /-->'
const REPEAT = '<!-- svc/repeat {"source":"pages"} -->'
const END = '<!-- /svc/repeat -->'

const warningsOf = (source: string): string[] =>
  parseMarkup(source).problems.map(({ message }) => message)

describe('an insert', () => {
  it.each(INSERTS.flatMap(({ kinds }) => kinds))(
    'svc/%s is parsed with its JSON and location',
    (kind) => {
      expect(
        parseMarkup(`a\r\n😀 <!-- svc/${kind} {"source":"pages","n":1} /-->b`).nodes[1],
      ).toEqual({
        type: 'insert',
        start: 6,
        end: 45 + kind.length,
        line: 2,
        column: 3,
        kind,
        params: { source: 'pages', n: 1 },
        json: { start: 16 + kind.length, end: 40 + kind.length },
        body: null,
      })
    },
  )

  it.each([
    ['without JSON', '<!-- svc/content /-->', {}],
    ['without spaces', '<!--svc/content{"a":1}/-->', { a: 1 }],
    ['over lines', '<!--\n\tsvc/content\r\n{\n"a":1\n}\n/\n-->', { a: 1 }],
    ['with an escaped comment end', '<!-- svc/content {"a":"\\u002d\\u002d>"} /-->', { a: '-->' }],
    ['with two dashes', '<!-- svc/content {"a":"b--c"} /-->', { a: 'b--c' }],
    ['with a slash at the end of a value', '<!-- svc/content {"a":"b/"} /-->', { a: 'b/' }],
  ])('parses %s', (_, source, params) => {
    expect(parseMarkup(source)).toMatchObject({
      nodes: [{ kind: 'content', params }],
      problems: [],
    })
  })

  it('treats inherited property names as ordinary keys', () => {
    const [node] = parseMarkup('<!-- svc/frame {"__proto__":{"polluted":1}} /-->').nodes
    const params = node?.type === 'insert' ? node.params : {}
    expect(Object.keys(params)).toEqual(['__proto__'])
    expect(params.polluted).toBeUndefined()
    expect(params.constructor).toBeUndefined()
    expect({}).not.toHaveProperty('polluted')
  })

  it('prints without its trailing slash, with a warning', () => {
    const source = '<!-- svc/menu {"location":"header"} -->'
    expect(outlineOf(source)).toEqual([`insert: ${source}`])
    expect(warningsOf(source)).toEqual(['End this svc/menu with /-->.'])
  })

  it.each([
    ['unknown_kind', '<!-- svc/gallery {"a":1} /-->'],
    ['unknown_kind', '<!-- svc/Menu /-->'],
    ['unknown_kind', '<!-- svc/ /-->'],
    ['unknown_kind', '<!-- svc/toString /-->'],
    ['unknown_kind', '<!-- /svc/gallery -->'],
    ['unreadable', '<!-- svc/menu {location:"header"} /-->'],
    ['unreadable', '<!-- svc/menu ["header"] /-->'],
    ['unreadable', '<!-- svc/menu null /-->'],
    ['unreadable', '<!-- svc/menu {} {} /-->'],
    ['unreadable', '<!-- svc/menu/footer /-->'],
    ['unreadable', `<!-- svc/menu {"a":${'['.repeat(40)}${']'.repeat(40)}} /-->`],
    ['unpaired', '<!-- /svc/menu -->'],
    ['unpaired', END],
    ['unpaired', REPEAT],
  ])('prints nothing and is reported if it is %s: %s', (reason, source) => {
    expect(outlineOf(`a${source}b`)).toEqual(['a', `${reason}: ${source}`, 'b'])
    expect(parseMarkup(`a${source}b`).problems).toMatchObject([
      { start: 1, end: 1 + source.length },
    ])
  })

  it('is named in reports as written', () => {
    expect(parseMarkup('<!-- svc/gallery /-->').nodes).toMatchObject([{ name: 'op/gallery' }])
  })
})

describe('a comment', () => {
  it.each([
    ['ordinary', '<!-- see svc/menu -->'],
    ['empty', '<!-->'],
    ['empty, with three dashes', '<!--->'],
    ['bogus', '<? svc/menu /-->'],
    ['bogus', '<! svc/menu /-->'],
    ['another prefix', '<!-- xsvc/menu /-->'],
    ['conditional', '<!--[if IE]> <p> <![endif]-->'],
  ])('is text without a warning if it is not an insert: %s', (_, source) => {
    expect(outlineOf(source)).toEqual([source])
    expect(warningsOf(source)).toEqual([])
  })

  it.each([
    ['a conditional comment', `<!--[if IE]> ${MENU} <![endif]-->`],
    ['a script', `<script>${MENU}</script>`],
    ['a script with an escaped script', `<script><!--<script></script>${MENU}--></script>`],
    ['a style', `<style>${MENU}</style>`],
    ['a textarea', `<textarea>${MENU}</textarea>`],
    ['a title', `<title>${MENU}</title>`],
    ['a noscript', `<noscript>${MENU}</noscript>`],
    ['an iframe', `<iframe>${MENU}</iframe>`],
    ['an xmp', `<xmp>${MENU}</xmp>`],
    ['a noembed', `<noembed>${MENU}</noembed>`],
    ['a plaintext', `<plaintext>${MENU}</plaintext>`],
    ['an xmp after an end tag that ended the SVG', `<svg></p><xmp>${MENU}</xmp>`],
    ['a quoted attribute', `<a title='${MENU}'>`],
    ['an unquoted attribute', '<a title=<!--svc/menu/-->'],
    ['the attribute of an end tag', `</a title='${MENU}'>`],
    ['CDATA of SVG', `<svg><![CDATA[${MENU}]]></svg>`],
    ['a comment that is never closed', '<!-- svc/menu {"location":"header"} '],
    ['a comment closed with a bang', '<!-- svc/menu /--!>'],
  ])('that looks like an insert is text with a warning in %s', (_, source) => {
    expect(outlineOf(source)).toEqual([source])
    expect(warningsOf(source)).toEqual([expect.stringContaining('treated as text')])
  })

  it.each([
    ['a conditional comment all browsers read', `<!--[if !IE]><!-->${MENU}<!--<![endif]-->`],
    ['a comment closed at once', `<!-->${MENU}`],
    ['a comment closed at once with a dash', `<!--->${MENU}`],
    ['a comment closed with a bang', `<!-- a --!>${MENU}`],
    ['a template', `<template>${MENU}</template>`],
    ['a table', `<table>${MENU}</table>`],
    ['a select', `<select>${MENU}</select>`],
    ['the title of an SVG', `<svg><title>${MENU}</title></svg>`],
    ['the style of an SVG', `<svg><style>${MENU}</style></svg>`],
    ['CDATA outside of SVG', `<![CDATA[>${MENU}]]>`],
    ['CDATA in HTML inside SVG', `<svg><foreignObject><![CDATA[>${MENU}]]></svg>`],
    ['CDATA in HTML that ended the SVG', `<svg><p><![CDATA[>${MENU}]]>`],
    ['what follows a script', `<script>"</scripty"</SCRIPT >${MENU}`],
  ])('is an insert in %s', (_, source) => {
    expect(outlineOf(source)).toContain(`insert: ${MENU}`)
    expect(warningsOf(source)).toEqual([])
  })
})

describe('a repeat', () => {
  it('contains the nodes up to its closing comment', () => {
    expect(outlineOf(`a${REPEAT}b${MENU}c${END}d`)).toEqual([
      'a',
      { [REPEAT]: ['b', `insert: ${MENU}`, 'c', END] },
      'd',
    ])
  })

  it('contains repeats', () => {
    expect(outlineOf(`${REPEAT}a${REPEAT}b${END}c${END}`)).toEqual([
      { [REPEAT]: ['a', { [REPEAT]: ['b', END] }, 'c', END] },
    ])
  })

  it('needs no body if it has a frame', () => {
    const whole = '<!-- svc/repeat {"source":"pages","frame":"card"} /-->'
    expect(outlineOf(whole)).toEqual([`insert: ${whole}`])
    const slashless = whole.replace(' /', ' ')
    expect(outlineOf(slashless)).toEqual([`insert: ${slashless}`])
  })

  it('leaves the rest unchanged if it is never closed', () => {
    expect(outlineOf(`${REPEAT}a${REPEAT}b${END}c`)).toEqual([
      `unpaired: ${REPEAT}`,
      'a',
      { [REPEAT]: ['b', END] },
      'c',
    ])
  })

  it('is dropped with its body if its JSON is invalid', () => {
    const broken = `<!-- svc/repeat {] -->a${MENU}${REPEAT}${END}${END}`
    expect(outlineOf(`${broken}b`)).toEqual([`unreadable: ${broken}`, 'b'])
  })

  it('may begin and end inside elements', () => {
    expect(outlineOf(`<ul>${REPEAT}<li><div>${END}</div></ul>`)).toEqual([
      '<ul>',
      { [REPEAT]: ['<li><div>', END] },
      '</div></ul>',
    ])
  })

  it('may be nested a hundred levels deep and no deeper', () => {
    const deep = (levels: number): string => REPEAT.repeat(levels) + END.repeat(levels)
    expect(warningsOf(deep(100))).toEqual([])
    expect(warningsOf(deep(101))).toEqual([
      'This svc/repeat is nested more than 100 levels deep; it prints nothing.',
    ])
  })
})
