import type { Db } from '../../db/database.ts'
import type { Languages } from '../languages/language.ts'
import type { Site } from '../network/site.ts'
import { type Page, isPage, readPosts } from './posts.ts'

/** All pages of a site by id, in one statement; without those in the trash and those never saved. */
export async function listPages(db: Db, site: Site, languages: Languages): Promise<Page[]> {
  const posts = await readPosts(db, site, languages, { type: 'page' })
  return [...posts.values()]
    .filter(isPage)
    .filter(({ status }) => status !== 'trash' && status !== 'auto-draft')
}
