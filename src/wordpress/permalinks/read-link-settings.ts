import type { Db } from '../../db/database.ts'
import { trimEnd } from '../formatting/plain-text.ts'
import type { Languages } from '../languages/language.ts'
import { readLanguages } from '../languages/read-languages.ts'
import { readHome } from '../network/find-sites.ts'
import type { Site } from '../network/site.ts'
import { readOptions } from '../options/read-options.ts'
import type { Post } from '../pages/post.ts'
import { readPosts } from '../pages/read-posts.ts'
import type { LinkSettings, StaticPage } from './link-settings.ts'
import { permalinkStructure } from './permalink-structure.ts'

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
  const { ids: likely = [] } = (db.memory.get(key) ?? {}) as StaticPageIds
  const asked = new Set([...ids, ...likely])
  const pages = await readPosts(db, site, languages, { ids: [...asked] })
  const translations = ids.flatMap((id) => [...(pages.get(id)?.translations.values() ?? [])])
  const missing = translations.filter((id) => !asked.has(id))
  if (missing.length === 0) return pages
  db.memory.set(key, { ids: translations }, { size: key.length + 8 * translations.length })
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
