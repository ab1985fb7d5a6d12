import { didYouMean } from '../../host/similar.ts'
import { excerptOf } from './excerpt.ts'

/**
 * A value path: `site.title`, `menu.header`, `item.children`. Only its form is checked here; whether the site has
 * such a value is known when it is read.
 */
export type Path = {
  /** As written, trimmed: `dataset.news.0.title`. */
  readonly text: string
  readonly root: PathRoot
  /** The keys after the root: `['news', '0', 'title']`. */
  readonly keys: readonly string[]
}

/** The fields of `page.*`. */
const PAGE_FIELDS = [
  'id',
  'title',
  'url',
  'slug',
  'path',
  'lang',
  'date',
  'modified',
  'parent',
  // Each of the following takes a statement of its own.
  'content',
  'excerpt',
  'ancestors',
  'children',
  'translations',
]

/** The fields of `site.*`. */
const SITE_FIELDS = [
  'id',
  'title',
  'description',
  'url',
  'home',
  'domain',
  'lang',
  'locale',
  'language_tag',
  'rtl',
  'dir',
  'robots',
] as const

export type SiteField = (typeof SITE_FIELDS)[number]

/** The options that markup may print; none contains a secret. */
export const SETTINGS = [
  'blogname',
  'blogdescription',
  'home',
  'siteurl',
  'WPLANG',
  'timezone_string',
  'gmt_offset',
  'date_format',
  'time_format',
  'start_of_week',
  'posts_per_page',
  'show_on_front',
  'page_on_front',
  'page_for_posts',
  'wp_page_for_privacy_policy',
  'permalink_structure',
  'blog_public',
  'site_icon',
  'stylesheet',
] as const

const FIELDS: Readonly<Partial<Record<PathRoot, readonly string[]>>> = {
  page: PAGE_FIELDS,
  site: SITE_FIELDS,
  settings: SETTINGS,
}

/** Fields of the rows of `pages`, `languages` and menus, which a repeat reads as `item.<field>`. */
const ROW_FIELDS = [
  'id',
  'title',
  'url',
  'slug',
  'path',
  'lang',
  'date',
  'modified',
  'parent',
  'locale',
  'name',
  'rtl',
  'empty',
  'type',
  'page',
  'target',
  'classes',
  'children',
]

/** The value paths that every site has, sorted by their root: of the sources with other keys, such as `menu.<location>`, none is listed. */
export const FIXED_PATHS: readonly string[] = [
  ...Object.entries({ ...FIELDS, item: ROW_FIELDS }).flatMap(([root, fields]) =>
    fields.map((field) => `${root}.${field}`),
  ),
  'item',
  'languages',
  'pages',
]

export const isPageField = (name: string): boolean => PAGE_FIELDS.includes(name)

/** Why no site has the value of a path; undefined if some may have it. */
export function findUnknownField({ root, keys, text }: Path): string | undefined {
  const fields = FIELDS[root]
  const [field = ''] = keys
  if (!fields || fields.includes(field)) return undefined
  const known = fields.map((name) => `${root}.${name}`)
  return `"${excerptOf(text)}" names no value; it prints nothing.${didYouMean(`${root}.${field}`, known)}`
}

/** How many keys each root requires and accepts. A row may be a bare value, so `item` requires none. */
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

type PathRoot = keyof typeof ROOTS

const KEY = /^[A-Za-z0-9_-]+$/

/** Names that every object inherits. */
const INHERITED = new Set(['__proto__', 'constructor', 'prototype'])

/** Longer texts are invalid, in characters. */
export const MAX_PATH_LENGTH = 1000

/** Parses a value path; undefined if it is not a text, or an invalid one. */
export function parsePath(text: unknown): Path | undefined {
  if (typeof text !== 'string') return undefined
  const trimmed = text.trim()
  if (trimmed.length > MAX_PATH_LENGTH) return undefined
  const [root = '', ...keys] = trimmed.split('.')
  if (!isRoot(root)) return undefined
  if (keys.length < ROOTS[root].least || keys.length > ROOTS[root].most) return undefined
  if (!keys.every((key) => KEY.test(key) && !INHERITED.has(key))) return undefined
  return { text: trimmed, root, keys }
}

/**
 * The data source that a path reads, as named in reports: a whole data set for any path into it. Undefined for `props.*` and `item.*`,
 * whose values come from the surrounding frame or repeat.
 */
export function findSourceName(path: Path): string | undefined {
  if (path.root === 'props' || path.root === 'item') return undefined
  return path.root === 'dataset' ? `dataset.${path.keys[0]}` : path.text
}

function isRoot(name: string): name is PathRoot {
  return Object.hasOwn(ROOTS, name)
}
