import type { Db } from '../db/database.ts'
import type { MenuItem } from '../wordpress/nav-menus/menu-item.ts'
import { untitled } from '../wordpress/nav-menus/new-item.ts'
import { readTerms } from '../wordpress/nav-menus/read-terms.ts'
import type { Site } from '../wordpress/network/site.ts'
import { readPosts } from '../wordpress/pages/posts.ts'
import type { LinkSettings } from '../wordpress/permalinks/link-settings.ts'

/** The title of what an item links, see `linkedTitle`; undefined for an address, an archive, and what is gone. */
export async function findOriginalTitle(
  db: Db,
  site: Site,
  { languages }: LinkSettings,
  { type, object, objectId }: MenuItem,
): Promise<string | undefined> {
  if (type === 'post_type') {
    const posts = await readPosts(db, site, languages, { ids: [objectId] })
    const post = posts.get(objectId)
    return post && (post.title || untitled(objectId))
  }
  if (type !== 'taxonomy') return undefined
  const terms = await readTerms(db, site, languages, { ids: [objectId] })
  const term = terms.find(({ id, taxonomy }) => id === objectId && taxonomy === object)
  return term && (term.name || untitled(objectId))
}
