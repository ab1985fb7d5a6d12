import { groupBy } from '../group-by.ts'
import type { MenuItemContent } from '../menus/menu-history.ts'
import { cutText, MAX_ITEM_CHANGES, MAX_LABEL, MAX_PATH, MAX_VALUE } from './diff-limits.ts'
import { longestIncreasing } from './longest-increasing.ts'

/** A change of one item of a menu. An item that was moved and renamed has two changes. */
export type ItemChange = {
  readonly change: 'added' | 'removed' | 'moved' | 'renamed' | 'relinked' | 'edited'
  /** Id of the item after the change; before it for a removed item. */
  readonly id: number
  /** Labels of the items above it from the top and of the item, of which long ones are cut; `…` replaces the first ones of many. */
  readonly path: readonly string[]
  readonly from?: string
  readonly to?: string
}

/** One line for a change: `moved "About / Team" from "About" to the top`. */
export function formatItemChange({ change, path, from, to }: ItemChange): string {
  const item = `${change} ${JSON.stringify(path.join(' / '))}`
  if (from === undefined && to === undefined) return item
  return `${item} from ${from ?? 'nothing'} to ${to ?? 'nothing'}`
}

/**
 * Compares the items of two states of a menu. Items are recognized by their ids; because a replaced tree has new ids, then by link and label,
 * by link alone, and by label alone.
 * @param limits.changes how many are given [2,000]
 * @param limits.characters how long their texts are together [no limit]
 */
export function diffMenuItems(
  before: readonly MenuItemContent[],
  after: readonly MenuItemContent[],
  { changes = MAX_ITEM_CHANGES, characters = Number.POSITIVE_INFINITY }: ItemDiffLimits = {},
): ItemDiff {
  const given: ItemChange[] = []
  let length = 0
  for (const change of changesOf(before, after)) {
    length += lengthOf(change)
    if (given.length === changes || length > characters)
      return { changes: given, isShortened: true }
    given.push(change)
  }
  return { changes: given, isShortened: false }
}

type ItemDiffLimits = { readonly changes?: number; readonly characters?: number }

export type ItemDiff = {
  readonly changes: readonly ItemChange[]
  /** Whether there are more changes. */
  readonly isShortened: boolean
}

const lengthOf = ({ path, from = '', to = '' }: ItemChange): number =>
  path.reduce((sum, label) => sum + label.length, from.length + to.length)

function* changesOf(
  before: readonly MenuItemContent[],
  after: readonly MenuItemContent[],
): Generator<ItemChange> {
  const old = new Tree(before)
  const current = new Tree(after)
  const matches = matchItems(before, after)
  const matched = new Set(matches.values())
  const moved = movedIds(old, current, matches)
  for (const item of before)
    if (!matched.has(item)) yield { change: 'removed', id: item.id, path: old.pathOf(item) }
  for (const item of after) {
    const was = matches.get(item)
    const base = () => ({ id: item.id, path: current.pathOf(item) })
    if (!was) {
      yield { ...base(), change: 'added', to: cutText(linkOf(item), MAX_VALUE) }
      continue
    }
    if (moved.has(item.id))
      yield {
        ...base(),
        change: 'moved',
        from: old.positionOf(was),
        to: current.positionOf(item),
      }
    for (const [change, fieldOf] of COMPARED) {
      const [from, to] = [fieldOf(was), fieldOf(item)]
      if (from !== to) yield { ...base(), change, from: quoted(from), to: quoted(to) }
    }
  }
}

const quoted = (text: string): string => JSON.stringify(cutText(text, MAX_VALUE))

const metaOf = ({ meta }: MenuItemContent, name: string): string => meta[`_menu_item_${name}`] ?? ''

/** The title; for an item that shows the title of a page or term, its link. A title that looks like a link is in quotes. */
function labelOf(item: MenuItemContent): string {
  if (item.title === '') return linkOf(item)
  return LINK_OF_ITEM.test(item.title) ? JSON.stringify(item.title) : item.title
}

/** What `linkOf` makes of a page or term: `page 12`. Names of types and taxonomies are in lower case (sanitize_key). */
export const LINK_OF_ITEM = /^[a-z0-9_-]+ [1-9]\d{0,17}$/

/** `page 12`, or the address of a custom link. */
function linkOf(item: MenuItemContent): string {
  const type = metaOf(item, 'type')
  if (type === 'post_type_archive') return `archive ${metaOf(item, 'object')}`
  if (type === 'post_type' || type === 'taxonomy')
    return `${metaOf(item, 'object')} ${metaOf(item, 'object_id')}`
  return metaOf(item, 'url')
}

/** Everything else that visitors or editors see. */
function othersOf(item: MenuItemContent): string {
  return [
    item.status,
    item.excerpt,
    item.content.trim(),
    ...['target', 'classes', 'xfn'].map((name) => metaOf(item, name)),
    item.meta._pll_menu_item ?? '',
    ...(item.others ?? []).map(([key, value]) => `${key}=${value}`),
  ].join('\n')
}

const COMPARED = [
  ['renamed', labelOf],
  ['relinked', linkOf],
  ['edited', othersOf],
] as const

/** The item before, by the item after. */
function matchItems(
  before: readonly MenuItemContent[],
  after: readonly MenuItemContent[],
): Map<MenuItemContent, MenuItemContent> {
  const matches = new Map<MenuItemContent, MenuItemContent>()
  const keys: ((item: MenuItemContent) => string)[] = [
    ({ id }) => String(id),
    (item) => JSON.stringify([linkOf(item), item.title]),
    linkOf,
    labelOf,
  ]
  const matched = new Set<MenuItemContent>()
  for (const keyOf of keys) {
    // Taken from the end, which costs nothing.
    const free = groupBy(before.filter((item) => !matched.has(item)).reverse(), keyOf)
    for (const item of after) {
      if (matches.has(item)) continue
      const found = free.get(keyOf(item))?.pop()
      if (!found) continue
      matches.set(item, found)
      matched.add(found)
    }
  }
  return matches
}

/** Ids of the items after that have another parent, or another position among the items that stayed on their level. */
function movedIds(
  old: Tree,
  current: Tree,
  matches: ReadonlyMap<MenuItemContent, MenuItemContent>,
): Set<number> {
  const moved = new Set<number>()
  const wasOf = new Map([...matches].map(([item, was]) => [item.id, was.id]))
  const isNow = new Map([...matches].map(([item, was]) => [was.id, item.id]))
  for (const [item, was] of matches) {
    const parent = current.parentOf(item)
    const parentWas = parent === 0 ? 0 : wasOf.get(parent)
    if (parentWas !== old.parentOf(was)) moved.add(item.id)
  }
  for (const parent of current.parents()) {
    const parentWas = parent === 0 ? 0 : wasOf.get(parent)
    if (parentWas === undefined) continue
    const stayed = current.level(parent).filter((id) => wasOf.has(id) && !moved.has(id))
    const remaining = new Set(stayed)
    const order = old
      .level(parentWas)
      .flatMap((id) => isNow.get(id) ?? [])
      .filter((id) => remaining.has(id))
    const position = new Map(order.map((id, index) => [id, index]))
    const kept = longestIncreasing(stayed.map((id) => position.get(id) ?? -1))
    for (const [index, id] of stayed.entries()) if (!kept.has(index)) moved.add(id)
  }
  return moved
}

/** The hierarchy of the items of one state. */
class Tree {
  readonly #items: ReadonlyMap<number, MenuItemContent>
  readonly #levels: ReadonlyMap<number, readonly number[]>
  /** From 1, by id. */
  readonly #positions = new Map<number, number>()

  constructor(items: readonly MenuItemContent[]) {
    this.#items = new Map(items.map((item) => [item.id, item]))
    const levels = groupBy(items, (item) => this.parentOf(item))
    this.#levels = new Map([...levels].map(([parent, own]) => [parent, own.map(({ id }) => id)]))
    for (const ids of this.#levels.values())
      for (const [index, id] of ids.entries()) this.#positions.set(id, index + 1)
  }

  /** 0 for the top level, and for an item whose parent is not in the menu. */
  parentOf(item: MenuItemContent): number {
    const parent = Number(metaOf(item, 'menu_item_parent'))
    return this.#items.has(parent) ? parent : 0
  }

  parents(): Iterable<number> {
    return this.#levels.keys()
  }

  level(parent: number): readonly number[] {
    return this.#levels.get(parent) ?? []
  }

  pathOf(item: MenuItemContent): string[] {
    const path: string[] = []
    const seen = new Set<number>()
    for (let ancestor: MenuItemContent | undefined = item; ancestor && !seen.has(ancestor.id); ) {
      if (path.length === MAX_PATH) return ['…', ...path.reverse()]
      path.push(cutText(labelOf(ancestor), MAX_LABEL))
      seen.add(ancestor.id)
      ancestor = this.#items.get(this.parentOf(ancestor))
    }
    return path.reverse()
  }

  /** `2 of "About"`: the position on its level, from 1. */
  positionOf(item: MenuItemContent): string {
    const parent = this.parentOf(item)
    const position = this.#positions.get(item.id) ?? 0
    const above = this.#items.get(parent)
    if (!above) return `${position} at the top`
    return `${position} of ${JSON.stringify(cutText(labelOf(above), MAX_LABEL))}`
  }
}
