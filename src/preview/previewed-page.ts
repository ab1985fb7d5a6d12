import type { Db } from '../db/database.ts'
import { AppError } from '../errors.ts'
import { assertLanguage } from '../menus/locations.ts'
import { type Languages, readLanguages } from '../wordpress/languages/languages.ts'
import type { Site } from '../wordpress/network/site.ts'
import { findPages, getPage, type PageRef } from '../wordpress/pages/pages.ts'
import { isPage, type Page, readPosts } from '../wordpress/pages/posts.ts'

/** Nobody sees such pages, not even a signed-in editor. */
const UNSEEN_STATUSES = new Set(['trash', 'auto-draft'])

/**
 * The page to preview.
 * @param lang the page in this language: the one that `ref` names, or its translation
 * @throws DomainError `page_not_found`, `ambiguous_page`, `unknown_language`, `polylang_inactive`
 * @throws AppError `page_not_found` for a page in the trash, or without a translation
 */
export async function findPreviewedPage(
  db: Db,
  site: Site,
  ref: PageRef,
  lang: string | undefined,
): Promise<Page> {
  const languages = await readLanguages(db, site)
  if (lang !== undefined) assertLanguage(languages, lang)
  const page = await findInLanguage(db, site, languages, { ref, lang })
  if (!UNSEEN_STATUSES.has(page.status)) return page
  throw new AppError('page_not_found', `The page ${page.id} is in the trash or was never saved.`)
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
