import type { Db } from '../../db/database.ts'
import { readableMenuName } from '../../wordpress/formatting/menu-texts.ts'
import { readableSlug } from '../../wordpress/formatting/readable-slug.ts'
import { readLocale } from '../../wordpress/languages/languages.ts'
import { assignmentsOf, readLocationMaps } from '../../wordpress/nav-menus/location-maps.ts'
import type { Menu } from '../../wordpress/nav-menus/nav-menu.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { readOption, readOptionsMatching } from '../../wordpress/options/read-options.ts'
import { THEME_MODS_PREFIX } from '../../wordpress/options/theme-mods.ts'
import type { LinkSettings } from '../../wordpress/permalinks/link-settings.ts'
import { type PortableItems, readPortableItems } from './portable-items.ts'

/** An assignment of a menu. */
export type PortableAssignment = {
  readonly location: string
  /** Code of the language; absent on a site without languages. */
  readonly lang?: string | undefined
  /** The theme's `stylesheet`, if it is not the active theme. */
  readonly theme?: string | undefined
}

/** A menu without ids, so that it can be recreated on another site. */
export type PortableMenu = PortableItems & {
  /** Decoded. */
  readonly name: string
  readonly slug: string
  readonly assignments: readonly PortableAssignment[]
}

/** Reads a menu with its items and its assignments in all themes. */
export async function readPortableMenu(
  db: Db,
  site: Site,
  links: LinkSettings,
  menu: Menu,
): Promise<PortableMenu> {
  const [locale, assignments, items] = await Promise.all([
    readLocale(db, site),
    listAssignments(db, site, links, menu.id),
    readPortableItems(db, site, links, menu.id),
  ])
  return {
    name: readableMenuName(menu.name),
    slug: readableSlug(menu.slug, locale),
    assignments,
    ...items,
  }
}

/** A location in the format of `--location`: `header`, `header:fr`; followed by the theme unless it is the active one. */
export function formatLocation({ location, lang, theme }: PortableAssignment): string {
  const at = lang === undefined ? location : `${location}:${lang}`
  return theme === undefined ? at : `${at} of the theme ${theme}`
}

async function listAssignments(
  db: Db,
  site: Site,
  { languages }: LinkSettings,
  menuId: number,
): Promise<PortableAssignment[]> {
  const activeTheme = (await readOption(db, site, 'stylesheet')) ?? ''
  const mods = [...(await readOptionsMatching(db, site, THEME_MODS_PREFIX, '')).keys()]
  const themes = new Set([activeTheme, ...mods.map((name) => name.slice(THEME_MODS_PREFIX.length))])
  const assignments: PortableAssignment[] = []
  for (const theme of themes) {
    const maps = await readLocationMaps(db, site, theme)
    for (const { location, lang } of assignmentsOf(maps, languages, menuId)) {
      assignments.push({
        location,
        ...(lang === null ? {} : { lang }),
        ...(theme === activeTheme ? {} : { theme }),
      })
    }
  }
  return assignments
}
