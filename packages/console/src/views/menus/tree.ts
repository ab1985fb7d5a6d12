import type { Input, Output } from '../../../../client/src/index.ts'

/** An item of a menu as the API reads it. */
export type StoredItem = Output<'getMenu'>['items'][number]

const NO_LINK = { type: 'custom', object: 'custom', object_id: 0, url: '' }

const NO_TEXTS = { title: '', target: '', classes: '', xfn: '', attr_title: '', description: '' }

/** What an item has of its own, in the fields in which it is written. */
export type ItemFields = Pick<StoredItem, keyof typeof NO_LINK | keyof typeof NO_TEXTS>

/** What is known of the page, term or archive that an item links. */
export type Target = Pick<
  NonNullable<StoredItem['link']>,
  'url' | 'page' | 'lang' | 'translations'
> & {
  /** HTML; what the item shows without a title of its own. */
  readonly title: string
}

/** An item in a menu that is edited. A tree is a list in the order of the menu, in which each item has its depth. */
export type TreeItem = {
  /** The id of a stored item; negative for a new one. */
  readonly key: number
  /** 0 at the top level. */
  readonly depth: number
  readonly fields: ItemFields
  readonly target: Target
  /** Why visitors do not get where it leads. */
  readonly problem: string | null
}

export type Tree = readonly TreeItem[]

/** Levels of a menu, as the API has them. */
const MAX_LEVELS = 100

const NO_FIELDS: ItemFields = { ...NO_LINK, ...NO_TEXTS }

/** The items of a stored menu as a tree. An item whose parent is missing, or is below it, is at the top level, as visitors see it. */
export function treeOf(items: readonly StoredItem[]): Tree {
  const ids = new Set(items.map(({ id }) => id))
  const below = new Map<number, StoredItem[]>()
  for (const item of items) {
    const parent = ids.has(item.parent) ? item.parent : 0
    const level = below.get(parent)
    if (level) level.push(item)
    else below.set(parent, [item])
  }
  const tree: TreeItem[] = []
  const seen = new Set<number>()
  const addBranch = (root: StoredItem): void => {
    const open = [{ item: root, depth: 0 }]
    for (let next = open.pop(); next; next = open.pop()) {
      const { item, depth } = next
      if (seen.has(item.id)) continue
      seen.add(item.id)
      tree.push(treeItemOf(item, depth))
      const children = below.get(item.id) ?? []
      for (const child of [...children].reverse()) open.push({ item: child, depth: depth + 1 })
    }
  }
  for (const item of below.get(0) ?? []) addBranch(item)
  for (const item of items) addBranch(item)
  return tree
}

function treeItemOf(item: StoredItem, depth: number): TreeItem {
  const { id, link } = item
  const names = Object.keys(NO_FIELDS) as (keyof ItemFields)[]
  const fields = Object.fromEntries(names.map((name) => [name, item[name]])) as ItemFields
  return {
    key: id,
    depth,
    fields: { ...fields, description: fields.description.trim() === '' ? '' : fields.description },
    target: {
      title: link?.linked_title ?? '',
      url: link?.url ?? '',
      page: link?.page ?? null,
      lang: link?.lang ?? null,
      translations: link?.translations ?? {},
    },
    problem: link?.message ?? null,
  }
}

let lastKey = 0

/** An item that is not stored yet, at the top level. */
export function newItem(fields: Partial<ItemFields>, target: Partial<Target> = {}): TreeItem {
  lastKey -= 1
  return {
    key: lastKey,
    depth: 0,
    fields: { ...NO_FIELDS, ...fields },
    target: { title: '', url: '', page: null, lang: null, translations: {}, ...target },
    problem: null,
  }
}

/** The index after an item and everything below it. */
export function endOf(tree: Tree, index: number): number {
  const depth = tree[index]?.depth ?? 0
  let end = index + 1
  while ((tree[end]?.depth ?? -1) > depth) end += 1
  return end
}

/** The index of the item above; -1 at the top level. */
function parentOf(tree: Tree, index: number): number {
  const depth = tree[index]?.depth ?? 0
  return tree.findLastIndex((item, at) => at < index && item.depth < depth)
}

/** The index of the item before it on its level; -1 for the first. */
function previousOf(tree: Tree, index: number): number {
  const depth = tree[index]?.depth ?? 0
  const at = tree.findLastIndex((item, other) => other < index && item.depth <= depth)
  return tree[at]?.depth === depth ? at : -1
}

/** Where an item is: its number on its level, how many are there, and the index of the item above. */
export function positionOf(tree: Tree, index: number) {
  const parent = parentOf(tree, index)
  const depth = tree[index]?.depth ?? 0
  const end = parent < 0 ? tree.length : endOf(tree, parent)
  let [number, of] = [0, 0]
  for (let at = parent + 1; at < end; at += 1) {
    if (tree[at]?.depth !== depth) continue
    of += 1
    if (at <= index) number += 1
  }
  return { number, of, parent }
}

/** A changed tree, and the index of the item that was changed. */
export type Changed = { readonly tree: Tree; readonly index: number }

export type Step = 'up' | 'down' | 'indent' | 'outdent'

/** Moves an item with everything below it by one step; undefined if there is nowhere to go. */
export function moveByStep(tree: Tree, index: number, step: Step): Changed | undefined {
  const item = tree[index]
  if (!item) return undefined
  const end = endOf(tree, index)
  const branch = end - index
  const previous = previousOf(tree, index)
  const parent = parentOf(tree, index)
  const parentDepth = item.depth - 1
  switch (step) {
    case 'up':
      return previous < 0 ? undefined : moveTo(tree, index, previous, item.depth)
    case 'down':
      return tree[end]?.depth === item.depth
        ? moveTo(tree, index, endOf(tree, end) - branch, item.depth)
        : undefined
    case 'indent':
      return previous < 0 ? undefined : moveTo(tree, index, index, item.depth + 1)
    case 'outdent':
      return parent < 0 ? undefined : moveTo(tree, index, endOf(tree, parent) - branch, parentDepth)
  }
}

/** The depths that an item may have at an index of a tree that does not contain it. */
export function depthsAt(rest: Tree, to: number): { readonly min: number; readonly max: number } {
  return { min: rest[to]?.depth ?? 0, max: to === 0 ? 0 : (rest[to - 1]?.depth ?? 0) + 1 }
}

/** The tree without an item and everything below it. */
export const without = (tree: Tree, index: number): Tree => [
  ...tree.slice(0, index),
  ...tree.slice(endOf(tree, index)),
]

/**
 * Moves an item with everything below it.
 * @param to its index in the tree without it
 * @returns undefined if nothing would change, or the menu had too many levels
 */
export function moveTo(tree: Tree, index: number, to: number, depth: number): Changed | undefined {
  const rest = without(tree, index)
  const { min, max } = depthsAt(rest, to)
  const by = Math.min(Math.max(depth, min), max) - (tree[index]?.depth ?? 0)
  if (to === index && by === 0) return undefined
  const branch = tree
    .slice(index, endOf(tree, index))
    .map((item) => (by === 0 ? item : { ...item, depth: item.depth + by }))
  if (branch.some((item) => item.depth >= MAX_LEVELS)) return undefined
  return { tree: [...rest.slice(0, to), ...branch, ...rest.slice(to)], index: to }
}

/** Inserts items after another one and everything below it, on its level; at the end without one. */
export function insertAfter(tree: Tree, index: number | undefined, items: Tree): Changed {
  const at = index === undefined ? tree.length : endOf(tree, index)
  const depth = index === undefined ? 0 : (tree[index]?.depth ?? 0)
  const placed = items.map((item) => ({ ...item, depth: item.depth + depth }))
  return { tree: [...tree.slice(0, at), ...placed, ...tree.slice(at)], index: at }
}

/** Changes fields of an item. Another link has another target. */
export function withFields(
  tree: Tree,
  index: number,
  fields: Partial<ItemFields>,
  target?: Target,
): Tree {
  return tree.map((item, at) =>
    at === index
      ? {
          ...item,
          fields: { ...item.fields, ...fields },
          ...(target ? { target, problem: null } : {}),
        }
      : item,
  )
}

const LINK_FIELDS = Object.keys(NO_LINK) as (keyof typeof NO_LINK)[]
const TEXT_FIELDS = Object.keys(NO_TEXTS) as (keyof typeof NO_TEXTS)[]

/** Whether an item differs from the stored one in its own fields. */
export const isChanged = (item: TreeItem, stored: TreeItem | undefined): boolean =>
  stored === undefined ||
  [...LINK_FIELDS, ...TEXT_FIELDS].some((name) => item.fields[name] !== stored.fields[name])

/** Whether two trees have the same items with the same fields at the same positions. */
export function isSameTree(tree: Tree, other: Tree): boolean {
  return (
    tree === other ||
    (tree.length === other.length &&
      tree.every((item, index) => {
        const stored = other[index]
        return (
          item === stored ||
          (item.key === stored?.key && item.depth === stored.depth && !isChanged(item, stored))
        )
      }))
  )
}

export const byKey = (tree: Tree): ReadonlyMap<number, TreeItem> =>
  new Map(tree.map((item) => [item.key, item]))

type SentItem = NonNullable<Input<'replaceMenuItems'>['body']['items']>[number]
type SentFields = Exclude<SentItem, string | number>

/** The body of a write: items of the stored tree by their ids, with what has changed; and the indexes of the items by their positions. */
export function itemsToSend(tree: Tree, stored: Tree) {
  const before = byKey(stored)
  const items: SentFields[] = []
  const indexes = new Map<string, number>()
  /** The last item of each level that is open, with its position. */
  const open: { readonly sent: SentFields & { children: SentItem[] }; readonly at: string }[] = []
  for (const [index, item] of tree.entries()) {
    open.length = Math.min(open.length, item.depth)
    const above = open.at(-1)
    const level = above ? above.sent.children : items
    const sent = { ...sentItem(item, before.get(item.key)), children: [] as SentItem[] }
    const at = `${above ? `${above.at}.` : ''}${level.length}`
    level.push(sent)
    indexes.set(at, index)
    open.push({ sent, at })
  }
  return { items, indexes }
}

function sentItem({ key, fields }: TreeItem, stored: TreeItem | undefined): SentFields {
  const { type, object, object_id, url } = fields
  const link =
    type === 'custom' ? { url } : ({ type, object, object_id } as Pick<SentFields, 'type'>)
  const isOther = (name: keyof ItemFields): boolean => fields[name] !== stored?.fields[name]
  const texts = TEXT_FIELDS.filter((name) => (stored ? isOther(name) : fields[name] !== ''))
  return {
    ...(stored ? { id: key } : {}),
    ...(stored && !LINK_FIELDS.some(isOther) ? {} : link),
    ...Object.fromEntries(texts.map((name) => [name, fields[name]])),
  }
}

/** Whether an item links a page of another language that has no translation into this one. */
export const isUntranslated = ({ fields, target }: TreeItem, lang: string | undefined): boolean =>
  fields.type === 'post_type' &&
  lang !== undefined &&
  target.lang !== null &&
  target.lang !== lang &&
  target.translations[lang] === undefined

/** A new item that links the translation of what another one links. Its label is then that of the page, because the other one is in another language. */
export function translated({ fields, target }: TreeItem, lang: string | undefined): TreeItem {
  const id = lang === undefined ? undefined : target.translations[lang]
  if (fields.type !== 'post_type' || id === undefined || lang === target.lang)
    return newItem(fields, target)
  const page = target.page === null ? null : id
  return newItem(
    { ...fields, object_id: id, title: '' },
    { ...target, lang: lang ?? null, page, title: '' },
  )
}

/**
 * A copy of a tree in another language.
 * @param omit leaves out items whose pages are not translated; what is below them moves up
 */
export function translateTree(tree: Tree, lang: string | undefined, omit: boolean): Tree {
  /** The depths of the omitted items above. */
  const omitted: number[] = []
  const copy: TreeItem[] = []
  for (const item of tree) {
    while ((omitted.at(-1) ?? -1) >= item.depth) omitted.pop()
    if (omit && isUntranslated(item, lang)) omitted.push(item.depth)
    else copy.push({ ...translated(item, lang), depth: item.depth - omitted.length })
  }
  return copy
}
