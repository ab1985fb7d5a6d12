import type { Db } from '../../db/database.ts'
import { readLanguages } from '../languages/read-languages.ts'
import type { Site } from '../network/site.ts'
import { readOptions } from '../options/read-option.ts'
import type { Post } from '../pages/post.ts'
import { readPosts } from '../pages/read-posts.ts'
import type { LinkSettings, StaticPage } from './link-settings.ts'
import { permalinkStructure } from './permalink-structure.ts'

const OPTIONS = [
  'permalink_structure',
  'show_on_front',
  'page_on_front',
  'page_for_posts',
  'category_base',
  'tag_base',
]

/** A site's link settings, in at most six statements: two more than the four at once only where the front is a page. */
export async function readLinkSettings(db: Db, site: Site): Promise<LinkSettings> {
  const [options, languages] = await Promise.all([
    readOptions(db, site, OPTIONS),
    readLanguages(db, site),
  ])
  const text = (name: string): string => options.get(name) ?? ''
  const isStatic = text('show_on_front') === 'page'
  const ids = [text('page_on_front'), text('page_for_posts')].map((id) => (isStatic ? +id || 0 : 0))
  const named = await readPosts(db, site, languages, { ids: ids.filter((id) => id > 0) })
  const translated = await readPosts(db, site, languages, {
    ids: ids.flatMap((id) => [...(named.get(id)?.translations.values() ?? [])]),
  })
  const [front, posts] = ids.map((id) => staticPage(id, named, translated))
  return {
    home: site.home,
    structure: permalinkStructure(text('permalink_structure')),
    categoryBase: text('category_base').replace(/\/+$/, ''),
    tagBase: text('tag_base').replace(/\/+$/, ''),
    languages,
    front: front ?? NONE,
    posts: posts ?? NONE,
  }
}

const NONE: StaticPage = { id: 0, page: undefined, translations: new Map() }

function staticPage(
  id: number,
  named: ReadonlyMap<number, Post>,
  translated: ReadonlyMap<number, Post>,
): StaticPage {
  const page = named.get(id)
  const translations = new Map<string, Post>()
  for (const [lang, translation] of page?.translations ?? []) {
    const post = translated.get(translation)
    if (post) translations.set(lang, post)
  }
  return { id, page, translations }
}
