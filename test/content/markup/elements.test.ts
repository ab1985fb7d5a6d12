import { describe, expect, it } from 'vitest'
import { type ElementNode, MAX_BOUND_ATTRIBUTES } from '../../../src/content/markup/nodes.ts'
import { parseMarkup } from '../../../src/content/markup/parse-markup.ts'
import { outlineOf } from './outline.ts'

const BIND = 'data-op-bind="site.title"'
const REPEAT = '<!-- svc/repeat {"source":"pages"} -->'
const END = '<!-- /svc/repeat -->'

function elementIn(source: string): ElementNode {
  const node = parseMarkup(source).nodes.find(({ type }) => type === 'element')
  if (node?.type !== 'element') throw new Error(`no element in ${source}`)
  return node
}

const warningsOf = (source: string): string[] =>
  parseMarkup(source).problems.map(({ message }) => message)

describe('a bound element', () => {
  it('is a node with its location, binds and content', () => {
    expect(elementIn(`a\n😀<B ${BIND}>c</B >d`)).toMatchObject({
      start: 4,
      end: 39,
      line: 2,
      column: 2,
      tag: { start: 4, end: 33, name: 'b' },
      binds: [{ kind: 'text', path: { text: 'site.title' } }],
      content: { start: 33, end: 34, nodes: [{ type: 'text' }] },
    })
  })

  it('has decoded character references and is otherwise unchanged', () => {
    const { binds } = elementIn('<a data-op-bind="href&colon;page.url">&amp;</a>')
    expect(binds).toMatchObject([{ kind: 'attribute', attribute: 'href' }])
  })

  it('contains elements and inserts', () => {
    const menu = '<!-- svc/menu {"location":"header"} /-->'
    expect(outlineOf(`<div ${BIND}>a<p ${BIND}>b</p>${menu}<i>c</i></div>d`)).toEqual([
      {
        [`<div ${BIND}>`]: [
          'a',
          { [`<p ${BIND}>`]: ['b', '</p>'] },
          `insert: ${menu}`,
          '<i>c</i>',
          '</div>',
        ],
      },
      'd',
    ])
  })

  it.each([`<img ${BIND}>`, `<IMG ${BIND}/>`, `<svg><path ${BIND}/></svg>`, `<svg ${BIND}/>`])(
    'has no content where it can have none: %s',
    (source) => {
      expect(elementIn(source).content).toBeNull()
    },
  )

  it('has content despite a trailing slash, as in HTML', () => {
    expect(outlineOf(`<div ${BIND}/>a</div>`)).toEqual([{ [`<div ${BIND}/>`]: ['a', '</div>'] }])
  })

  it.each([
    ['a paragraph', `<p ${BIND}>`, 'a<b>b', '<div>c</div>'],
    ['a paragraph, for good', `<p ${BIND}>`, 'a<span>b</span>', ''],
    ['a row without a table', `<tr ${BIND}>`, '<td>a<td>b', '<tr><td>c'],
    ['a cell', `<td ${BIND}>`, '<table><tr><td>a</table>', '<td>b'],
  ])('ends where HTML ends it: %s', (_, before, content, after) => {
    const source = before + content + after
    const { end, content: span } = elementIn(source)
    expect(span).toMatchObject({ start: before.length, end: before.length + content.length })
    expect(end).toBe(before.length + content.length)
    expect(warningsOf(source)).toEqual([])
  })

  it('is reported if its end tag is missing', () => {
    expect(warningsOf(`<p><b ${BIND}>a</p>`)).toEqual(['This bound <b> has no end tag.'])
  })

  it('is treated as text below a hundred levels', () => {
    const deep = `<b ${BIND}>`.repeat(101) + '</b>'.repeat(101)
    expect(warningsOf(deep)).toEqual([
      'This bound <b> is nested more than 100 levels deep; it is not bound.',
    ])
  })

  it('is unchanged if it has too many attributes', () => {
    const attributes = (count: number) =>
      Array.from({ length: count }, (_, index) => ` a${index}`).join('')
    const most = `<b ${BIND}${attributes(MAX_BOUND_ATTRIBUTES - 1)}>c</b>`
    expect(warningsOf(most)).toEqual([])
    expect(elementIn(most).tag.attributes).toHaveLength(MAX_BOUND_ATTRIBUTES)
    const tooMany = `<b ${BIND}${attributes(MAX_BOUND_ATTRIBUTES)}>c</b>`
    expect(warningsOf(tooMany)).toEqual([
      'This <b> has 1001 attributes; with more than 1000 it is not bound.',
    ])
    expect(outlineOf(tooMany)).toEqual([tooMany])
  })

  it('ends with the body of the repeat that cuts it', () => {
    const source = `${REPEAT}<div ${BIND}>a${END}b</div>c`
    expect(outlineOf(source)).toEqual([
      { [REPEAT]: [{ [`<div ${BIND}>`]: ['a', ''] }, END] },
      'b</div>c',
    ])
    expect(warningsOf(source)).toEqual([
      'This bound <div> is not closed inside the repeat in which it begins.',
    ])
  })

  it('ends with the repeat if its end tag is inside one', () => {
    const source = `<div ${BIND}>${REPEAT}</div>a${END}b`
    expect(outlineOf(source)).toEqual([
      { [`<div ${BIND}>`]: [{ [REPEAT]: ['</div>a', END] }, ''] },
      'b',
    ])
    expect(warningsOf(source)).toEqual([
      'This bound <div> is closed inside a repeat that begins in it.',
    ])
  })

  it('ends with the broken repeat if its end tag is inside one', () => {
    const broken = `<!-- svc/repeat {] --></div>a${END}`
    expect(outlineOf(`<div ${BIND}>${broken}b`)).toEqual([
      { [`<div ${BIND}>`]: [`unreadable: ${broken}`, ''] },
      'b',
    ])
  })
})

describe('the open tag of a bound element', () => {
  const partsOf = (source: string): unknown => {
    const { attributes } = elementIn(source).tag
    return attributes.map(({ name, start, end, value, quote }) => [
      name,
      source.slice(start, end),
      value && source.slice(value.start, value.end),
      quote,
    ])
  }

  it('has the spans of its attributes in every notation', () => {
    const source = `<A ${BIND} HREF='a' title = "b&amp;" class=c\tdisabled\nid= ""lang='x'>`
    expect(partsOf(source)).toEqual([
      ['data-op-bind', BIND, 'site.title', '"'],
      ['href', "HREF='a'", 'a', "'"],
      ['title', 'title = "b&amp;"', 'b&amp;', '"'],
      ['class', 'class=c', 'c', ''],
      ['disabled', 'disabled', null, ''],
      ['id', 'id= ""', '', '"'],
      ['lang', "lang='x'", 'x', "'"],
    ])
  })

  it('has only the first of several attributes with one name', () => {
    expect(partsOf('<a data-op-bind="site.url" href=a HREF=b>')).toHaveLength(2)
    expect(partsOf('<a data-op-bind="site.url" __proto__=a constructor=b>')).toHaveLength(3)
  })

  it.each([
    [`<a ${BIND}>`, '<a>'],
    [`<a\n  ${BIND}\n  href="b">`, '<a\n  href="b">'],
    [`<a href="b" ${BIND} >`, '<a href="b" >'],
    [`<a ${BIND}href="b">`, '<a href="b">'],
    [`<img src=a ${BIND}/>`, '<img src=a />'],
    [`<img/${BIND}/>`, '<img//>'],
  ])('allows removing the bind attribute: %s', (source, expected) => {
    const { start, end } = elementIn(source).tag.bindSpan
    expect(source.slice(0, start) + source.slice(end)).toBe(expected)
  })

  it.each([
    [`<a ${BIND}>`, `<a ${BIND} id="x">`],
    [`<a ${BIND} href=b>`, `<a ${BIND} href=b id="x">`],
    [`<img ${BIND} alt />`, `<img ${BIND} alt id="x" />`],
    [`<img ${BIND}/>`, `<img ${BIND} id="x"/>`],
  ])('allows adding an attribute: %s', (source, expected) => {
    const { addAt } = elementIn(source).tag
    expect(`${source.slice(0, addAt)} id="x"${source.slice(addAt)}`).toBe(expected)
  })
})
