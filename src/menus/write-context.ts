import type { Change } from '../change.ts'
import type { Db } from '../db/database.ts'
import { currentTime, readTimeSettings } from '../wordpress/dates.ts'
import { readLocale } from '../wordpress/languages/languages.ts'
import type { ItemContext } from '../wordpress/nav-menus/insert-menu-items.ts'
import type { Site } from '../wordpress/network/site.ts'
import { type LinkSettings, readLinkSettings } from '../wordpress/permalinks/link-settings.ts'
import { readSiteRights } from '../wordpress/users/site-membership.ts'
import type { User } from '../wordpress/users/users.ts'

/** Who writes to a menu, when, and by which settings of the site: all that a write needs besides what it writes. */
export type WriteContext = ItemContext & {
  readonly links: LinkSettings
  /** Titles are stored as sent; those of other users than super administrators are filtered (map_meta_cap, capabilities.php). */
  readonly unfilteredHtml: boolean
}

/** What `user` writes with on this site now. */
export async function readWriteContext(
  db: Db,
  site: Site,
  user: User,
  now: () => Date,
): Promise<WriteContext> {
  const [links, locale, time, { superAdmin }] = await Promise.all([
    readLinkSettings(db, site),
    readLocale(db, site),
    readTimeSettings(db, site),
    readSiteRights(db, site, user),
  ])
  return {
    links,
    locale,
    home: links.home,
    moment: currentTime(time, now),
    userId: user.id,
    unfilteredHtml: superAdmin,
  }
}

/** What every write of a menu but its renaming changes: frames that show menus are to be built anew. */
export const MENU_CHANGE: Change = { bake: true, touched: [{ kind: 'menus' }], pages: [] }
