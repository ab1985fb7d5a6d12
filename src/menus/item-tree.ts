import type { PageRef } from '../wordpress/pages/pages.ts'
import type { ObjectRef } from './object-refs.ts'

/** Items of one menu, and levels from the top to the last (decisions, section 9). */
export const MAX_ITEMS = 10_000
export const MAX_LEVELS = 100

/** What the column `post_title` holds, in bytes; the other texts have no reason to be longer. */
export const MAX_TEXT_BYTES = 65_535

/** Characters of an address, as most browsers and servers take them. Longer ones that WordPress stored are read. */
export const MAX_URL_LENGTH = 2048

/** Classes of an item, and characters of them all: each space makes an entry of a stored list. */
export const MAX_CLASSES = 100
export const MAX_CLASSES_LENGTH = 2000

/** What is said of an item, its texts as they were sent. */
export type ItemFields = {
  /** What it links; an item has one of the three, or none where a problem says so. */
  readonly page?: PageRef
  readonly url?: string
  /** Only files of menus name these; callers of the API do not. */
  readonly object?: ObjectRef
  readonly title?: string
  readonly target?: string
  readonly classes?: string
  /** Link relations, separated by spaces. */
  readonly xfn?: string
  readonly attrTitle?: string
  /** HTML, where the one who sends it may send some. */
  readonly description?: string
}

/** An item as it was sent. */
export type ItemInput = ItemFields & {
  /** Where it stands in what was sent: `1.0` is the first child of the second item. */
  readonly at: string
  /** Index of its parent in the list; -1 at the top. */
  readonly parent: number
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
  /** Code of a language: what `object` names is replaced by its translation. */
  readonly targetLang?: string
}

/** Tells what is wrong with an item. */
export type ReportProblem = (reason: string, message: string) => void

/**
 * Reads one item without its place.
 * @param at where it stands
 */
export type ItemParser<Value> = (
  value: Value,
  report: ReportProblem,
  at: string,
) => ParsedItem<Value>

/** What is said of an item, and what stands below it. */
export type ParsedItem<Value> = { readonly fields: ItemFields; readonly children: readonly Value[] }

type PendingItem<Value> = {
  readonly value: Value
  readonly at: string
  readonly parent: number
  readonly level: number
}

/** Reads a tree of items as callers send it (contract, section 2.6). */
export function readTree(items: readonly unknown[]): ItemTree {
  return walkTree(items, parseItem)
}

/**
 * Reads a tree of items in whatever form. Nothing in it is trusted: it may be deeper than any stack, so it is walked without recursion,
 * and no further than a menu may go.
 */
export function walkTree<Value>(items: readonly Value[], read: ItemParser<Value>): ItemTree {
  const found: ItemInput[] = []
  const problems: ItemProblem[] = []
  const open: PendingItem<Value>[] = []
  const push = (values: readonly Value[], prefix: string, parent: number, level: number): void => {
    for (let index = values.length - 1; index >= 0; index -= 1)
      open.push({ value: values[index] as Value, at: `${prefix}${index}`, parent, level })
  }
  const tooMany = (at: string): ItemTree => ({
    items: [],
    problems: [{ at, reason: 'too_many_items', message: `A menu has at most ${MAX_ITEMS} items.` }],
  })
  if (items.length > MAX_ITEMS) return tooMany(String(MAX_ITEMS))
  push(items, '', -1, 1)
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, at, parent, level } = next
    if (level > MAX_LEVELS) {
      problems.push({ at, reason: 'too_deep', message: `A menu has at most ${MAX_LEVELS} levels.` })
      continue
    }
    const report = (reason: string, message: string): void =>
      void problems.push({ at, reason, message })
    const { fields, children } = read(value, report, at)
    found.push(Object.assign(fields, { at, parent }))
    if (found.length + open.length + children.length > MAX_ITEMS) return tooMany(at)
    push(children, `${at}.`, found.length - 1, level + 1)
  }
  return { items: found, problems }
}

/** One item without its place; a bare value is a link to a page. */
function parseItem(value: unknown, report: ReportProblem): ParsedItem<unknown> {
  if (isPageRef(value)) return { fields: { page: value }, children: [] }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    report('not_an_item', 'An item is an object, or the id, slug or path of a page.')
    return { fields: {}, children: [] }
  }
  const field = (name: string): unknown =>
    Object.hasOwn(value, name) ? (Reflect.get(value, name) ?? undefined) : undefined
  // Field by field: to spread one object for each into another takes longer than to read the JSON.
  const fields: { -readonly [Field in keyof ItemFields]: ItemFields[Field] } = readLink(
    field('page'),
    field('url'),
    report,
  )
  for (const name of ['title', 'target', 'classes'] as const) {
    const text = readText(name, field(name), report)
    if (text === undefined) continue
    if (name === 'classes' && !isShortEnough(text)) report('bad_classes', TOO_MANY_CLASSES)
    else fields[name] = text
  }
  return { fields, children: readChildren(field('children'), report) }
}

/** A page wins over an address: items that were read have both. */
export function readLink(
  page: unknown,
  url: unknown,
  report: ReportProblem,
): Pick<ItemFields, 'page' | 'url'> {
  if (page !== undefined && page !== '') {
    if (isPageRef(page)) return { page }
    report('bad_page', '"page" is the id, the slug or the path of a page.')
    return {}
  }
  if (url === undefined || url === '') {
    report('target_required', 'An item links a page ("page") or an address ("url").')
    return {}
  }
  const text = readText('url', url, report)
  if (text === undefined) return {}
  if (text.length <= MAX_URL_LENGTH) return { url: text }
  report('url_too_long', `"url" has at most ${MAX_URL_LENGTH} characters.`)
  return {}
}

/** Whether these are no more classes than an item may be given. */
export function isShortEnough(classes: string): boolean {
  return classes.length <= MAX_CLASSES_LENGTH && classes.split(' ').length <= MAX_CLASSES
}

export const TOO_MANY_CLASSES = `"classes" has at most ${MAX_CLASSES} classes, each separated by one space, and ${MAX_CLASSES_LENGTH} characters.`

/** A text field; undefined where it is missing or wrong. Numbers are texts, as PHP takes them. */
export function readText(name: string, value: unknown, report: ReportProblem): string | undefined {
  if (value === undefined) return undefined
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string' || !text.isWellFormed())
    report(`bad_${name}`, `"${name}" is a text of whole characters.`)
  else if (Buffer.byteLength(text) > MAX_TEXT_BYTES)
    report(`bad_${name}`, `"${name}" has at most ${MAX_TEXT_BYTES} bytes.`)
  else return text
  return undefined
}

function readChildren(value: unknown, report: ReportProblem): readonly unknown[] {
  if (value === undefined) return []
  if (Array.isArray(value)) return value
  report('bad_children', '"children" is a list of items.')
  return []
}

function isPageRef(value: unknown): value is PageRef {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value > 0
  return typeof value === 'string' && value.trim() !== ''
}
