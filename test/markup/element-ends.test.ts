import fc from 'fast-check'
import { type DefaultTreeAdapterTypes, parse } from 'parse5'
import { expect, it } from 'vitest'
import type { MarkupNode } from '../../src/markup/nodes.ts'
import { scan } from '../../src/markup/scan.ts'

type Ends = [start: number, end: number][]

/** What HTML lets stand in what; the end tags of the first of each pair may be missing. */
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
  const visit = (node: DefaultTreeAdapterTypes.Node): void => {
    const at = node.sourceCodeLocation
    const isBound = 'attrs' in node && node.attrs.some(({ name }) => name === 'data-op-bind')
    if (isBound && at != null) ends.push([at.startOffset, at.endOffset])
    if ('childNodes' in node) node.childNodes.forEach(visit)
  }
  visit(parse(source, { sourceCodeLocationInfo: true }))
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

it('bound elements end where a whole HTML parser ends them', () => {
  fc.assert(
    fc.property(flow, (content) => {
      const source = `<!doctype html><body><div>${content}</div>`
      expect(endsOfScan(scan(source).nodes)).toEqual(endsOfParser(source))
    }),
    { numRuns: 500 },
  )
})
