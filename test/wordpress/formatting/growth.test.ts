import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { currentMarks } from '../../../src/baking/menus/current-classes.ts'
import { storedMenuRows } from '../../../src/baking/menus/menu-tree.ts'
import { decodeDataset } from '../../../src/baking/sources/dataset-source.ts'
import { withoutBlockComments } from '../../../src/baking/sources/page-source.ts'
import { linkUrl } from '../../../src/menus/item-links.ts'
import { portableUrl } from '../../../src/menus/portable-items.ts'
import { itemClasses } from '../../../src/wordpress/nav-menus/menu-item.ts'
import { setUpItem } from '../../../src/wordpress/nav-menus/set-up-item.ts'
import { endAddress, permalinkStructure } from '../../../src/wordpress/permalinks/link-settings.ts'
import { maybeUnserialize, storedArray } from '../../../src/wordpress/serialized/stored-value.ts'
import { item, menu } from '../../baking/print.ts'

type TextFunction = (text: string) => unknown

const FORMATTING = resolve(import.meta.dirname, '../../../src/wordpress/formatting')

/** The arguments of the folder's functions after the text. */
const MORE: Record<string, readonly unknown[]> = {
  menuItemTitle: [{ unfilteredHtml: false }],
  numberedSlug: [2],
  readable: [decodeURIComponent, String],
  removeAccents: ['de_DE'],
  removeOctets: [/%0[da]/i],
  sanitizeTitle: ['de_DE'],
  sanitizeTitleWithDashes: ['save'],
  specialChars: ['encode'],
  trimEnd: ['/\\'],
}

const home = 'http://net.test/shop'
const entry = (url: string) => ({ ...item({ id: 1 }), key: '1', object: 'custom', url })
const links = { home } as Parameters<typeof setUpItem>[2]['links']
const objects = {
  links,
  posts: new Map(),
  terms: new Map(),
  viewer: { readsPrivate: false, lang: null },
}
const row = { ID: 1, menu_order: 1, post_status: 'publish', post_title: '', post_excerpt: '' }

const OTHERS: Record<string, TextFunction> = {
  linkUrl: (text) => linkUrl(home, text),
  portableUrl: (text) => portableUrl({ home, others: ['/shop/fr/'] }, text),
  'the address of an item': (url) => currentMarks([entry(url)], { url: `${home}/` }, home),
  'the address of a page': (url) => currentMarks([entry(home)], { url }, url),
  'the rows of a menu': (text) => storedMenuRows(menu([item({ id: 1, title: text, url: text })])),
  withoutBlockComments,
  decodeDataset,
  storedArray,
  maybeUnserialize: (text) => attempt(() => maybeUnserialize(text)),
  itemClasses: (text) => itemClasses(new Map([['_menu_item_classes', text]])),
  setUpItem: (text) =>
    setUpItem({ row: { ...row, post_content: text }, meta: new Map() }, 1, objects),
  endAddress: (text) => endAddress(permalinkStructure('/%postname%/'), text),
  permalinkStructure,
}

const modules = await Promise.all(
  readdirSync(FORMATTING).map((file): Promise<object> => import(join(FORMATTING, file))),
)
const formatting = modules
  .flatMap((module) => Object.entries(module))
  .map(([name, run]): [string, TextFunction] => [
    name,
    (text) => attempt(() => Reflect.apply(run, undefined, [text, ...(MORE[name] ?? [])])),
  ])

const PIECES = [
  ...['<', '>', '<!', '<!--', '<!--x>', '<!-- wp:', '-->', '</', '</1>', '<script>', '<script'],
  ...[
    '</script>',
    '<style>',
    '<b ',
    '<a href=',
    '<b>',
    '< ',
    '<?',
    '&',
    '&#',
    '&#0',
    '&#x',
    '&lt;',
  ],
  ...[
    '&amp;',
    '&colon',
    '/',
    '\\',
    '/\\',
    '\\0',
    '\\"',
    ' ',
    '\t\n',
    '\n',
    '\0',
    '%',
    '%0',
    '%%0da',
  ],
  ...[
    '-',
    '-1',
    '.',
    'a',
    '0',
    '"',
    "'",
    '[',
    ']',
    '//',
    '//a',
    ':',
    ';//',
    'feed:',
    'é',
    '\u0301',
  ],
  ...['\u0301\u0316', '\u00a0', '😀', 'i:0;', 's:0:"";', 'i:0;a:1:{', '{"a":', '_', '#', '?', '@'],
]
const STARTS = ['', '<', 'http://x', 'd:']
const ENDS = ['', 'a', '\n']

/** Texts that repeat one piece, by their length in characters. */
const HOSTILE = PIECES.flatMap((piece) =>
  STARTS.flatMap((start) =>
    ENDS.map((end) => ({
      name: JSON.stringify([start, piece, end]),
      text: (length: number) => `${start}${piece.repeat(length / piece.length)}${end}`,
    })),
  ),
)

function attempt(run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    return error
  }
}

/** CPU time in milliseconds, which does not depend on other processes. */
const msOf = (run: TextFunction, text: string): number => {
  const start = process.cpuUsage()
  run(text)
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

const SHORT = 1024
const MEDIUM = 8192
const LONG = 262_144
/** Quadratic work on so many characters, or even on every eighth, takes longer. In milliseconds. */
const MEDIUM_MS = 0.3
const LONG_MS = 100
const SUSPECTS = 10
const ATTEMPTS = 5

const fastest = (times: number, run: TextFunction, text: string): number =>
  Math.min(...Array.from({ length: times }, () => msOf(run, text)))

/** The texts whose time grows most. */
function suspectsOf(run: TextFunction): typeof HOSTILE {
  return HOSTILE.flatMap((hostile) => {
    const ms = fastest(2, run, hostile.text(MEDIUM))
    return ms < MEDIUM_MS ? [] : [{ hostile, growth: ms / fastest(3, run, hostile.text(SHORT)) }]
  })
    .sort((a, b) => b.growth - a.growth)
    .slice(0, SUSPECTS)
    .map(({ hostile }) => hostile)
}

/** Whether 32 times the text takes clearly less than 1,024 times the time, in one of several attempts. */
function isLinear(run: TextFunction, text: (length: number) => string): boolean {
  const [medium, long] = [text(MEDIUM), text(LONG)]
  for (let attempts = 0; attempts < ATTEMPTS; attempts += 1) {
    const longMs = msOf(run, long)
    if (longMs < LONG_MS || longMs < (fastest(4, run, medium) * (LONG / MEDIUM) ** 2) / 3)
      return true
  }
  return false
}

describe('the processing time grows linearly with the text', () => {
  it.each([...formatting, ...Object.entries(OTHERS)])('%s', (_, run) => {
    const growing = suspectsOf(run).find(({ text }) => !isLinear(run, text))
    expect(growing?.name).toBeUndefined()
  })
})
