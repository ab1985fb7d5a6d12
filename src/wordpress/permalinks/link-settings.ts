import type { Db } from '../../db/database.ts'
import { trimEnd } from '../formatting/plain-text.ts'
import { type Languages, readLanguages } from '../languages/languages.ts'
import { readHome } from '../network/find-sites.ts'
import type { Site } from '../network/site.ts'
import { readOptions } from '../options/read-options.ts'
import { type Post, readPosts } from '../pages/posts.ts'

/** All that the addresses of a site depend on, read once: with it they are made without a statement. */
export type LinkSettings = {
  /** The option `home`, without a slash at its end. */
  readonly home: string
  readonly structure: PermalinkStructure
  /** Options `category_base` and `tag_base`; '' for WordPress's own words. */
  readonly categoryBase: string
  readonly tagBase: string
  readonly languages: Languages
  /** The static front page; none where the front shows posts. */
  readonly front: StaticPage
  /** The page that lists the posts, where the front is a page. */
  readonly posts: StaticPage
}

/** A page that an option names, and its counterparts in the languages. */
export type StaticPage = {
  /** As the option has it; 0 for none. */
  readonly id: number
  readonly page: Post | undefined
  /** Language code to the page in that language (PLL static-pages.php, get_translation). */
  readonly translations: ReadonlyMap<string, Post>
}

/** Whether addresses are `/about/` and not `/?page_id=7`. */
export function isPretty({ structure }: LinkSettings): boolean {
  return structure.text !== ''
}

/** The option `permalink_structure`, read as WordPress and Polylang read it (class-wp-rewrite.php, init). */
export type PermalinkStructure = {
  /** `/blog/%year%/%postname%/`; '' for plain addresses. */
  readonly text: string
  /** `index.php/` where the server rewrites nothing, else ''. */
  readonly root: string
  /** What stands before the first tag, without a slash before it: `blog/`. */
  readonly front: string
  /** Addresses end with a slash. */
  readonly trailingSlash: boolean
}

/** The parts of a permalink structure. */
export function permalinkStructure(text: string): PermalinkStructure {
  return {
    text,
    root: /^\/*index\.php/.test(text) ? 'index.php/' : '',
    front: text.slice(0, Math.max(0, text.indexOf('%'))).replace(/^\/+/, ''),
    trailingSlash: text.endsWith('/'),
  }
}

/** The address with or without a slash at its end, as the structure has it (user_trailingslashit, link-template.php). */
export function endAddress({ trailingSlash }: PermalinkStructure, address: string): string {
  const bare = trimEnd(address, '/')
  return trailingSlash ? `${bare}/` : bare
}

const LINK_OPTIONS = [
  'permalink_structure',
  'show_on_front',
  'page_on_front',
  'page_for_posts',
  'category_base',
  'tag_base',
]

/**
 * A site's link settings, in two statements at once, and one more where the front is a page.
 * @param languages where they are being read already
 */
export async function readLinkSettings(
  db: Db,
  site: Site,
  languages = readLanguages(db, site),
): Promise<LinkSettings> {
  const [home, options, known] = await Promise.all([
    readHome(db, site),
    readOptions(db, site, LINK_OPTIONS),
    languages,
  ])
  const text = (name: string): string => options.get(name) ?? ''
  const isStatic = text('show_on_front') === 'page'
  const ids = [text('page_on_front'), text('page_for_posts')].map((id) => (isStatic ? +id || 0 : 0))
  const pages = await readStaticPages(
    db,
    site,
    known,
    ids.filter((id) => id > 0),
  )
  const [front, posts] = ids.map((id) => staticPageOf(id, pages))
  return {
    home,
    structure: permalinkStructure(text('permalink_structure')),
    categoryBase: trimEnd(text('category_base'), '/'),
    tagBase: trimEnd(text('tag_base'), '/'),
    languages: known,
    front: front ?? NO_PAGE,
    posts: posts ?? NO_PAGE,
  }
}

const NO_PAGE: StaticPage = { id: 0, page: undefined, translations: new Map() }

/**
 * These pages and their translations. Which those are, only the pages tell; those of the last time most likely still are, and are read with
 * them.
 */
async function readStaticPages(
  db: Db,
  site: Site,
  languages: Languages,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Post>> {
  if (ids.length === 0) return new Map()
  const key = `static pages ${site.prefix}`
  const { ids: likely = [] } = (db.cache.get(key) ?? {}) as StaticPageIds
  const asked = new Set([...ids, ...likely])
  const pages = await readPosts(db, site, languages, { ids: [...asked] })
  const translations = ids.flatMap((id) => [...(pages.get(id)?.translations.values() ?? [])])
  const missing = translations.filter((id) => !asked.has(id))
  if (missing.length === 0) return pages
  db.cache.set(key, { ids: translations }, { size: key.length + 8 * translations.length })
  return new Map([...pages, ...(await readPosts(db, site, languages, { ids: missing }))])
}

type StaticPageIds = { readonly ids?: readonly number[] }

function staticPageOf(id: number, pages: ReadonlyMap<number, Post>): StaticPage {
  const page = pages.get(id)
  const translations = new Map<string, Post>()
  for (const [lang, translation] of page?.translations ?? []) {
    const post = pages.get(translation)
    if (post) translations.set(lang, post)
  }
  return { id, page, translations }
}
