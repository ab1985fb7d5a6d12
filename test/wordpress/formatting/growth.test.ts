import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { decodeDataset } from '../../../src/baking/sources/dataset-source.ts'
import { withoutBlockComments } from '../../../src/baking/sources/page-source.ts'
import { currentMarks } from '../../../src/markup/menus/current-classes.ts'
import { storedMenuRows } from '../../../src/markup/menus/menu-tree.ts'
import { linkUrl } from '../../../src/menus/item-links.ts'
import { portableUrl } from '../../../src/menus/portable-items.ts'
import { itemClasses } from '../../../src/wordpress/nav-menus/menu-item.ts'
import { setUpItem } from '../../../src/wordpress/nav-menus/set-up-item.ts'
import { endAddress, permalinkStructure } from '../../../src/wordpress/permalinks/link-settings.ts'
import { maybeUnserialize, storedArray } from '../../../src/wordpress/serialized/stored-value.ts'
import { item, menu } from '../../markup/evaluation/print.ts'

type TextFunction = (text: string) => unknown

const FORMATTING = resolve(import.meta.dirname, '../../../src/wordpress/formatting')

/** The arguments of the folder's functions after the text. */
const MORE: Record<string, readonly unknown[]> = {
  displayIfReversible: [decodeURIComponent, String],
  menuItemTitle: [{ unfilteredHtml: false }],
  numberedSlug: [2],
  removeAccents: ['de_DE'],
  removeOctets: [/%0[da]/i],
  sanitizeTitle: ['de_DE'],
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
const exported = modules
  .flatMap((module) => Object.entries(module))
  .filter((entry): entry is [string, (...values: unknown[]) => unknown] => {
    return typeof entry[1] === 'function'
  })
const formatting = exported.map(([name, run]): [string, TextFunction] => [
  name,
  (text) => run(text, ...(MORE[name] ?? [])),
])

const SHORT = 512
const MEDIUM = 4096
const LONG = 65_536
/** Quadratic work on so many characters, or even on every eighth, takes longer. In milliseconds. */
const MEDIUM_MS = 0.075
const LONG_MS = 6
const CANDIDATES = 80
const SUSPECTS = 10
/** Other work on the machine makes single measurements slower; one that is fast enough decides. */
const ATTEMPTS = 20

const PIECES = [
  '<',
  '>',
  '<!',
  '<!--',
  '<!--x>',
  '<!-- wp:',
  '-->',
  '</',
  '</1>',
  '<script>',
  '<script',
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
  '\u0301\u0316',
  '\u00a0',
  '😀',
  'i:0;',
  's:0:"";',
  'i:0;a:1:{',
  '{"a":',
  '_',
  '#',
  '?',
  '@',
]
const STARTS = ['', '<', 'http://x', 'd:']
const ENDS = ['', 'a', '\n']

/** Texts that repeat one piece, by their length in characters. */
const HOSTILE = PIECES.flatMap((piece) =>
  STARTS.flatMap((start) =>
    ENDS.map((end) => {
      const textOf = (length: number) => `${start}${piece.repeat(length / piece.length)}${end}`
      const name = JSON.stringify([start, piece, end])
      return { name, textOf, short: textOf(SHORT), medium: textOf(MEDIUM) }
    }),
  ),
)
type Hostile = (typeof HOSTILE)[number]

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

const fastest = (times: number, run: TextFunction, text: string): number =>
  Math.min(...Array.from({ length: times }, () => msOf(run, text)))

/** The texts whose time grows most. One measurement of each is enough to leave out most; the others are measured again. */
function suspectsOf(run: TextFunction): Hostile[] {
  return HOSTILE.flatMap((hostile) => {
    const ms = msOf(run, hostile.medium)
    return ms < MEDIUM_MS ? [] : [{ hostile, ms, growth: ms / fastest(2, run, hostile.short) }]
  })
    .sort((a, b) => b.growth - a.growth)
    .slice(0, CANDIDATES)
    .flatMap(({ hostile, ms: first }) => {
      const ms = Math.min(first, fastest(2, run, hostile.medium))
      return ms < MEDIUM_MS ? [] : [{ hostile, growth: ms / fastest(3, run, hostile.short) }]
    })
    .sort((a, b) => b.growth - a.growth)
    .slice(0, SUSPECTS)
    .map(({ hostile }) => hostile)
}

/**
 * Whether 16 times the text takes clearly less than 256 times the time, in one of several attempts; or twice the long text less than four times the
 * time, because some work has a fixed cost from a length on, such as the stack of JSON.parse.
 */
function isLinear(run: TextFunction, { medium, textOf }: Hostile): boolean {
  const long = textOf(LONG)
  const twice = textOf(2 * LONG)
  for (let attempts = 0; attempts < ATTEMPTS; attempts += 1) {
    const longMs = msOf(run, long)
    if (longMs < LONG_MS || longMs < (fastest(4, run, medium) * (LONG / MEDIUM) ** 2) / 3)
      return true
    if (fastest(2, run, twice) < 3 * fastest(2, run, long)) return true
  }
  return false
}

describe('the processing time grows linearly with the text', () => {
  it.each([...formatting, ...Object.entries(OTHERS)])('%s', (_, run) => {
    const growing = suspectsOf(run).find((hostile) => !isLinear(run, hostile))
    expect(growing?.name).toBeUndefined()
  })
})

describe('the arguments', () => {
  it('are those of exported functions', () => {
    expect(Object.keys(MORE).filter((key) => !exported.some(([name]) => name === key))).toEqual([])
  })

  it.each(exported)('are complete: %s', (name, run) => {
    expect(run).toHaveLength(1 + (MORE[name]?.length ?? 0))
  })
})
