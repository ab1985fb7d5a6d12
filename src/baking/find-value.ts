import type { Path } from '../markup/value-path.ts'
import { countEntries } from './menus/menu-entries.ts'
import { menuRows } from './menus/menu-tree.ts'
import type { Scope } from './pieces.ts'
import type { Value } from './program.ts'
import type { Run } from './run.ts'
import { type MenuValue, menuKey } from './values.ts'

/** What a path leads to: a value, perhaps an empty one; nothing of that name; or something that only a page can tell. */
export type Found =
  | { readonly state: 'known'; readonly value: Value | readonly Value[] }
  | { readonly state: 'unknown' }
  | { readonly state: 'live' }

const UNKNOWN: Found = { state: 'unknown' }
const DEFERRED: Found = { state: 'live' }
const NOTHING: Found = { state: 'known', value: undefined }

/** Follows a path from where it stands. */
export function findValue(path: Path, { props, item }: Scope, run: Run): Found {
  const { values } = run
  const { keys } = path
  const [first = ''] = keys
  switch (path.root) {
    case 'page':
      if (!PAGE_FIELDS.has(first)) return UNKNOWN
      return run.page ? followKeys(run.page[first], keys, 1) : DEFERRED
    case 'site':
      return Object.hasOwn(values.site, first) ? followKeys(values.site[first], keys, 1) : UNKNOWN
    case 'settings':
      return Object.hasOwn(values.settings, first)
        ? followKeys(values.settings[first], keys, 1)
        : UNKNOWN
    case 'dataset':
      return Object.hasOwn(values.datasets, first)
        ? followKeys(values.datasets[first], keys, 1)
        : UNKNOWN
    case 'menu': {
      const menu = values.menus[menuKey({ location: first })]
      if (!menu) return { state: 'known', value: [] }
      return !run.page && menu.hasSwitcher
        ? DEFERRED
        : { state: 'known', value: run.memoize(menu, () => rowsOf(menu, run)) }
    }
    case 'pages':
      return { state: 'known', value: values.pages }
    case 'languages':
      return { state: 'known', value: values.languages }
    case 'props':
      return followKeys(Object.hasOwn(props, first) ? props[first] : undefined, keys, 1)
    case 'item':
      return item === undefined ? UNKNOWN : followKeys(item, keys, 0)
  }
}

function rowsOf(menu: MenuValue, run: Run): readonly Value[] {
  return run.budget.takeStep(countEntries(menu, run.page)) ? menuRows(menu, run.page) : []
}

/** Goes down the keys from one on; only what an object or a list holds itself is there. */
function followKeys(from: Value, keys: readonly string[], first: number): Found {
  let value = from
  for (let index = first; index < keys.length; index += 1) {
    const key = keys[index] ?? ''
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return NOTHING
    value = (value as Record<string, Value>)[key]
  }
  return { state: 'known', value }
}

/** A value as text; undefined for what prints nothing: nothing at all, and what is no single value. */
export function textOf(value: Value | readonly Value[]): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return undefined
}

/** Does `if:` drop the element for this value? */
export function isEmpty(value: Value | readonly Value[], run: Run): boolean {
  if (value === undefined || value === null || value === '' || value === false) return true
  return typeof value === 'object' && entriesOf(value, run).length === 0
}

/** A list's entries; an object's values, as PHP arrays with names come. */
export function entriesOf(value: object, run: Run): readonly Value[] {
  return Array.isArray(value) ? value : run.memoize(value, () => Object.values(value))
}

/** The names that `page.*` answers to. */
export const PAGE_FIELDS: ReadonlySet<string> = new Set([
  'id',
  'title',
  'url',
  'slug',
  'path',
  'lang',
  'date',
  'modified',
  'parent',
  // Those below take a statement each.
  'content',
  'excerpt',
  'ancestors',
  'children',
  'translations',
])
