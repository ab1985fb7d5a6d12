import fc from 'fast-check'
import { type DefaultTreeAdapterTypes, parse } from 'parse5'
import { expect, it } from 'vitest'
import type { MarkupNode } from '../../../src/content/markup/nodes.ts'
import { parseMarkup } from '../../../src/content/markup/parse-markup.ts'

type Ends = [start: number, end: number][]

/** Allowed nestings of HTML; the end tag of the first of each pair may be missing. */
const { flow } = fc.letrec<{ flow: string; phrasing: string }>((tie) => {
  const phrasing = tie('phrasing')
  const flow = tie('flow')
  const many = (item: fc.Arbitrary<string>) =>
    fc.array(item, { maxLength: 3 }).map((items) => items.join(''))
  const element = (name: string, content: fc.Arbitrary<string>, mayLackEnd = false) =>
    fc.tuple(content, fc.boolean(), fc.boolean()).map(([inside, isBound, hasEnd]) => {
      const end = hasEnd || !mayLackEnd ? `</${name}>` : ''
      return `<${name}${isBound ? ' data-op-bind="id:item.id"' : ''}>${inside}${end}`
    })
  const cell = fc.oneof(element('td', flow, true), element('th', flow, true))
  const row = element('tr', many(cell), true)
  const options = many(element('option', fc.constant('o'), true))
  return {
    phrasing: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom('text ', '<br>', '<!-- </p> -->', '<img alt="</p>">', '&amp;'),
      ...['span', 'em', 'button', 'svg'].map((name) => element(name, many(fc.constant('t')))),
      element('select', fc.oneof(options, many(element('optgroup', options, true)))),
    ),
    flow: fc.oneof(
      { maxDepth: 4 },
      many(phrasing),
      element('p', many(phrasing), true),
      element('h2', many(phrasing)),
      ...['div', 'section', 'blockquote'].map((name) => element(name, many(flow))),
      ...['ul', 'ol'].map((name) => element(name, many(element('li', many(flow), true)))),
      element('dl', many(fc.oneof(element('dt', flow, true), element('dd', flow, true)))),
      element('table', many(element('tbody', many(row), true))),
    ),
  }
})

function endsOfParser(source: string): Ends {
  const ends: Ends = []
  const walk = (node: DefaultTreeAdapterTypes.Node): void => {
    const at = node.sourceCodeLocation
    const isBound = 'attrs' in node && node.attrs.some(({ name }) => name === 'data-op-bind')
    if (isBound && at != null) ends.push([at.startOffset, at.endOffset])
    if ('childNodes' in node) node.childNodes.forEach(walk)
  }
  walk(parse(source, { sourceCodeLocationInfo: true }))
  return ends.sort(([a], [b]) => a - b)
}

function endsOfScan(nodes: readonly MarkupNode[]): Ends {
  return nodes.flatMap((node) =>
    node.type === 'element'
      ? [[node.start, node.end] as const, ...endsOfScan(node.content?.nodes ?? [])].map(
          ([start, end]): [number, number] => [start, end],
        )
      : [],
  )
}

it('the parser ends bound elements where a complete HTML parser ends them', () => {
  fc.assert(
    fc.property(flow, (content) => {
      const source = `<!doctype html><body><div>${content}</div>`
      expect(endsOfScan(parseMarkup(source).nodes)).toEqual(endsOfParser(source))
    }),
    { numRuns: 500 },
  )
})

/** Markup with missing or misplaced end tags; `!` is a bind, on the elements whose ends are compared. */
const UNTIDY = [
  '<ul><li !>a<ul><li !>b</ul><li !>c</ul>',
  '<ol><li !>a<ol><li !>b</ol><li !>c</ol>',
  '<ul><li !>a<menu><li !>b</menu><li !>c</ul>',
  '<ul><li !>a<dir><li !>b</dir><li !>c</ul>',
  '<ul><li !>a<ul></li></ul>b</li></ul>',
  '<ul><li !>a<ol></li></ol>b</li></ul>',
  '<ul><li !><template><li>x</template>y<li !>z</ul>',
  '<dl><dt !>a<dd !>b<dl><dt !>c</dl><dt !>d</dl>',
  '<dl><dd !>a<dd !>b<dl><dd !>x</dl><dd !>c</dl>',
  '<dl><dt !>a<dt !>b<dd !>c<dt !>d</dl>',
  '<ruby><rt !>a<rt !>b<rp !>c<rp !>d<rt !>e</ruby>',
  '<ruby><rt !>a<ruby><rt !>b</ruby>c<rp !>d<ruby><rp !>e</ruby>f<rp !>g</ruby>',
  '<select><option !>a<option !>b<optgroup !><option !>c<optgroup !><option !>d</select>',
  '<datalist><option !>a<option !>b</datalist>c',
  '<button !>a<button !>b</button>',
  '<button !><span !>a<button !>b</button>',
  '<p !>a<button !>b<p !>c</button>d</p>',
  '<p !>a<button></p>b</button></p>c',
  '<p !>a<button>b<div !>c</div></button>d</p>',
  '<table><tr !><td !>a<th !>b<td !>c<tr !><td !>d<tbody !><tr !><td !>e<tfoot !><tr !><td !>f</table>',
  '<table><caption !>a<colgroup !><col><thead !><tr !><th !>h<th !>i<tbody !><tr !><td !>b</table>',
  '<table><caption !>a<tbody !><tr !><td !>b</table>',
  '<table><colgroup !><col><tr><td>a</table>',
  '<table><tr><td !>a<table><tr><td !>b</table>c<td !>d</table>',
  '<table><tr><th !>a<table><tr><th !>b</table>c<th !>d</table>',
  '<table><tr><td !>a<template><td>b</template>c<td !>d</table>',
  '<table !><tr><td !><template></td></table></template>x</table>y',
  '<table><tbody !><tr !><td !>a</tr><tr !><td !>b</tbody></table>',
  '<table><thead !><tr !><td !>a</thead><tfoot !><tr><td !>b</tfoot></table>',
  '<table><tr !><td !>a<p !>b</td></tr></table>',
  '<table><tr><td !>a<div !>b</td>c</table>',
  '<table><tr><td>a<table></td></tr></table>b<span !>c</span></td></tr></table>',
  '<div !><table !><tr !><td !></div>x</table></div>',
  '<div !><section !></div>x',
  '<span !>a<div !></span>b</div>c',
  '<div !><span !></div>x',
  '<div !><object></div>a</object>b</div>',
  '<div !><marquee></div>a</marquee>b</div>',
  '<div !><applet></div>a</applet>b</div>',
  '<div !></template></section></td></span>a</div>',
  '<svg !><g !><path !/><g !>t</g></svg>x',
  '<svg !/>x',
  '<svg><foreignObject !><div !><p !>a</foreignObject>b</svg>',
  '<svg !><g !><div !>x</div>y',
  '<svg !><g !>a</p>b',
  '<svg !><g !>a</br>b',
  '<svg !><g !>a<br>b',
  '<svg !><desc !><span !>a</desc>b</svg>',
  '<svg !><title !>a<span !>b</title></svg>',
  '<svg><a !><g !></a>b</svg>',
  '<div !><svg !></div>x</svg></div>',
  '<svg !><font color="x"><g !>a</svg>b',
  '<svg !><font><g !>a</font></svg>b',
  '<math !><mi !>x</mi><p !>y</p>z',
  '<math !><mi !><span !>x</mi>y</math>',
  '<math !><annotation-xml encoding="text/html"><div !>a</annotation-xml>b</math>',
  '<math !><annotation-xml><div !>a</div>b',
  '<math !><svg !><mi !>a</math>b',
  '<p !>a<svg !><p !>b',
  '<div !>a<body class="x">b<html lang="x">c</div>d',
]

/** Also `<xmp>`, but the parser does not report where an unclosed one ends. */
const ENDS_OPEN_P =
  'address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr li listing main menu nav ol p plaintext pre search section summary ul'

const PAGES = [
  '<!doctype html><html !><head !><meta charset="utf-8"><body !><p !>a',
  '<!doctype html><html !><head !><title>a</title></head><body !>b<body class="x">c<p !>d',
]

it.each([
  ...UNTIDY.map((content) => `<!doctype html><body><div>${content}</div>`),
  ...ENDS_OPEN_P.split(' ').map((name) => `<!doctype html><body><p !>a<${name} !>b`),
  ...['span', 'button', 'svg', 'img', 'label', 'object'].map(
    (name) => `<!doctype html><body><p !>a<${name}>b</${name}>c</p>d`,
  ),
  ...PAGES,
])('ends bound elements in %s like that parser', (untidy) => {
  const source = untidy.replaceAll(' !', ' data-op-bind="id:item.id"')
  expect(endsOfScan(parseMarkup(source).nodes)).toEqual(endsOfParser(source))
})
