import type { Db } from '../../db/database.ts'
import { trimEnd } from '../formatting/plain-text.ts'
import { type Languages, readLanguages } from '../languages/languages.ts'
import { readHome } from '../network/find-sites.ts'
import type { Site } from '../network/site.ts'
import { readOptions } from '../options/read-options.ts'
import { type Post, readPosts } from '../pages/posts.ts'
import { idIn } from '../stored-value.ts'

/** The settings that determine a site's links. With them, links are built without a statement. */
export type LinkSettings = {
  readonly home: string
  readonly structure: PermalinkStructure
  /** Options `category_base` and `tag_base`; '' for WordPress's defaults. */
  readonly categoryBase: string
  readonly tagBase: string
  readonly languages: Languages
  /** The static front page; none if the front page shows posts. */
  readonly front: StaticPage
  /** The page that lists the posts, if the front page is static. */
  readonly posts: StaticPage
}

/** A page that an option refers to, and its translations. */
type StaticPage = {
  /** The id in the option; 0 for none. */
  readonly id: number
  readonly page: Post | undefined
  /** Language code to the page in that language (PLL static-pages.php, get_translation). */
  readonly translations: ReadonlyMap<string, Post>
}

/** Whether links are `/about/` instead of `/?page_id=7`. */
export function isPretty({ structure }: LinkSettings): boolean {
  return structure.text !== ''
}

/** The option `permalink_structure`, parsed like in WordPress and Polylang (class-wp-rewrite.php, init). */
export type PermalinkStructure = {
  /** `/blog/%year%/%postname%/`; '' for plain links. */
  readonly text: string
  /** `index.php/` if the server rewrites no URLs, else ''. */
  readonly root: string
  /** The part before the first tag, without a leading slash: `blog/`. */
  readonly front: string
  /** Whether links end with a slash. */
  readonly trailingSlash: boolean
}

export function permalinkStructure(text: string): PermalinkStructure {
  return {
    text,
    root: /^\/*index\.php/.test(text) ? 'index.php/' : '',
    front: text.slice(0, Math.max(0, text.indexOf('%'))).replace(/^\/+/, ''),
    trailingSlash: text.endsWith('/'),
  }
}

/** The URL with or without a slash at its end, according to the structure (user_trailingslashit, link-template.php). */
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
 * Reads a site's link settings, in two concurrent statements, and a third one if the front page is static. Which pages that reads is only known
 * after the other two; those of the last read are usually still right, so they are read at the same time.
 * @param languages the site's languages, if they are already being read
 */
export async function readLinkSettings(
  db: Db,
  site: Site,
  languages = readLanguages(db, site),
): Promise<LinkSettings> {
  const { ids: expected = [] } = (db.cache.get(staticPagesKey(site)) ?? {}) as StaticPageIds
  const [home, options, known, found] = await Promise.all([
    readHome(db, site),
    readOptions(db, site, LINK_OPTIONS),
    languages,
    readPosts(db, site, languages, { ids: expected }),
  ])
  const text = (name: string): string => options.get(name) ?? ''
  const isStatic = text('show_on_front') === 'page'
  const ids = [text('page_on_front'), text('page_for_posts')].map((id) => (isStatic ? idIn(id) : 0))
  const pages = await completeStaticPages(
    db,
    site,
    known,
    ids.filter((id) => id > 0),
    { ids: expected, found },
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

/** Reads those of these pages and their translations that were not expected. Only the pages themselves list their translations. */
async function completeStaticPages(
  db: Db,
  site: Site,
  languages: Languages,
  ids: readonly number[],
  expected: { readonly ids: readonly number[]; readonly found: ReadonlyMap<number, Post> },
): Promise<ReadonlyMap<number, Post>> {
  const requested = new Set(expected.ids)
  const pages = new Map(expected.found)
  const readMissing = async (wanted: readonly number[]): Promise<void> => {
    const missing = wanted.filter((id) => !requested.has(id))
    for (const id of missing) requested.add(id)
    for (const [id, page] of await readPosts(db, site, languages, { ids: missing }))
      pages.set(id, page)
  }
  await readMissing(ids)
  const translations = ids.flatMap((id) => [...(pages.get(id)?.translations.values() ?? [])])
  await readMissing(translations)
  const needed = [...new Set([...ids, ...translations])]
  if (needed.length !== expected.ids.length || requested.size !== expected.ids.length) {
    const key = staticPagesKey(site)
    db.cache.set(key, { ids: needed }, { size: key.length + 8 * needed.length })
  }
  return pages
}

const staticPagesKey = ({ prefix }: Site): string => `static pages ${prefix}`

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
