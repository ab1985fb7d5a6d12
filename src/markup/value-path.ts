/**
 * The names of values (decisions, section 6): `site.title`, `menu.header`, `item.children`. The
 * shape is checked here; whether the site has such a value is known only when it is asked for.
 */
export type Path = {
  /** As written, trimmed: `dataset.news.0.title`. */
  readonly text: string
  readonly root: PathRoot
  /** What follows the root: `['news', '0', 'title']`. */
  readonly keys: readonly string[]
}

/** How many keys each root needs and takes. A row may be a bare value, so `item` needs none. */
const ROOTS = {
  site: { least: 1, most: Number.POSITIVE_INFINITY },
  settings: { least: 1, most: Number.POSITIVE_INFINITY },
  page: { least: 1, most: Number.POSITIVE_INFINITY },
  pages: { least: 0, most: 0 },
  menu: { least: 1, most: 1 },
  languages: { least: 0, most: 0 },
  dataset: { least: 1, most: Number.POSITIVE_INFINITY },
  props: { least: 1, most: Number.POSITIVE_INFINITY },
  item: { least: 0, most: Number.POSITIVE_INFINITY },
}

export type PathRoot = keyof typeof ROOTS

const KEY = /^[A-Za-z0-9_-]+$/

/** Names every object answers to, though nobody gave it a value of that name. */
const INHERITED = new Set(['__proto__', 'constructor', 'prototype'])

/** Longer texts name no value, in characters. */
export const MAX_PATH_LENGTH = 1000

/** The path a text names; undefined for anything that cannot be the name of a value. */
export function parsePath(text: string): Path | undefined {
  const trimmed = text.trim()
  if (trimmed.length > MAX_PATH_LENGTH) return undefined
  const [root = '', ...keys] = trimmed.split('.')
  if (!isRoot(root)) return undefined
  if (keys.length < ROOTS[root].least || keys.length > ROOTS[root].most) return undefined
  if (!keys.every((key) => KEY.test(key) && !INHERITED.has(key))) return undefined
  return { text: trimmed, root, keys }
}

/**
 * The data source a path reads, as reports name it: a whole data set for any path into it. Undefined
 * for `props.*` and `item.*`, which the surrounding frame or repeat hands over.
 */
export function findSourceName(path: Path): string | undefined {
  if (path.root === 'props' || path.root === 'item') return undefined
  return path.root === 'dataset' ? `dataset.${path.keys[0]}` : path.text
}

function isRoot(name: string): name is PathRoot {
  return Object.hasOwn(ROOTS, name)
}
