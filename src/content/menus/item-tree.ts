import { listOf } from '../../host/php-list.ts'
import { ITEM_TEXTS, type ItemTextName } from '../../wordpress/nav-menus/menu-item.ts'
import type { PageRef } from '../../wordpress/pages/pages.ts'
import type { ObjectRef } from './object-refs.ts'

/** Maximum number of items and of levels of a menu. */
export const MAX_ITEMS = 10_000
export const MAX_LEVELS = 100

/** Whether a tree is within the limits of a menu. */
export function isMenuSize(items: readonly Pick<ItemInput, 'at'>[]): boolean {
  return items.length <= MAX_ITEMS && items.every(({ at }) => at.split('.').length <= MAX_LEVELS)
}

/** Size of the column `post_title` in bytes, used as the limit of all texts. */
export const MAX_TEXT_BYTES = 65_535

/** Characters of all texts of a tree: 400 for each of 10,000 items. Filters take a second for so many of the worst ones. */
export const MAX_TREE_CHARACTERS = 4_000_000

/** Maximum length of a URL in characters; most browsers and servers accept as many. Longer stored URLs can be read. */
export const MAX_URL_LENGTH = 2048

/** Maximum number of classes of an item, and of characters of all classes. Each space adds an entry to the stored list. */
export const MAX_CLASSES = 100
export const MAX_CLASSES_LENGTH = 2000

/** The texts of an item as sent; they are filtered. */
export type SentTexts = { readonly [Name in 'title' | ItemTextName]?: string | undefined }

/** The fields of an item. */
export type ItemFields = {
  /** An item has exactly one of `page`, `url` and `object`, or none if a problem was reported. */
  readonly page?: PageRef
  readonly url?: string
  /** In a menu file a portable reference, in a request one by id. */
  readonly object?: ObjectRef
} & SentTexts

/** An item as sent, with its position. */
export type ItemInput = ItemFields & {
  /** Id of the item of the menu that this one is. Only in trees that keep items; such an item may have no link. */
  readonly id?: number
  /** Position in the sent tree: `1.0` is the first child of the second item. */
  readonly at: string
  /** Index of its parent in the list; -1 at the top. */
  readonly parent: number
}

/** A reason to reject an item. */
export type ItemProblem = {
  readonly at: string
  readonly reason: string
  readonly message: string
}

/** A sent tree, parents before their children, with all problems of its form. */
export type ItemTree = {
  readonly items: readonly ItemInput[]
  readonly problems: readonly ItemProblem[]
  /** Code of a language: objects that `object` names are replaced by their translations. */
  readonly targetLang?: string
}

/** Reports a problem of the item that is parsed. */
export type ReportProblem = (reason: string, message: string) => void

/** Parses one item without its children. */
type ItemParser = (value: unknown, report: ReportProblem) => ParsedItem

/** The fields of an item, and its unparsed children. */
export type ParsedItem = {
  readonly fields: ItemFields & Pick<ItemInput, 'id'>
  readonly children: readonly unknown[]
}

type PendingItem = {
  readonly value: unknown
  readonly at: string
  readonly parent: number
  readonly level: number
}

/**
 * Parses a tree of items in the format of the API.
 * @param keep reads `id` of items [ignored]
 */
export function readTree(items: readonly unknown[], { keep = false } = {}): ItemTree {
  return walkTree(items, (value, report) => parseItem(value, report, keep))
}

/**
 * Parses a tree of items with the given item parser. The input is untrusted: it may be nested deeper than the call stack allows, so it is
 * walked without recursion, and only up to the limits of a menu.
 */
export function walkTree(items: readonly unknown[], read: ItemParser): ItemTree {
  const found: ItemInput[] = []
  const problems: ItemProblem[] = []
  const open: PendingItem[] = []
  const push = (
    values: readonly unknown[],
    prefix: string,
    parent: number,
    level: number,
  ): void => {
    for (let index = values.length - 1; index >= 0; index -= 1)
      open.push({ value: values[index], at: `${prefix}${index}`, parent, level })
  }
  const refusal = (at: string, reason: string, message: string): ItemTree => ({
    items: [],
    problems: [{ at, reason, message }],
  })
  const tooMany = (at: string): ItemTree =>
    refusal(at, 'too_many_items', `A menu may have at most ${MAX_ITEMS} items.`)
  let characters = 0
  if (items.length > MAX_ITEMS) return tooMany(String(MAX_ITEMS))
  push(items, '', -1, 1)
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, at, parent, level } = next
    if (level > MAX_LEVELS) {
      problems.push({
        at,
        reason: 'too_deep',
        message: `A menu may have at most ${MAX_LEVELS} levels.`,
      })
      continue
    }
    const report = (reason: string, message: string): void =>
      void problems.push({ at, reason, message })
    const { fields, children } = read(value, report)
    characters += lengthOfTexts(fields)
    if (characters > MAX_TREE_CHARACTERS) return refusal(at, 'too_much_text', TOO_MUCH_TEXT)
    found.push(Object.assign(fields, { at, parent }))
    if (found.length + open.length + children.length > MAX_ITEMS) return tooMany(at)
    push(children, `${at}.`, found.length - 1, level + 1)
  }
  return { items: found, problems }
}

const TOO_MUCH_TEXT = `The texts of all items may have at most ${MAX_TREE_CHARACTERS} characters together.`

function lengthOfTexts(fields: ItemFields): number {
  let length = 0
  for (const value of Object.values(fields)) if (typeof value === 'string') length += value.length
  return length
}

export const TEXT_FIELDS = ['title', ...ITEM_TEXTS] as const

/** Parses one item of the API's format; a bare value is a link to a page. */
function parseItem(value: unknown, report: ReportProblem, keep: boolean): ParsedItem {
  if (isJson(value, '{')) {
    report('not_an_item', 'The item is a text with the JSON of an object. Send the object itself.')
    return { fields: {}, children: [] }
  }
  if (isPageRef(value)) return { fields: { page: value }, children: [] }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    report('not_an_item', 'An item must be an object, or the id, slug or path of a page.')
    return { fields: {}, children: [] }
  }
  const field = (name: string): unknown =>
    Object.hasOwn(value, name) ? (Reflect.get(value, name) ?? undefined) : undefined
  const id = keep ? readItemId(field('id'), report) : undefined
  // Set field by field: spreading objects for each item takes longer than parsing the JSON.
  const fields: {
    -readonly [Field in keyof ParsedItem['fields']]: ParsedItem['fields'][Field]
  } = readLink(field, report, id !== undefined)
  if (id !== undefined) fields.id = id
  for (const name of TEXT_FIELDS) {
    const sent = field(name)
    const text = readText(name, name === 'classes' ? joinedClasses(sent) : sent, report)
    if (text === undefined) continue
    const fault = name === 'classes' ? findClassesFault(text) : undefined
    if (fault === undefined) fields[name] = text
    else report('bad_classes', fault)
  }
  return { fields, children: readChildren(field('children'), report) }
}

/** WordPress has the classes of an item as a list; the API, as a text. */
export const joinedClasses = (value: unknown): unknown =>
  Array.isArray(value) && value.every((one) => typeof one === 'string') ? value.join(' ') : value

/** What an item may contain. */
export const ITEM_FIELDS: ReadonlySet<string> = new Set([
  ...TEXT_FIELDS,
  'page',
  'url',
  'type',
  'object',
  'object_id',
  'id',
  'children',
])
/** What else an item has as it is read. Who sends back what was read has not asked for it. */
const READ_FIELDS = new Set(['parent', 'order', 'status', 'valid'])

/** The names of the fields of items that nothing is done with, each once. */
export function ignoredItemFields(items: unknown): string[] {
  const ignored = new Set<string>()
  const open: unknown[] = [listOf(items)]
  for (let next = open.pop(), seen = 0; next !== undefined && seen < MAX_ITEMS; next = open.pop()) {
    seen += 1
    if (Array.isArray(next)) open.push(...next.slice(0, MAX_ITEMS))
    if (typeof next !== 'object' || next === null || Array.isArray(next)) continue
    const item = next as Readonly<Record<string, unknown>>
    const wasRead = item.type !== undefined
    for (const name of Object.keys(item)) {
      const isKnown = ITEM_FIELDS.has(name) || (wasRead && READ_FIELDS.has(name))
      if (!isKnown && ignored.size < MAX_IGNORED) ignored.add(name)
    }
    if (!wasRead && item.page && item.url) ignored.add('url')
    if (item.children !== undefined) open.push(listOf(item.children))
  }
  return [...ignored]
}

const MAX_IGNORED = 10

function readItemId(value: unknown, report: ReportProblem): number | undefined {
  if (value === undefined) return undefined
  const id = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  if (typeof id === 'number' && Number.isSafeInteger(id) && id > 0) return id
  report('bad_id', '"id" must be the id of an item of this menu. Leave it out of a new item.')
  return undefined
}

/**
 * `page` takes precedence over `type` with `object`, and these over `url`, because items that were read have several of them.
 * @param isOptional the item has a link already
 */
function readLink(
  field: (name: string) => unknown,
  report: ReportProblem,
  isOptional: boolean,
): Pick<ItemFields, 'page' | 'url' | 'object'> {
  const [page, url] = [field('page'), field('url')]
  if (page !== undefined && page !== '') {
    if (isPageRef(page)) return { page }
    report('bad_page', '"page" must be the id, slug or path of a page.')
    return {}
  }
  const object = readObject(field('type'), field('object'), field('object_id'))
  if (object) return { object }
  if (url === undefined || url === '') {
    if (!isOptional)
      report('target_required', 'An item needs a page ("page") or an address ("url").')
    return {}
  }
  const text = readText('url', url, report)
  if (text === undefined) return {}
  if (text.length <= MAX_URL_LENGTH) return { url: text }
  report('url_too_long', `"url" may have at most ${MAX_URL_LENGTH} characters.`)
  return {}
}

/** The linked object by its id, or an archive, in the fields in which an item is read; undefined if they name none. */
function readObject(type: unknown, object: unknown, id: unknown): ObjectRef | undefined {
  const hasId = typeof id === 'number' && Number.isSafeInteger(id) && id > 0
  if (type === 'post_type' && hasId) return { kind: 'post-id', id }
  if (typeof object !== 'string' || !OBJECT_NAME.test(object)) return undefined
  if (type === 'taxonomy' && hasId) return { kind: 'term-id', taxonomy: object, id }
  return type === 'post_type_archive' ? { kind: 'archive', type: object } : undefined
}

/** Names of post types and taxonomies (sanitize_key); WordPress allows 20 and 32 characters. */
const OBJECT_NAME = /^[a-z0-9_-]{1,32}$/

/** What is wrong with classes in one text; undefined for nothing. */
export function findClassesFault(classes: string): string | undefined {
  if (isJson(classes, '['))
    return '"classes" is a text with a JSON list, whose signs would become parts of names. Send the names, separated by spaces.'
  return classes.length <= MAX_CLASSES_LENGTH && classes.split(' ').length <= MAX_CLASSES
    ? undefined
    : `"classes" may have at most ${MAX_CLASSES} classes, separated by single spaces, and ${MAX_CLASSES_LENGTH} characters.`
}

/**
 * Whether a value is a text with the JSON of a list (`[`) or an object (`{`), as some clients send in place of it. A long text is not parsed: it may have
 * more values than a body may have.
 */
function isJson(value: unknown, begin: '[' | '{'): boolean {
  if (typeof value !== 'string' || value.length > MAX_TEXT_BYTES) return false
  if (value.trimStart()[0] !== begin) return false
  try {
    JSON.parse(value)
    return true
  } catch {
    return false
  }
}

/** A text field; undefined if it is missing or invalid. Numbers are accepted as texts, as PHP does. */
export function readText(name: string, value: unknown, report: ReportProblem): string | undefined {
  if (value === undefined) return undefined
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string' || !text.isWellFormed())
    report(`bad_${name}`, `"${name}" must be a text of valid Unicode characters.`)
  else if (Buffer.byteLength(text) > MAX_TEXT_BYTES)
    report(`bad_${name}`, `"${name}" may have at most ${MAX_TEXT_BYTES} bytes.`)
  else return text
  return undefined
}

function readChildren(value: unknown, report: ReportProblem): readonly unknown[] {
  if (value === undefined) return []
  const list = listOf(value)
  if (Array.isArray(list)) return list
  report('bad_children', '"children" must be a list of items.')
  return []
}

function isPageRef(value: unknown): value is PageRef {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value > 0
  return typeof value === 'string' && value.trim() !== ''
}
