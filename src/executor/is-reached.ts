import type { Db } from '../db/database.ts'
import { findBlogByAddress } from '../wordpress/network/find-site.ts'
import type { Site } from '../wordpress/network/site.ts'
import { sitePaths } from '../wordpress/network/site-paths.ts'
import type { Page } from '../wordpress/pages/post.ts'
import { parseUrl } from '../wordpress/permalinks/address.ts'
import { findPageAt } from '../wordpress/permalinks/find-page-at.ts'
import type { LinkSettings } from '../wordpress/permalinks/link-settings.ts'

/**
 * Does the address of a page lead to it? A page of the main site may bear the name of another site's folder, and languages may share a
 * front page's address: then another page is shown there, and a copy of this one would hide it.
 */
export async function isReached(
  { db, site }: { readonly db: Db; readonly site: Site },
  links: LinkSettings,
  page: Page,
  url: string,
): Promise<boolean> {
  const address = parseUrl(url)
  if (!address) return false
  const blog = await findBlogByAddress(db, site.globals, address.host, sitePaths(address.names))
  if (blog && blog.blog_id !== site.blogId) return false
  const found = await findPageAt(db, site, links, address)
  return found?.exact === true && found.page.id === page.id
}
