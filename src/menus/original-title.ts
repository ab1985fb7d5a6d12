import type { Db } from '../db/database.ts'
import type { MenuItem } from '../wordpress/nav-menus/menu-item.ts'
import { readTerms } from '../wordpress/nav-menus/read-terms.ts'
import type { Site } from '../wordpress/network/site.ts'
import { readPosts } from '../wordpress/pages/read-posts.ts'
import type { LinkSettings } from '../wordpress/permalinks/link-settings.ts'

/** The title of what an item links, as stored; undefined for an address, an archive, and what is gone. */
export async function findOriginalTitle(
  db: Db,
  site: Site,
  { languages }: LinkSettings,
  { type, object, objectId }: MenuItem,
): Promise<string | undefined> {
  if (type === 'post_type') {
    const posts = await readPosts(db, site, languages, { ids: [objectId] })
    return posts.get(objectId)?.title
  }
  if (type !== 'taxonomy') return undefined
  const terms = await readTerms(db, site, languages, { ids: [objectId] })
  return terms.find(({ id, taxonomy }) => id === objectId && taxonomy === object)?.name
}
