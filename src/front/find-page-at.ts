import type { Db } from '../db/database.ts'
import type { Site } from '../wordpress/network/site.ts'
import { findPages } from '../wordpress/pages/find-pages.ts'
import type { Post } from '../wordpress/pages/post.ts'
import type { LinkSettings } from '../wordpress/permalinks/link-settings.ts'
import { postUrl } from '../wordpress/permalinks/post-url.ts'
import { readLinkSettings } from '../wordpress/permalinks/read-link-settings.ts'

/** The page at a path of a site's host and its own address. */
export async function findPageAt(
  db: Db,
  site: Site,
  path: string,
): Promise<{ page: Post; url: string } | undefined> {
  const links = await readLinkSettings(db, site)
  const { lang, names } = namesBelow(links, site.path, path)
  const front = lang === null ? links.front.page : links.front.translations.get(lang)
  if (names.length === 0) return front && { page: front, url: postUrl(links, front) }
  const [pages = []] = await findPages(db, site, links.languages, [names.join('/')])
  const page = pages.find((candidate) => candidate.lang === lang) ?? pages[0]
  return page && { page, url: postUrl(links, page) }
}

/** The names of a path below the site's own, the language's mark taken off. */
function namesBelow(
  { languages, structure }: LinkSettings,
  sitePath: string,
  path: string,
): { lang: string | null; names: string[] } {
  const names = path
    .slice(sitePath.length - 1)
    .split('/')
    .filter((name) => name !== '')
  if (structure.root !== '' && names[0] === 'index.php') names.shift()
  if (!languages.settings.rewrite && names[0] === 'language') names.shift()
  const marked = languages.list.find(({ slug }) => slug === names[0])
  if (marked) names.shift()
  return { lang: marked?.slug ?? languages.default, names }
}
