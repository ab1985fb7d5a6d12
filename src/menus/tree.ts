import type { PageRef } from '../wordpress/pages/find-pages.ts'

/** Items of one menu, and levels from the top to the last (decisions, section 9). */
export const MAX_ITEMS = 10_000
export const MAX_LEVELS = 100

/** What the column `post_title` holds, in bytes; the other texts have no reason to be longer. */
export const MAX_TEXT_BYTES = 65_535

/** An item as it was sent, its texts as they were. */
export type ItemInput = {
  /** Where it stands in what was sent: `1.0` is the first child of the second item. */
  readonly at: string
  /** Index of its parent in the list; -1 at the top. */
  readonly parent: number
  /** What it links; an item has one of both, or neither where a problem says so. */
  readonly page?: PageRef
  readonly url?: string
  readonly title?: string
  readonly target?: string
  readonly classes?: string
}

/** Something wrong with an item that was sent. */
export type ItemProblem = {
  readonly at: string
  readonly reason: string
  readonly message: string
}

/** A tree that was sent, parents before their children, and all that is wrong with its form. */
export type ItemTree = {
  readonly items: readonly ItemInput[]
  readonly problems: readonly ItemProblem[]
}

type Open = {
  readonly value: unknown
  readonly at: string
  readonly parent: number
  readonly level: number
}

/**
 * Reads a tree of items (contract, section 2.6). Nothing in it is trusted: it may be deeper than any stack, so it is walked without
 * recursion, and no further than a menu may go.
 */
export function readTree(items: readonly unknown[]): ItemTree {
  const found: ItemInput[] = []
  const problems: ItemProblem[] = []
  const open: Open[] = []
  const push = (values: readonly unknown[], above: Omit<Open, 'value'>): void => {
    for (let index = values.length - 1; index >= 0; index -= 1) {
      const at = above.at === '' ? String(index) : `${above.at}.${index}`
      open.push({ ...above, value: values[index], at })
    }
  }
  const tooMany = (at: string): ItemTree => ({
    items: [],
    problems: [{ at, reason: 'too_many_items', message: `A menu has at most ${MAX_ITEMS} items.` }],
  })
  if (items.length > MAX_ITEMS) return tooMany(String(MAX_ITEMS))
  push(items, { at: '', parent: -1, level: 1 })
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, at, parent, level } = next
    if (level > MAX_LEVELS) {
      problems.push({ at, reason: 'too_deep', message: `A menu has at most ${MAX_LEVELS} levels.` })
      continue
    }
    const report = (reason: string, message: string): void =>
      void problems.push({ at, reason, message })
    const { children, ...item } = readItem(value, report)
    found.push({ at, parent, ...item })
    if (found.length + open.length + children.length > MAX_ITEMS) return tooMany(at)
    push(children, { at, parent: found.length - 1, level: level + 1 })
  }
  return { items: found, problems }
}

type Report = (reason: string, message: string) => void

/** One item without its place; a bare value is a link to a page. */
function readItem(
  value: unknown,
  report: Report,
): Omit<ItemInput, 'at' | 'parent'> & { children: readonly unknown[] } {
  if (isPageRef(value)) return { page: value, children: [] }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    report('not_an_item', 'An item is an object, or the id, slug or path of a page.')
    return { children: [] }
  }
  const field = (name: string): unknown =>
    Object.hasOwn(value, name) ? (Reflect.get(value, name) ?? undefined) : undefined
  return {
    ...readLink(field('page'), field('url'), report),
    ...readText('title', field('title'), report),
    ...readText('target', field('target'), report),
    ...readText('classes', field('classes'), report),
    children: readChildren(field('children'), report),
  }
}

/** A page wins over an address: items that were read have both. */
export function readLink(
  page: unknown,
  url: unknown,
  report: Report,
): Pick<ItemInput, 'page' | 'url'> {
  if (page !== undefined && page !== '') {
    if (isPageRef(page)) return { page }
    report('bad_page', '"page" is the id, the slug or the path of a page.')
    return {}
  }
  if (url === undefined || url === '') {
    report('target_required', 'An item links a page ("page") or an address ("url").')
    return {}
  }
  return readText('url', url, report)
}

/** A text field as an object of its own, empty where the field is missing; numbers are texts, as PHP takes them. */
export function readText<Name extends string>(
  name: Name,
  value: unknown,
  report: Report,
): { readonly [Field in Name]?: string } {
  if (value === undefined) return {}
  const text = typeof value === 'number' ? String(value) : value
  const none: { readonly [Field in Name]?: string } = {}
  if (typeof text !== 'string' || !text.isWellFormed())
    report(`bad_${name}`, `"${name}" is a text of whole characters.`)
  else if (Buffer.byteLength(text) > MAX_TEXT_BYTES)
    report(`bad_${name}`, `"${name}" has at most ${MAX_TEXT_BYTES} bytes.`)
  else return { ...none, [name]: text }
  return none
}

function readChildren(value: unknown, report: Report): readonly unknown[] {
  if (value === undefined) return []
  if (Array.isArray(value)) return value
  report('bad_children', '"children" is a list of items.')
  return []
}

function isPageRef(value: unknown): value is PageRef {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value > 0
  return typeof value === 'string' && value.trim() !== ''
}
