import { groupBy } from '../group-by.ts'

/** What tells which item of a menu an item of another tree is. */
export type RecognizedItem = {
  /** Identifies what the item links. */
  readonly link: string
  /** '' if it shows the title of the linked object. */
  readonly title: string
  /** All other texts. */
  readonly texts: string
  /** Index of the parent in its own list, which it follows; -1 at the top. */
  readonly parent: number
}

/** An item with its position among the items of its tree. */
type PositionedItem = RecognizedItem & {
  /** Identifies the links of all items above it. */
  readonly level: number
  /** The link of the item before it on its level. */
  readonly previous: string
}

/** What equal items have in common, the surest first. An item without a title of its own is not recognized by its title. */
const KEYS: readonly ((item: PositionedItem) => readonly unknown[])[] = [
  ({ link, title, texts, level, previous }) => [link, title, texts, level, previous],
  ({ link, title, texts, level }) => [link, title, texts, level],
  ({ link, title, texts }) => [link, title, texts],
  ({ link, title, level }) => [link, title, level],
  ({ link, level, previous }) => [link, level, previous],
  ({ link, level }) => [link, level],
  ({ link, title }) => [link, title],
  ({ link }) => [link],
  ({ title, level }) => (title === '' ? [] : [title, level]),
  ({ title }) => (title === '' ? [] : [title]),
]

/**
 * Finds the items of a menu in a tree that names no ids: first equal items, then those with an equal link, on the same level if possible, then
 * those with an equal title. Each item is found once; of items that are equal in everything, the first ones.
 * @returns for each wanted item the index of the stored item that it is
 */
export function matchItems(
  stored: readonly RecognizedItem[],
  wanted: readonly RecognizedItem[],
): (number | undefined)[] {
  const levels = new Map<string, number>()
  const [from, to] = [readPositions(stored, levels), readPositions(wanted, levels)]
  const found: (number | undefined)[] = wanted.map(() => undefined)
  const free = new Set(from.keys())
  for (const keyOf of KEYS) {
    if (free.size === 0) break
    // Taken from the end, which costs nothing.
    const candidates = groupBy([...free].reverse(), (index) =>
      JSON.stringify(keyOf(from[index] as PositionedItem)),
    )
    for (const [index, item] of to.entries()) {
      if (found[index] !== undefined) continue
      const key = keyOf(item)
      const match = key.length === 0 ? undefined : candidates.get(JSON.stringify(key))?.pop()
      if (match === undefined) continue
      found[index] = match
      free.delete(match)
    }
  }
  return found
}

/** @param levels numbers of the levels of both trees, by their links */
function readPositions(
  items: readonly RecognizedItem[],
  levels: Map<string, number>,
): PositionedItem[] {
  const numberOf = (key: string): number => {
    const number = levels.get(key) ?? levels.size + 1
    levels.set(key, number)
    return number
  }
  const positioned: PositionedItem[] = []
  const last = new Map<number, string>()
  for (const item of items) {
    const above = positioned[item.parent]
    const level = above ? numberOf(JSON.stringify([above.level, above.link])) : 0
    positioned.push({ ...item, level, previous: last.get(item.parent) ?? '' })
    last.set(item.parent, item.link)
  }
  return positioned
}
