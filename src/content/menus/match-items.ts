import { groupBy } from '../../host/group-by.ts'

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

/** What an item has in common with others, as numbers: equal values have equal numbers, and keys of numbers are short. */
type ItemParts = {
  readonly link: number
  /** 0 for ''. */
  readonly title: number
  readonly texts: number
  /** Identifies the links of all items above it. */
  readonly level: number
  /** The link of the item before it on its level. */
  readonly previous: number
}

/** What equal items have in common, the surest first. An item without a title of its own is not recognized by its title. */
const KEYS: readonly (readonly (keyof ItemParts)[])[] = [
  ['link', 'title', 'texts', 'level', 'previous'],
  ['link', 'title', 'texts', 'level'],
  ['link', 'title', 'texts'],
  ['link', 'title', 'level'],
  ['link', 'level', 'previous'],
  ['link', 'level'],
  ['link', 'title'],
  ['link'],
  ['title', 'level'],
  ['title'],
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
  const numbers = new Map([['', 0]])
  const [from, to] = [readParts(stored, numbers), readParts(wanted, numbers)]
  const keys = KEYS.map((parts) => (item: ItemParts) => {
    const isRecognized = parts.includes('link') || item.title !== 0
    return isRecognized ? parts.map((part) => item[part]).join() : undefined
  })
  return matchByKeys(from, to, keys)
}

/**
 * Finds items in another list by their keys, the surest first. Each item is found once; of items with equal keys, the first ones.
 * @param keys an item without one, `undefined`, is not found by it
 * @returns for each wanted item the index of the stored item that it is
 */
export function matchByKeys<Item>(
  stored: readonly Item[],
  wanted: readonly Item[],
  keys: readonly ((item: Item) => unknown)[],
): (number | undefined)[] {
  const found: (number | undefined)[] = wanted.map(() => undefined)
  const free = new Map(stored.entries())
  for (const keyOf of keys) {
    if (free.size === 0) break
    // Taken from the end, which costs nothing.
    const candidates = groupBy([...free].reverse(), ([, item]) => keyOf(item))
    for (const [index, item] of wanted.entries()) {
      const key = found[index] === undefined ? keyOf(item) : undefined
      const match = key === undefined ? undefined : candidates.get(key)?.pop()
      if (match === undefined) continue
      found[index] = match[0]
      free.delete(match[0])
    }
  }
  return found
}

/** @param numbers of the values of both trees */
function readParts(items: readonly RecognizedItem[], numbers: Map<string, number>): ItemParts[] {
  const numberOf = (value: string): number => {
    const number = numbers.get(value) ?? numbers.size
    numbers.set(value, number)
    return number
  }
  const parts: ItemParts[] = []
  const last = new Map<number, number>()
  for (const { link, title, texts, parent } of items) {
    const above = parts[parent]
    const own = numberOf(link)
    parts.push({
      link: own,
      title: numberOf(title),
      texts: numberOf(texts),
      level: above ? numberOf(`level ${above.level} ${above.link}`) : 0,
      previous: last.get(parent) ?? 0,
    })
    last.set(parent, own)
  }
  return parts
}
