import { groupBy } from '../../host/group-by.ts'
import { matchByKeys } from '../menus/match-items.ts'
import { cutText, MAX_LABEL, MAX_PATH, MAX_VALUE } from './diff-limits.ts'

/** A label or a link of an item. */
export type ItemText = {
  readonly text: string
  /** Only of a link to a post, a term or an archive: the type of posts or the taxonomy, and the id if there is one and the site is known. */
  readonly link?: { readonly object: string; readonly id?: number }
}

/** An item of a state of a menu, as far as differences show it. */
export type ComparedItem = {
  /** Of two items of the states with the same id, one is the other; 0 for none. */
  readonly id: number
  /** Index of the item above in the list; -1 at the top. */
  readonly parent: number
  /** Its own label; '' for an item that shows the title of what it links. */
  readonly title: string
  readonly link: ItemText
  /** Everything else that visitors or editors see, by name. Empty ones may be left out. */
  readonly others: Readonly<Record<string, string | undefined>>
}

/** What an item had or has. */
type ItemValue = Partial<ItemText> & {
  /** Only of an item that moved: its position on its level, from 1. The text is that of the item above; at the top there is none. */
  readonly position?: number
}

/** A change of one item of a menu. An item that was moved and renamed has two changes. */
export type ItemChange = {
  readonly change: 'added' | 'removed' | 'moved' | 'renamed' | 'relinked' | 'edited'
  /** Id of the item after the change; before it for a removed item. */
  readonly id: number
  /** The labels of the items above it from the top and of the item, of which long ones are cut; `…` replaces the first ones of many. */
  readonly path: readonly ItemText[]
  readonly from?: ItemValue
  readonly to?: ItemValue
}

/** One line for a change: `moved "About" / page 12 from 1 of "About" to 2 at the top`. */
export function formatItemChange({ change, path, from, to }: ItemChange): string {
  const labels = path.map(formatText)
  const [was, is] = [from, to].map((value) => value && formatValue(value))
  const item = `${change} ${labels.join(' / ')}`
  // An item without a label of its own is named by its link.
  const isNamed = (was ?? is) === labels.at(-1) && (was === undefined || is === undefined)
  return isNamed ? item : `${item} from ${was ?? 'nothing'} to ${is ?? 'nothing'}`
}

/** Labels are in quotes, so that a label that looks like a link is not one. */
const formatText = ({ text, link }: ItemText): string => (link ? text : JSON.stringify(text))

function formatValue({ position, text, ...value }: ItemValue): string {
  const shown = text === undefined ? undefined : formatText({ text, ...value })
  if (position === undefined) return shown ?? ''
  return shown === undefined ? `${position} at the top` : `${position} of ${shown}`
}

/**
 * Compares the items of two states of a menu. Items are recognized by their ids; because a replaced tree has new ids, then by link and label,
 * by link alone, and by label alone.
 * @param changes how many are given
 * @param characters how long their texts are together
 */
export function diffMenuItems(
  before: readonly ComparedItem[],
  after: readonly ComparedItem[],
  changes = Number.POSITIVE_INFINITY,
  characters = Number.POSITIVE_INFINITY,
): ItemDiff {
  const given: ItemChange[] = []
  let length = 0
  for (const change of changesOf(new Tree(before), new Tree(after))) {
    length += lengthOf(change)
    if (given.length === changes || length > characters)
      return { changes: given, isShortened: true }
    given.push(change)
  }
  return { changes: given, isShortened: false }
}

export type ItemDiff = {
  readonly changes: readonly ItemChange[]
  /** Whether there are more changes. */
  readonly isShortened: boolean
}

const lengthOf = ({ path, from, to }: ItemChange): number =>
  [...path, from, to].reduce((sum, value) => sum + (value?.text?.length ?? 0), 0)

function* changesOf(before: Tree, after: Tree): Generator<ItemChange> {
  const matches = matchItems(before.items, after.items)
  const matched = new Set(matches.values())
  const moved = movedItems(before, after, matches)
  for (const item of before.items) {
    const { id, link } = item
    if (matched.has(item)) continue
    yield { change: 'removed', id, path: before.pathOf(item), from: cut(link, MAX_VALUE) }
  }
  for (const item of after.items) {
    const was = matches.get(item)
    const base = () => ({ id: item.id, path: after.pathOf(item) })
    if (!was) {
      yield { change: 'added', ...base(), to: cut(item.link, MAX_VALUE) }
      continue
    }
    const change = (kind: ItemChange['change'], from: ItemValue, to: ItemValue): ItemChange => ({
      change: kind,
      ...base(),
      from,
      to,
    })
    if (moved.has(item)) yield change('moved', before.positionOf(was), after.positionOf(item))
    if (was.title !== item.title)
      yield change('renamed', cut(labelOf(was), MAX_VALUE), cut(labelOf(item), MAX_VALUE))
    if (keyOfText(was.link) !== keyOfText(item.link))
      yield change('relinked', cut(was.link, MAX_VALUE), cut(item.link, MAX_VALUE))
    const { from, to, isSame } = differingOthers(was, item)
    if (!isSame) yield change('edited', cut(from, MAX_VALUE), cut(to, MAX_VALUE))
  }
}

const cut = (shown: ItemText, length: number): ItemText => ({
  ...shown,
  text: cutText(shown.text, length),
})

/** A label and a link with the same text differ. */
const keyOfText = (shown: ItemText): string => JSON.stringify(shown)

const labelOf = ({ title, link }: ComparedItem): ItemText => (title === '' ? link : { text: title })

/** The others that differ, before and after: `target: _blank, classes: wide`. */
function differingOthers({ others: was }: ComparedItem, { others: is }: ComparedItem) {
  const names = Object.keys({ ...was, ...is }).filter(
    (name) => (was[name] ?? '') !== (is[name] ?? ''),
  )
  const textOf = (others: ComparedItem['others']): string =>
    names.flatMap((name) => (others[name] ? [`${name}: ${others[name]}`] : [])).join(', ')
  return { from: { text: textOf(was) }, to: { text: textOf(is) }, isSame: names.length === 0 }
}

/** The item before, by the item after. */
function matchItems(
  before: readonly ComparedItem[],
  after: readonly ComparedItem[],
): Map<ComparedItem, ComparedItem> {
  const found = matchByKeys(before, after, [
    ({ id }) => id || undefined,
    ({ link, title }) => JSON.stringify([link, title]),
    ({ link }) => keyOfText(link),
    (item) => keyOfText(labelOf(item)),
  ])
  const pairs = after.flatMap((item, index) => {
    const was = before[found[index] ?? -1]
    return was ? [[item, was] as const] : []
  })
  return new Map(pairs)
}

/** The items after that have another parent, or another position among the items that stayed on their level. */
function movedItems(
  before: Tree,
  after: Tree,
  matches: ReadonlyMap<ComparedItem, ComparedItem>,
): Set<ComparedItem> {
  const moved = new Set<ComparedItem>()
  const isNow = new Map([...matches].map(([item, was]) => [was, item]))
  /** Undefined at the top, and if the item above is new. */
  const wasOf = (item: ComparedItem | undefined) => item && matches.get(item)
  for (const [item, was] of matches) {
    const [above, aboveWas] = [after.above(item), before.above(was)]
    if (wasOf(above) !== aboveWas || (above && !matches.has(above))) moved.add(item)
  }
  for (const above of after.parents()) {
    if (above && !matches.has(above)) continue
    const stayed = after.level(above).filter((item) => matches.has(item) && !moved.has(item))
    const remaining = new Set(stayed)
    const order = before
      .level(wasOf(above))
      .flatMap((was) => isNow.get(was) ?? [])
      .filter((item) => remaining.has(item))
    const position = new Map(order.map((item, index) => [item, index]))
    const kept = longestIncreasing(stayed.map((item) => position.get(item) ?? -1))
    for (const [index, item] of stayed.entries()) if (!kept.has(index)) moved.add(item)
  }
  return moved
}

/** The hierarchy of the items of one state. Undefined is the top. */
class Tree {
  readonly items: readonly ComparedItem[]
  readonly #levels: ReadonlyMap<ComparedItem | undefined, readonly ComparedItem[]>
  /** From 1. */
  readonly #positions = new Map<ComparedItem, number>()

  constructor(items: readonly ComparedItem[]) {
    this.items = items
    this.#levels = groupBy(items, (item) => this.above(item))
    for (const level of this.#levels.values())
      for (const [index, item] of level.entries()) this.#positions.set(item, index + 1)
  }

  above({ parent }: ComparedItem): ComparedItem | undefined {
    return this.items[parent]
  }

  parents(): Iterable<ComparedItem | undefined> {
    return this.#levels.keys()
  }

  level(above: ComparedItem | undefined): readonly ComparedItem[] {
    return this.#levels.get(above) ?? []
  }

  pathOf(item: ComparedItem): ItemText[] {
    const path: ItemText[] = []
    const seen = new Set<ComparedItem>()
    for (let one: ComparedItem | undefined = item; one && !seen.has(one); one = this.above(one)) {
      if (path.length === MAX_PATH) return [{ text: '…' }, ...path.reverse()]
      path.push(cut(labelOf(one), MAX_LABEL))
      seen.add(one)
    }
    return path.reverse()
  }

  positionOf(item: ComparedItem): ItemValue {
    const above = this.above(item)
    const position = this.#positions.get(item) ?? 0
    return above ? { position, ...cut(labelOf(above), MAX_LABEL) } : { position }
  }
}

/**
 * The positions of a longest increasing subsequence, in n log n steps (patience sorting). What is not in it has moved.
 * @param values distinct numbers
 */
export function longestIncreasing(values: readonly number[]): Set<number> {
  /** The position of the smallest last value of a subsequence of each length. */
  const ends: number[] = []
  const previous: (number | undefined)[] = []
  for (const [index, value] of values.entries()) {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((values[ends[middle] ?? 0] ?? 0) < value) low = middle + 1
      else high = middle
    }
    previous.push(ends[low - 1])
    ends[low] = index
  }
  const found = new Set<number>()
  for (let index = ends.at(-1); index !== undefined; index = previous[index]) found.add(index)
  return found
}
