import type { Request } from 'express'
import { expect, it } from 'vitest'
import { contextAt } from '../packages/console/src/editor/cursor-context.ts'
import { preconditionOf } from '../src/api/entity-tag.ts'
import { redactTokens } from '../src/api/request-log.ts'
import { decodeDataset } from '../src/build/baking/sources/dataset-source.ts'
import { withoutBlockComments } from '../src/build/baking/sources/page-source.ts'
import { compileMarkup } from '../src/content/markup/evaluation/compile.ts'
import { isAllowedInAttribute } from '../src/content/markup/evaluation/escape.ts'
import { collectNeeds } from '../src/content/markup/evaluation/needs.ts'
import { createMarkupReport } from '../src/content/markup/markup-report.ts'
import { parseBinds } from '../src/content/markup/parse-binds.ts'
import { parseMarkup } from '../src/content/markup/parse-markup.ts'
import { menuItemTitle } from '../src/wordpress/formatting/menu-texts.ts'
import { sanitizeUrl } from '../src/wordpress/formatting/sanitize-url.ts'
import { sanitizeTitle } from '../src/wordpress/formatting/slugs.ts'
import { parsePageUrl } from '../src/wordpress/permalinks/address.ts'
import { rewriteReferences } from './support/rewrite-references.ts'

/**
 * Work on hostile texts takes time in proportion to their length. `npm run regexps` checks the regular expressions by themselves; these
 * are the parsers around them. A ratio of two times of one machine does not depend on its speed.
 */

/** A text for which the work takes less is made longer: the clock and other processes would decide. In milliseconds of CPU time. */
const LEAST_MS = 20
const MAX_LENGTH = 2 ** 21
const FACTOR = 4
/** Between linear work, which takes 4 times as long, and quadratic work, which takes 16 times as long. */
const MAX_RATIO = 9
/** Other processes and garbage collection make work slower, never faster. */
const ATTEMPTS = 5

type TextOf = (length: number) => string

const many =
  (piece: string, before = '', after = ''): TextOf =>
  (length) =>
    before + piece.repeat(Math.ceil(length / piece.length)) + after
/** Different pieces. */
const numbered =
  (piece: (index: number) => string, before = '', after = ''): TextOf =>
  (length) => {
    const count = Math.ceil(length / piece(1000).length)
    return before + Array.from({ length: count }, (_, index) => piece(index)).join('') + after
  }

const readMarkup = (source: string) => {
  const markup = parseMarkup(source)
  createMarkupReport(markup)
  collectNeeds([compileMarkup(markup).program])
  rewriteReferences(source, new Map([['a', 'longer']]))
}
const readIfMatch = (value: string) =>
  preconditionOf({ method: 'PUT', get: () => value } as unknown as Request)
const quietly = (work: (text: string) => unknown) => (text: string) => {
  try {
    work(text)
  } catch {}
}

const CASES: Readonly<Record<string, readonly [(text: string) => unknown, TextOf]>> = {
  'markup of comments that never end': [readMarkup, many('<!--')],
  'markup of inserts that never end': [readMarkup, many('<!-- svc/frame {"name":"a"')],
  'markup of different frames': [
    readMarkup,
    numbered((index) => `<!-- svc/frame {"name":"a${index}","id":"b"} /-->`),
  ],
  'an insert of many keys': [
    readMarkup,
    numbered((index) => `"k${index}":1,`, '<!-- svc/frame {', '"name":"a"} /-->'),
  ],
  'repeats that never end': [readMarkup, many('<!-- svc/repeat {"source":"pages"} -->')],
  'elements in one another': [readMarkup, many('<b data-op-bind="site.title">')],
  'pictures that are left': [readMarkup, many('<svg><g><g><p>')],
  'lists that are mixed': [readMarkup, many('<ul><li><dd><option>')],
  'many attributes': [readMarkup, numbered((index) => ` a${index}`, '<b data-op-bind="x"')],
  'scripts in comments in scripts': [readMarkup, many('<!--<script>', '<script>')],
  'separators of binds': [(text) => parseBinds(text, 'b', true), many(';')],
  'a value of an attribute': [(text) => isAllowedInAttribute('content', text), many(' ', '1', 'x')],
  'keys of a PHP array': [decodeDataset, many('s:1:"a";', 'a:9:{')],
  'arrays of PHP in one another': [decodeDataset, many('a:1:{i:0;')],
  'block comments': [withoutBlockComments, many('<!-- wp:x ')],
  'tags in a title': [(text) => menuItemTitle(text, { unfilteredHtml: false }), many('<b ')],
  'a title of escapes': [(text) => sanitizeTitle(text, 'de_DE'), many('%%0da')],
  'an address of a link': [(text) => sanitizeUrl(text), many('%%0da', 'http://x')],
  'an address of a page': [parsePageUrl, many('/', 'http://x.test')],
  'a path in the log': [redactTokens, many('%6f%70%5f')],
  'If-Match': [quietly(readIfMatch), many('","')],
  'markup before a cursor': [contextAt, many('{"a":"', '<!-- svc/a {')],
}

it.each(Object.entries(CASES))(
  'takes time in proportion to its length: %s',
  (_, [work, textOf]) => {
    let length = 2 ** 14
    while (length < MAX_LENGTH && msOf(() => work(textOf(length))) < LEAST_MS) length *= 2
    const [short, long] = [textOf(length), textOf(FACTOR * length)]
    const ratios = Array.from({ length: ATTEMPTS }, () => {
      const least = Math.max(
        LEAST_MS / FACTOR,
        msOf(() => work(short)),
      )
      return msOf(() => work(long)) / least
    })
    expect(Math.min(...ratios)).toBeLessThan(MAX_RATIO)
  },
)

function msOf(work: () => unknown): number {
  const start = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}
