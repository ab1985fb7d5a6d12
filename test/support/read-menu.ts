import type { Db } from '../../src/db/database.ts'
import { linkItems, readStoredMenu } from '../../src/wordpress/nav-menus/read-menu.ts'
import type { Site } from '../../src/wordpress/network/site.ts'
import type { LinkSettings } from '../../src/wordpress/permalinks/link-settings.ts'

/** The menu with this id, its items and the objects they link; undefined if there is none. */
export async function readMenu(
  db: Db,
  site: Site,
  links: LinkSettings,
  menuId: number,
  lang: string | null = null,
) {
  const stored = await readStoredMenu(db, site, menuId)
  return stored && linkItems(db, site, links, stored, lang)
}
