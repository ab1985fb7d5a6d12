import type { Db } from '../../db/database.ts'
import { AppError } from '../../errors.ts'
import type { Languages } from '../languages/language.ts'
import type { Site } from '../network/site.ts'
import { type PageRef, findPages } from './find-pages.ts'
import type { Page } from './posts.ts'

/** A page that a reference may mean, as the contract shows it. */
export type PageCandidate = Pick<Page, 'id' | 'path' | 'lang' | 'status'>

/**
 * The one page that a reference names, as `findPages` understands it. Throws `page_not_found`, and `ambiguous_page` with
 * the first `candidates` where several bear the slug.
 */
export async function getPage(
  db: Db,
  site: Site,
  languages: Languages,
  ref: PageRef,
): Promise<Page> {
  const [pages = []] = await findPages(db, site, languages, [ref])
  const [page] = pages
  if (!page) throw new AppError('page_not_found', `This site has no page "${ref}".`)
  if (pages.length > 1) {
    const { message, candidates } = ambiguousPages(ref, pages)
    throw new AppError('ambiguous_page', message, { candidates })
  }
  return page
}

/** More than anyone looks through. */
const MAX_CANDIDATES = 50

/** What is said of a reference that several pages answer to, with the first of these. */
export function ambiguousPages(
  ref: PageRef,
  pages: readonly Page[],
): { readonly message: string; readonly candidates: readonly PageCandidate[] } {
  const first = pages.slice(0, MAX_CANDIDATES)
  const only = first.length < pages.length ? ` Only the first ${first.length} are listed.` : ''
  return {
    message: `${pages.length} pages answer to "${ref}": name one by its id or its full path.${only}`,
    candidates: first.map(pageCandidate),
  }
}

/** The fields of a page among which a caller chooses (decisions, section 8). */
function pageCandidate({ id, path, lang, status }: Page): PageCandidate {
  return { id, path, lang, status }
}
