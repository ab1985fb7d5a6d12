import type { Db } from '../../db/database.ts'
import { AppError } from '../../host/errors.ts'
import {
  assertLanguage,
  type Languages,
  readLanguages,
} from '../../wordpress/languages/languages.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { findPages, getPage, type PageRef } from '../../wordpress/pages/pages.ts'
import { isPage, type Page, readPosts } from '../../wordpress/pages/posts.ts'
import { readLinkSettings } from '../../wordpress/permalinks/link-settings.ts'

/** Nobody sees such pages, not even a signed-in editor. */
const UNSEEN_STATUSES = new Set(['trash', 'auto-draft'])

/**
 * The page to preview: that of `ref`, or the static front page for `/`.
 * @param lang the page in this language: the one that `ref` names, or its translation
 * @throws AppError `page_not_found`, `ambiguous_page`, `unknown_language`, `polylang_inactive`
 * @throws AppError `page_not_found` for a page in the trash, without a translation, or a front page that lists posts
 */
export async function findPreviewedPage(
  db: Db,
  site: Site,
  ref: PageRef,
  lang: string | undefined,
): Promise<Page> {
  const languages = await readLanguages(db, site)
  if (lang !== undefined) assertLanguage(languages, lang)
  const named = ref === '/' ? await findFrontPage(db, site, languages) : ref
  const page = await findInLanguage(db, site, languages, { ref: named, lang })
  if (!UNSEEN_STATUSES.has(page.status)) return page
  throw new AppError('page_not_found', `The page ${page.id} is in the trash or was never saved.`)
}

async function findFrontPage(db: Db, site: Site, languages: Languages): Promise<number> {
  const { front } = await readLinkSettings(db, site, Promise.resolve(languages))
  if (front.page) return front.page.id
  throw new AppError('page_not_found', 'The front page of this site lists posts. Name a page.')
}

async function findInLanguage(
  db: Db,
  site: Site,
  languages: Languages,
  { ref, lang }: { readonly ref: PageRef; readonly lang: string | undefined },
): Promise<Page> {
  if (lang === undefined) return getPage(db, site, languages, ref)
  const shownIn = (page: Page) => page.lang ?? languages.default
  const [found = []] = await findPages(db, site, languages, [ref])
  const [own, ...others] = found.filter((page) => shownIn(page) === lang)
  if (own && others.length === 0) return own
  const page = await getPage(db, site, languages, ref)
  const id = page.translations.get(lang)
  const translation =
    id === undefined ? undefined : (await readPosts(db, site, languages, { ids: [id] })).get(id)
  if (translation && isPage(translation)) return translation
  throw new AppError(
    'page_not_found',
    `The page "${ref}" has no translation in "${lang}". Leave "lang" out to see the page itself.`,
  )
}
