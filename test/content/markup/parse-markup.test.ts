import fc from 'fast-check'
import { type DefaultTreeAdapterTypes, parse } from 'parse5'
import { describe, expect, it } from 'vitest'
import { createMarkupReport } from '../../../src/content/markup/markup-report.ts'
import { parseMarkup } from '../../../src/content/markup/parse-markup.ts'
import { readInsert } from '../../../src/content/markup/read-insert.ts'
import { readMarks } from '../../../src/content/markup/read-marks.ts'
import { reassemble } from './outline.ts'
import { REARRANGED_TAGS, randomMarkup } from './random-markup.ts'

/** The positions of all inserts, as found by a complete HTML parser. */
function insertsOfParser(source: string): number[] {
  const found: number[] = []
  const walk = (node: DefaultTreeAdapterTypes.Node): void => {
    const at = node.sourceCodeLocation
    if (node.nodeName === '#comment' && at != null) {
      const span = { start: at.startOffset, end: at.endOffset }
      if (readInsert(source, span) !== undefined) found.push(span.start)
    }
    if ('childNodes' in node) node.childNodes.forEach(walk)
    if ('content' in node) walk(node.content)
  }
  walk(parse(source, { sourceCodeLocationInfo: true }))
  return found.sort((a, b) => a - b)
}

describe('parseMarkup', () => {
  it('covers every unit of any source', () => {
    fc.assert(
      fc.property(fc.oneof(randomMarkup(), fc.string({ unit: 'binary' })), (source) => {
        expect(reassemble(source, parseMarkup(source).nodes)).toBe(source)
      }),
      { numRuns: 500 },
    )
  })

  it('finds the comments that a complete HTML parser finds', () => {
    fc.assert(
      fc.property(randomMarkup({ without: REARRANGED_TAGS }), (source) => {
        const inserts = readMarks(source).marks.filter((mark) => mark.type === 'insert')
        expect(inserts.map(({ start }) => start)).toEqual(insertsOfParser(source))
      }),
      { numRuns: 1000 },
    )
  })

  it('handles markup built to be slow or deep', () => {
    const many = (piece: string): string => piece.repeat(100_000 / piece.length)
    const bound = '<b data-op-bind="site.title">'
    const repeat = '<!-- svc/repeat {"source":"pages"} -->'
    const sources = [
      bound,
      repeat,
      '<div>',
      '<li><ul>',
      '<p><button>',
      '<table><tr><td>',
      '<svg><desc>',
      '<',
      '<!--',
      '<![CDATA[',
      '<!-- \n',
      '<!-- svc/x /-->',
      '<script><!--<script>',
      '&amp',
      '<a><div></a>',
      `${bound}${repeat}</b><!-- /svc/repeat -->`,
      `${repeat}${bound}`,
    ].map(many)
    const unlikeNames = Array.from({ length: 20_000 }, (_, at) => `a${at}`).join(' ')
    const deepJson = `<!-- svc/data {"a":${'['.repeat(100_000)}${']'.repeat(100_000)}} /-->`
    for (const source of [
      ...sources,
      `<b><div>${many('<i></b>')}`,
      `<a ${unlikeNames}>`,
      deepJson,
    ]) {
      expect(JSON.stringify(createMarkupReport(parseMarkup(source))).length).toBeLessThan(50_000)
    }
  })
})
