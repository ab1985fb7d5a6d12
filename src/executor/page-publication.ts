import type { Db } from '../db/database.ts'
import type { Publication } from '../publishing/publish-page.ts'
import { findBlogByAddress } from '../wordpress/network/find-site.ts'
import { isClosed } from '../wordpress/network/is-closed.ts'
import type { Site } from '../wordpress/network/site.ts'
import { sitePaths } from '../wordpress/network/site-paths.ts'
import type { Page } from '../wordpress/pages/post.ts'
import { parseUrl } from '../wordpress/permalinks/address.ts'
import { findPageAt, isPublic } from '../wordpress/permalinks/find-page-at.ts'
import { isPretty } from '../wordpress/permalinks/link-settings.ts'
import type { SiteBuild } from './site-build.ts'

/**
 * Do visitors get a page at its own address? Only one that is public, and not where another page is shown: a page of the main site may
 * bear the name of another site's folder, and languages may share the address of their front pages.
 */
export async function isReached(
  db: Db,
  site: Site,
  build: SiteBuild,
  page: Page,
): Promise<boolean> {
  const address = parseUrl(await build.data.urlOf(page))
  if (!address || isClosed(site) || !isPublic(page)) return false
  const blog = await findBlogByAddress(db, site.globals, address.host, sitePaths(address.names))
  if (blog && blog.blog_id !== site.blogId) return false
  const found = await findPageAt(db, site, await build.data.links(), address)
  return found?.exact === true && found.page.id === page.id
}

/**
 * What the static copy of a page should be, or why there is none.
 * @param page undefined for one that is gone
 * @param reached what `isReached` says of it
 */
export async function pagePublication(
  site: Site,
  build: SiteBuild,
  page: Page | undefined,
  reached: boolean,
): Promise<Publication> {
  if (!page) return hidden('The page is gone.')
  if (isClosed(site)) return hidden('The site is archived, spam or deleted.')
  if (!isPretty(await build.data.links())) {
    return {
      reason: 'plain_permalinks',
      message: "The site's permalinks are plain, so no file can stand for a page.",
    }
  }
  const publication = await build.render(page)
  if ('html' in publication && !reached) return hidden('Another page is shown at its address.')
  return publication
}

function hidden(message: string): Publication {
  return { reason: 'page_not_public', message }
}
