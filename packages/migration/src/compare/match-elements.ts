/** The elements of two lists, by what identifies them. */
export type MatchedElements = {
  readonly pairs: readonly { readonly key: string; readonly old: unknown; readonly ours: unknown }[]
  readonly onlyOld: readonly KeyedElement[]
  readonly onlyOurs: readonly KeyedElement[]
  /** The keys at the first position where the order of common elements differs. */
  readonly moved: { readonly old: string; readonly ours: string } | undefined
}

type KeyedElement = { readonly key: string; readonly element: unknown }

/** Fields that identify the objects of a list, the most reliable first. */
const IDENTITIES: readonly (readonly string[])[] = [
  ['id'],
  ['slug'],
  ['location', 'lang'],
  ['at'],
  ['code'],
  ['url'],
  ['location'],
]

/**
 * Matches elements by their identity, so that one element too few does not make all that follow it different. Lists of texts and numbers are
 * matched by their text: an id as a text has another type, but is the same element. Other lists are matched by position.
 */
export function matchElements(old: readonly unknown[], ours: readonly unknown[]): MatchedElements {
  const identity = identityOf(old, ours)
  if (!identity) return matchByPosition(old, ours)
  const [oldByKey, oursByKey] = [keyed(old, identity), keyed(ours, identity)]
  const common = [...oldByKey.keys()].filter((key) => oursByKey.has(key))
  const inOurs = [...oursByKey.keys()].filter((key) => oldByKey.has(key))
  const first = common.findIndex((key, index) => key !== inOurs[index])
  const only = (one: Map<string, unknown>, other: Map<string, unknown>): KeyedElement[] =>
    [...one].filter(([key]) => !other.has(key)).map(([key, element]) => ({ key, element }))
  return {
    pairs: common.map((key) => ({ key, old: oldByKey.get(key), ours: oursByKey.get(key) })),
    onlyOld: only(oldByKey, oursByKey),
    onlyOurs: only(oursByKey, oldByKey),
    moved: first < 0 ? undefined : { old: common[first] ?? '', ours: inOurs[first] ?? '' },
  }
}

type Identity = (element: unknown) => string | undefined

/** Undefined if nothing identifies all elements of both lists, or no element would be in both. */
function identityOf(old: readonly unknown[], ours: readonly unknown[]): Identity | undefined {
  const all = [...old, ...ours]
  if (all.every(isScalar)) return String
  return IDENTITIES.map(
    (names): Identity =>
      (element) =>
        keyOf(element, names),
  ).find((identity) => {
    const [oldKeys, ourKeys] = [old, ours].map((list) => list.map(identity))
    if (!oldKeys || !ourKeys || !isUnique(oldKeys) || !isUnique(ourKeys)) return false
    const inOurs = new Set(ourKeys)
    return old.length === 0 || ours.length === 0 || oldKeys.some((key) => inOurs.has(key))
  })
}

const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null

function keyOf(element: unknown, names: readonly string[]): string | undefined {
  if (typeof element !== 'object' || element === null) return undefined
  if (!names.every((name) => isScalar(Reflect.get(element, name)) && Object.hasOwn(element, name)))
    return undefined
  return names.map((name) => String(Reflect.get(element, name))).join(' ')
}

const isUnique = (keys: readonly (string | undefined)[]): boolean =>
  keys.every((key) => key !== undefined) && new Set(keys).size === keys.length

/** A value that occurs again gets a number. */
function keyed(list: readonly unknown[], identity: Identity): Map<string, unknown> {
  const byKey = new Map<string, unknown>()
  for (const element of list) {
    const key = identity(element) ?? ''
    let unique = key
    for (let count = 2; byKey.has(unique); count += 1) unique = `${key} (${count})`
    byKey.set(unique, element)
  }
  return byKey
}

function matchByPosition(old: readonly unknown[], ours: readonly unknown[]): MatchedElements {
  const length = Math.min(old.length, ours.length)
  const rest = (list: readonly unknown[]): KeyedElement[] =>
    list.slice(length).map((element, index) => ({ key: String(length + index), element }))
  const moved = movedByPosition(old, ours)
  return {
    // Elements that only moved do not differ.
    pairs: moved
      ? []
      : old.slice(0, length).map((one, index) => ({
          key: String(index),
          old: one,
          ours: ours[index],
        })),
    onlyOld: rest(old),
    onlyOurs: rest(ours),
    moved,
  }
}

/** Set if both lists have the same elements in another order. */
function movedByPosition(
  old: readonly unknown[],
  ours: readonly unknown[],
): MatchedElements['moved'] {
  if (old.length !== ours.length) return undefined
  const [a, b] = [old, ours].map((list) => list.map((one) => JSON.stringify(one)))
  const first = a?.findIndex((text, index) => text !== b?.[index]) ?? -1
  if (first < 0 || JSON.stringify([...(a ?? [])].sort()) !== JSON.stringify([...(b ?? [])].sort()))
    return undefined
  return { old: `element ${first}`, ours: `another element ${first}` }
}
