import { describe, expect, it } from 'vitest'
import { decodeDataset } from '../../src/baking/sources/dataset-source.ts'
import {
  decodeMeta,
  decodeRecordOrEmpty,
  readRecordNames,
  readRecordNamesFromEnds,
} from '../../src/frames/record.ts'
import { findSlug, slugParts } from '../../src/frames/slug.ts'
import { compileMarkup } from '../../src/markup/evaluation/compile.ts'
import { escapeHtml, isSafeAddress } from '../../src/markup/evaluation/escape.ts'
import { collectNeeds } from '../../src/markup/evaluation/needs.ts'
import { escapeAstralCharacters } from '../../src/markup/evaluation/pieces.ts'
import { excerptOf } from '../../src/markup/excerpt.ts'
import { normalizeSlug } from '../../src/markup/insert-references.ts'
import { createMarkupReport } from '../../src/markup/markup-report.ts'
import { parseBinds } from '../../src/markup/parse-binds.ts'
import { parseMarkup } from '../../src/markup/parse-markup.ts'
import { readMembers, readParams } from '../../src/markup/read-params.ts'
import { rewriteReferences } from '../../src/markup/rewrite-references.ts'
import { parsePath } from '../../src/markup/value-path.ts'
import { growthOf } from '../support/growth.ts'

type TextOf = (length: number) => string

/** The pieces repeated, with `before` and `after` once. */
const many =
  (piece: string, before = '', after = ''): TextOf =>
  (length) =>
    before + piece.repeat(Math.ceil(length / piece.length)) + after
/** Distinct pieces. */
const numbered =
  (piece: (index: number) => string, before = '', after = ''): TextOf =>
  (length) => {
    const count = Math.ceil(length / piece(1000).length)
    return before + Array.from({ length: count }, (_, index) => piece(index)).join('') + after
  }

const REPEAT = '<!-- svc/repeat {"source":"pages"} -->'
const END = '<!-- /svc/repeat -->'
const HOSTILE: Record<string, TextOf> = {
  'comments that never end': many('<!--'),
  'inserts that never end': many('<!-- svc/frame {"name":"a"'),
  'an insert of spaces': many(' ', '<!--'),
  'an insert of spaces before its name': many(' ', '<!-- ', 'svc/x /-->'),
  'an insert with a long name': many('x', '<!-- svc/', ' /-->'),
  'an insert with slashes': many('/', '<!-- svc/frame ', '-->'),
  'an insert with spaces and slashes': many(' /', '<!-- svc/frame ', '-->'),
  'closing slashes and spaces': many('<!-- / svc/ '),
  'ends of comments': many('-->'),
  'empty comments': many('<!-->'),
  'comments with dashes': many('-', '<!--'),
  'unknown inserts': many('<!-- svc/x /-->'),
  'unknown inserts on lines of their own': many('<!-- svc/x /-->\r\n'),
  'unknown inserts behind characters of two units': many('😀<!-- svc/x /-->'),
  'inserts in attributes': many('<a b="<!-- svc/frame /-->">'),
  'inserts in text': many('<!-- svc/frame {"name":"a"} ', '<textarea>'),
  frames: many('<!-- svc/frame {"name":"a","ref":"b"} /-->'),
  'different frames': numbered((index) => `<!-- svc/frame {"name":"a${index}","id":"b"} /-->`),
  'repeats that never end': many(REPEAT),
  'ends of repeats': many(END),
  'repeats in one another': (length) =>
    many(REPEAT)(length / 2) + many(END)((length / 2) * (END.length / REPEAT.length)),
  'repeats with elements across their edges': many(
    `<b data-op-bind="item">${REPEAT}</b><i data-op-bind="item">${END}</i>`,
  ),
  'unreadable JSON': many('{', '<!-- svc/frame ', ' /-->'),
  'JSON of quotes': many('"', '<!-- svc/frame {', '} /-->'),
  'JSON of backslashes': many('\\', '<!-- svc/frame {"', '"} /-->'),
  'JSON of many keys': numbered(
    (index) => `"k${index}":1,`,
    '<!-- svc/frame {',
    '"name":"a"} /-->',
  ),
  'JSON of one key': many('"name":"a",', '<!-- svc/frame {', '"name":"a"} /-->'),
  'less-than signs': many('<'),
  'end tags without names': many('</'),
  'end tags': many('</b>'),
  declarations: many('<!'),
  CDATA: many('<![CDATA[', '<svg>'),
  'processing instructions': many('<?'),
  'tags that never end': many('<a '),
  'attributes that never end': many('<a href="'),
  'attributes without values': numbered((index) => ` a${index}`, '<b data-op-bind="site.title"'),
  'many attributes and binds': (length) =>
    numbered((index) => ` a${index}`, '<b', ' data-op-bind="')(length / 2) +
    numbered((index) => `a${index}:item;`, '', '">x</b>')(length / 2),
  'the same attribute': many(' a', '<b data-op-bind="site.title"', '>'),
  'spaces in a tag': many(' ', '<b', ' data-op-bind="site.title">'),
  'spaces around an equals sign': many(' ', '<b data-op-bind', '= "site.title">'),
  'slashes in a tag': many('/', '<b', ' data-op-bind="site.title">'),
  'elements in one another': many('<b data-op-bind="site.title">'),
  'elements side by side': many('<b data-op-bind="site.title">x</b>'),
  'elements without ends': many('<li data-op-bind="site.title">'),
  'blocks in one another': many('<div>'),
  paragraphs: many('<p>'),
  'tables in one another': many('<table><tr><td>'),
  'pictures in one another': many('<svg>'),
  'pictures that are left': many('<svg><g><g><p>'),
  'formulas and pictures': many('<math><mi><svg><foreignObject>'),
  'lists that are mixed': many('<ul><li><dd><option>'),
  binds: many('site.title;', '<b data-op-bind="', '">x</b>'),
  'separators of binds': many(';', '<b data-op-bind="', '">x</b>'),
  'colons in a bind': many(':', '<b data-op-bind="', '">x</b>'),
  'spaces in a bind': many(' ', '<b data-op-bind="site', 'title">x</b>'),
  'dots in a bind': many('.a', '<b data-op-bind="site', '">x</b>'),
  'references to characters': many('&am', '<b data-op-bind="', '">x</b>'),
  scripts: many('<script>'),
  'scripts in comments in scripts': many('<!--<script>', '<script>'),
  'text that looks like its end': many('</textare', '<textarea>'),
  'NUL characters': many('\0'),
  spaces: many(' '),
  'line ends': many('\r'),
}

/** Texts that are stored or sent beside markup. */
const TEXTS: Record<string, TextOf> = {
  spaces: many(' '),
  'spaces and a letter': many(' ', 'a', 'b'),
  dots: many('.', 'site'),
  separators: many(';'),
  colons: many(':'),
  hyphens: many('a-'),
  underscores: many('_', 'a', '\n'),
  'underscores and hyphens': many('a__b--', '', '\n'),
  braces: many('{'),
  'braces and quotes': many('{"a":'),
  brackets: many('['),
  'array of PHP': many('a:1:{i:0;', ''),
  'keys of PHP': many('s:1:"a";', 'a:9:{'),
  'a start of a record': many('1', 'a:5:{s:4:"slug";s:1'),
  'an end of a record': many(':', '";s:14:"created_at_gmt";s:19:"'),
  'control characters': many('\u0001'),
  'letters of a scheme': many('a\t'),
  'halves of pairs': many('\ud800'),
  'characters to escape': many('&<>"\''),
}

const READERS: Record<string, (text: string) => unknown> = {
  parseBinds: (text) => parseBinds(text, 'b', true),
  parsePath,
  readParams,
  readMembers: (text) => readParams(text) && readMembers(text),
  excerptOf,
  findSlug,
  normalizeSlug,
  slugParts,
  readableRecord: (text) => decodeRecordOrEmpty(text, 'id', 'slug'),
  readNames: readRecordNames,
  readNamesInEnds: (text) => readRecordNamesFromEnds({ bytes: 1, start: text, end: text }),
  decodeMeta,
  decodeDataset,
  escapeHtml,
  isSafeAddress,
  inBasicPlane: escapeAstralCharacters,
}

describe('the processing time of hostile markup', () => {
  it.each(Object.entries(HOSTILE))('grows linearly: %s', (_, textOf) => {
    const read = (source: string) => {
      const markup = parseMarkup(source)
      createMarkupReport(markup)
      collectNeeds([compileMarkup(markup).program])
      rewriteReferences(source, new Map([['a', 'longer']]))
    }
    expect(growthOf(read, textOf)).toBe('linear')
  })
})

describe('the processing time of hostile texts', () => {
  it.each(
    Object.entries(READERS).flatMap(([name, read]) =>
      Object.entries(TEXTS).map(([kind, textOf]) => ({ name, kind, read, textOf })),
    ),
  )('grows as they do: $name of $kind', ({ read, textOf }) => {
    expect(growthOf(read, textOf, 64 * 1024)).toBe('linear')
  })
})
