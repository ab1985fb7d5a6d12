import { gzipSync } from 'node:zlib'
import type { Sent } from './exchange.ts'

/** A request that is small, or as large as allowed, and causes a lot of work. */
export type Bomb = {
  readonly name: string
  readonly sent: Omit<Sent, 'headers'>
  readonly coding?: string
}

const LEVELS = 100_000
const MARKUP_BYTES = 2_000_000
const BODY_BYTES = 16_000_000

const nested = (open: string, inner: string, close: string, levels: number): string =>
  open.repeat(levels) + inner + close.repeat(levels)

const filled = (piece: string, bytes: number): string =>
  piece.repeat(Math.floor(bytes / Buffer.byteLength(piece)))

/** Numbered pieces that fill about four tenths of the bytes. */
const numbered = (bytes: number, piece: (at: number) => string): string =>
  Array.from({ length: Math.floor(bytes / 40) }, (_, at) => piece(at)).join('')

const framed = (name: string, html: string): Bomb => ({
  name: `markup: ${name}`,
  sent: { method: 'PUT', path: '/site/2/frames/fuzz-bomb', body: JSON.stringify({ html }) },
})

/** Markup that a careless parser scans repeatedly, by its content. */
const markups = (bytes: number): Readonly<Record<string, string>> => ({
  'elements in one another': nested('<b>', '', '</b>', bytes / 20),
  'elements that are never closed': filled('<p><div>', bytes),
  'angle brackets': filled('<', bytes),
  'comments that are never closed': filled('<!-- ', bytes),
  'inserts that are never closed': filled('<!-- svc/frame {"name":"x"} ', bytes),
  'inserts without a kind': filled('<!-- svc/x /-->', bytes),
  'inserts of themselves': filled('<!-- svc/frame {"name":"fuzz-bomb"} /-->', bytes),
  'repeats in one another': nested(
    '<!-- svc/repeat {"source":"pages"} -->',
    'x',
    '<!-- /svc/repeat -->',
    bytes / 70,
  ),
  'repeats that are never closed': filled('<!-- svc/repeat {"source":"pages"} -->', bytes),
  'closing marks': filled('<!-- /svc/repeat -->', bytes),
  'JSON of many levels': `<!-- svc/data {"source":${nested('[', '', ']', LEVELS)}} /-->`,
  'JSON that does not end': `<!-- svc/data {"source":"${'\\'.repeat(bytes / 2)} /-->`,
  attributes: `<p ${filled('a=b ', bytes)}>`,
  quotes: `<p a=${filled('"\'', bytes)}`,
  binds: filled('<p data-op-bind="if:site.title"></p>', bytes),
  'a bind of many': `<p data-op-bind="${filled('title:site.title;', bytes)}">`,
  'a bind of many conditions': `<p data-op-bind="${filled('if:site.title;', bytes)}">x</p>`,
  'conditions in a repeat': `<!-- svc/repeat {"source":"pages"} --><b data-op-bind="${filled('if:site.title;', bytes / 30)}">x</b><!-- /svc/repeat -->`,
  'attributes and binds of each': `<p ${numbered(bytes, (at) => `a${at}=1 `)} data-op-bind="${numbered(bytes, (at) => `b${at}:site.url;`)}">x</p>`,
  entities: `<p data-op-bind="${filled('&amp;', bytes)}">`,
  scripts: filled('<script></scrip', bytes),
  NULs: filled('\0', bytes),
  spaces: `<!-- svc/data ${filled(' ', bytes)}`,
  menus: filled('<!-- svc/menu {"location":"header"} /-->', bytes),
  pages: filled(
    '<!-- svc/repeat {"source":"pages"} --><!-- svc/data {"source":"item.title"} /--><!-- /svc/repeat -->',
    bytes,
  ),
})

const TREE = 'PUT /menus/fuzz-menu/items'

function json(name: string, body: string, route = TREE): Bomb {
  const [method = '', path = ''] = route.split(' ')
  return { name: `JSON: ${name}`, sent: { method, path: `/site/2${path}`, body } }
}

const zipped = (name: string, body: string): Bomb => ({
  name: `gzip: ${name}`,
  coding: 'gzip',
  sent: { method: 'PUT', path: '/site/2/menus/fuzz-menu/items', body: gzipSync(body) },
})

/**
 * All bombs, one request each. Each replaces what the previous one has written.
 * @param scale size relative to the limits of a body and a frame
 */
export function bombs(scale: number): Bomb[] {
  const bytes = BODY_BYTES * scale
  const levels = LEVELS * scale
  const items = (value: unknown): string => JSON.stringify({ items: [value] })
  const spaces = ' '.repeat(65_535)
  const ten = Array.from({ length: 10_000 * scale }, (_, at) => ({
    url: `/${at}/`,
    title: 'x'.repeat(500),
  }))
  return [
    ...Object.entries(markups(MARKUP_BYTES * scale)).map(([name, html]) => framed(name, html)),
    json('levels of lists', nested('[', '', ']', LEVELS)),
    json('levels of objects', nested('{"a":', '1', '}', LEVELS)),
    json('levels of a tree', `{"items":${nested('[{"url":"/","children":', '[]', '}]', levels)}}`),
    json(
      'levels as a page',
      `{"page":${nested('[', '', ']', LEVELS)}}`,
      'POST /frames/fuzz-a/assign',
    ),
    json('levels as a slug', `{"html":"x","slug":${nested('[', '', ']', LEVELS)}}`, 'POST /frames'),
    json('brackets', nested('[', '', ']', bytes / 2)),
    json('empty lists', `{"items":[${filled('[],', bytes)}[]]}`),
    json('items', `{"items":[${filled('7,', bytes)}7]}`),
    json('keys', `{${Array.from({ length: bytes / 16 }, (_, key) => `"k${key}":1`)}}`),
    json('one text', items({ url: '/', title: 'x'.repeat(bytes - 100) })),
    json('10,000 items', JSON.stringify({ items: ten })),
    json('an address', items({ url: `http://x/${'%'.repeat(bytes / 2)}` })),
    json('slashes', items({ url: `http://x${'/'.repeat(bytes / 2)}a` })),
    json('backslashes', items({ url: `http://x${'\\\\'.repeat(bytes / 4)}a` })),
    zipped(
      'spaces as classes',
      JSON.stringify({ items: Array.from({ length: 20 }, () => ({ url: '/', classes: spaces })) }),
    ),
    json('scripts as a name', JSON.stringify({ name: filled('<script>', 65_528) }), 'POST /menus'),
    json('classes', items({ url: '/', classes: 'a '.repeat(bytes / 3) })),
    json('a name', JSON.stringify({ name: '\u00e9<'.repeat(bytes / 4) }), 'POST /menus'),
    json('a slug', JSON.stringify({ html: 'x', slug: 'a-'.repeat(bytes / 3) }), 'POST /frames'),
    json('a page', JSON.stringify({ page: 'a/'.repeat(bytes / 3) }), 'POST /frames/fuzz-a/assign'),
    json('a language', JSON.stringify({ items: [], lang: 'a'.repeat(bytes / 2) })),
    json(
      'frames to rebake',
      JSON.stringify({ frames: Array.from({ length: 1000 }, () => 'x'.repeat(bytes / 2000)) }),
      'POST /frames/rebake',
    ),
    zipped('what is zipped twice', gzipSync('\0'.repeat(bytes * 4)).toString('latin1')),
    zipped('spaces', ' '.repeat(bytes * 4)),
  ]
}

/** Frames of which each embeds the next one ten times: a billion pieces. */
export const billion = (): Omit<Sent, 'headers'>[] =>
  Array.from({ length: 10 }, (_, at) => ({
    method: 'POST',
    path: '/site/2/frames',
    body: JSON.stringify({
      slug: `fuzz-laugh-${9 - at}`,
      html: at === 0 ? 'ha' : `<!-- svc/frame {"name":"fuzz-laugh-${10 - at}"} /-->`.repeat(10),
    }),
  }))
