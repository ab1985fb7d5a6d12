import { diffArrays } from 'diff'
import type { MenuItemContent } from '../menus/menu-history.ts'

/** A change of one item of a menu. An item that was moved and renamed has two changes. */
export type ItemChange = {
  readonly change: 'added' | 'removed' | 'moved' | 'renamed' | 'relinked' | 'edited'
  /** Id of the item after the change; before it for a removed item. */
  readonly id: number
  /** Labels of the item and of the items above it, from the top. */
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
 */
export function diffMenuItems(
  before: readonly MenuItemContent[],
  after: readonly MenuItemContent[],
): ItemChange[] {
  const old = new Tree(before)
  const current = new Tree(after)
  const matches = matchItems(before, after)
  const matched = new Set(matches.values())
  const moved = movedIds(old, current, matches)
  return [
    ...before
      .filter((item) => !matched.has(item))
      .map((item): ItemChange => ({ change: 'removed', id: item.id, path: old.pathOf(item) })),
    ...after.flatMap((item): ItemChange[] => {
      const was = matches.get(item)
      const base = { id: item.id, path: current.pathOf(item) }
      if (!was) return [{ ...base, change: 'added', to: linkOf(item) }]
      const position = moved.has(item.id)
        ? { from: old.positionOf(was), to: current.positionOf(item) }
        : undefined
      return [
        ...(position ? [{ ...base, change: 'moved' as const, ...position }] : []),
        ...changeOf('renamed', base, labelOf(was), labelOf(item)),
        ...changeOf('relinked', base, linkOf(was), linkOf(item)),
        ...changeOf('edited', base, othersOf(was), othersOf(item)),
      ]
    }),
  ]
}

function changeOf(
  change: ItemChange['change'],
  base: Pick<ItemChange, 'id' | 'path'>,
  from: string,
  to: string,
): ItemChange[] {
  if (from === to) return []
  return [{ ...base, change, from: JSON.stringify(from), to: JSON.stringify(to) }]
}

const metaOf = ({ meta }: MenuItemContent, name: string): string => meta[`_menu_item_${name}`] ?? ''

/** The title; for an item that shows the title of a page or term, its link. */
const labelOf = (item: MenuItemContent): string => item.title || linkOf(item)

/** `page 12`, or the address of a custom link. */
function linkOf(item: MenuItemContent): string {
  const type = metaOf(item, 'type')
  if (type === 'post_type_archive') return `archive ${metaOf(item, 'object')}`
  if (type === 'post_type' || type === 'taxonomy')
    return `${metaOf(item, 'object')} ${metaOf(item, 'object_id')}`
  return metaOf(item, 'url')
}

/** Everything else that visitors or editors see. */
const othersOf = (item: MenuItemContent): string =>
  [
    item.status,
    item.excerpt,
    item.content.trim(),
    ...['target', 'classes', 'xfn'].map((name) => metaOf(item, name)),
    item.meta._pll_menu_item ?? '',
  ].join('\n')

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
    const free = new Map<string, MenuItemContent[]>()
    for (const item of before) {
      if (matched.has(item)) continue
      const key = keyOf(item)
      free.set(key, [...(free.get(key) ?? []), item])
    }
    for (const item of after) {
      if (matches.has(item)) continue
      const found = free.get(keyOf(item))?.shift()
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
    for (const { added, value } of diffArrays(order, stayed))
      if (added) for (const id of value) moved.add(id)
  }
  return moved
}

/** The hierarchy of the items of one state. */
class Tree {
  readonly #items: ReadonlyMap<number, MenuItemContent>
  readonly #levels = new Map<number, number[]>()

  constructor(items: readonly MenuItemContent[]) {
    this.#items = new Map(items.map((item) => [item.id, item]))
    for (const item of items) {
      const parent = this.parentOf(item)
      this.#levels.set(parent, [...(this.#levels.get(parent) ?? []), item.id])
    }
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
    for (let at: MenuItemContent | undefined = item; at && !seen.has(at.id); ) {
      path.unshift(labelOf(at))
      seen.add(at.id)
      at = this.#items.get(this.parentOf(at))
    }
    return path
  }

  /** `2 of "About"`: the position on its level, from 1. */
  positionOf(item: MenuItemContent): string {
    const parent = this.parentOf(item)
    const position = this.level(parent).indexOf(item.id) + 1
    const above = this.#items.get(parent)
    return above ? `${position} of ${JSON.stringify(labelOf(above))}` : `${position} at the top`
  }
}
