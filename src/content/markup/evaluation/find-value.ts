import { countEntries, textLength } from '../menus/menu-entries.ts'
import { menuRows } from '../menus/menu-tree.ts'
import { isPageField, type Path } from '../value-path.ts'
import type { Evaluation } from './evaluation.ts'
import type { Scope } from './pieces.ts'
import type { Value } from './program.ts'
import { type MenuValue, menuKey } from './values.ts'

/** The result of resolving a path: a value (possibly empty), an unknown name, or a value that depends on the page. */
export type Found =
  | { readonly state: 'known'; readonly value: Value | readonly Value[] }
  | { readonly state: 'unknown' }
  | { readonly state: 'deferred' }

const UNKNOWN: Found = { state: 'unknown' }
const DEFERRED: Found = { state: 'deferred' }

/** Resolves a path in a scope. */
export function resolvePath(path: Path, { props, item }: Scope, evaluation: Evaluation): Found {
  const { values } = evaluation
  const { keys } = path
  const [first = ''] = keys
  switch (path.root) {
    case 'page':
      if (!isPageField(first)) return UNKNOWN
      return evaluation.page ? followKeys(evaluation.page[first], keys, 1) : DEFERRED
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
      return !evaluation.page && menu.hasSwitcher
        ? DEFERRED
        : {
            state: 'known',
            value: evaluation.memoize('rows', menu, () => rowsOf(menu, evaluation)),
          }
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

function rowsOf(menu: MenuValue, { budget, page }: Evaluation): readonly Value[] {
  const mayPrint =
    budget.takeStep(countEntries(menu, page)) && budget.mayPrint({ length: textLength(menu) })
  return mayPrint ? menuRows(menu, page) : []
}

function followKeys(from: Value, keys: readonly string[], first: number): Found {
  return { state: 'known', value: valueAt(from, keys, first) as Value }
}

/** The value at `keys`, from the key with index `first` on; own properties only. */
export function valueAt(from: unknown, keys: readonly string[], first = 0): unknown {
  let value = from
  for (let index = first; index < keys.length; index += 1) {
    const key = keys[index] ?? ''
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return value
}

/** A scalar as text; undefined for '', null, lists and objects, which print nothing. */
export function textOf(value: Value | readonly Value[]): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return undefined
}

/** Whether `if:` drops the element for this value: what PHP calls empty, and a list without entries. */
export function isEmpty(value: Value | readonly Value[], evaluation: Evaluation): boolean {
  if (!value || value === '0') return true
  return typeof value === 'object' && entriesOf(value, evaluation).length === 0
}

/** The entries of a list, or the values of an object: PHP arrays with string keys are decoded to objects. */
export function entriesOf(value: object, evaluation: Evaluation): readonly Value[] {
  return Array.isArray(value)
    ? value
    : evaluation.memoize('entries', value, () => Object.values(value))
}
