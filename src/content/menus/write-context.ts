import type { Db } from '../../db/database.ts'
import { currentTime, readTimeSettings } from '../../wordpress/dates.ts'
import { type Languages, readLocale } from '../../wordpress/languages/languages.ts'
import type { ItemContext } from '../../wordpress/nav-menus/insert-menu-items.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { type LinkSettings, readLinkSettings } from '../../wordpress/permalinks/link-settings.ts'
import type { Change } from '../work/change.ts'
import { workOn } from '../work/work.ts'

/** Who writes to a menu, and whether they may write any HTML. */
export type MenuWriter = {
  readonly userId: number
  /** Stores texts as sent. Only super administrators may do so, other users' texts are filtered (map_meta_cap, capabilities.php). */
  readonly unfilteredHtml: boolean
}

/** The writer, the time, and the site's settings that a write of a menu depends on. */
export type WriteContext = MenuWriter & ItemContext & { readonly links: LinkSettings }

/** Reads the site's settings for a write that happens now. */
export async function readWriteContext(
  db: Db,
  site: Site,
  { userId, unfilteredHtml }: MenuWriter,
  now: () => Date,
): Promise<WriteContext> {
  const [links, locale, time] = await Promise.all([
    readLinkSettings(db, site),
    readLocale(db, site),
    readTimeSettings(db, site),
  ])
  const moment = currentTime(time, now)
  return { userId, unfilteredHtml, links, locale, home: links.home, moment }
}

/** The languages of the site of a write. */
export function languagesOf(
  context: WriteContext | Promise<WriteContext>,
): Languages | Promise<Languages> {
  if (!(context instanceof Promise)) return context.links.languages
  const languages = context.then(({ links }) => links.languages)
  // Not every reference needs the languages. A failed read rejects the context too.
  languages.catch(() => {})
  return languages
}

/** The change that every write of a menu makes, except a rename, since frames do not show names of menus: frames that show menus must be rebaked. */
export const MENU_CHANGE: Change = { bake: true, work: workOn('menus') }
