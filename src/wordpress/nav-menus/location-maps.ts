import type { Db } from '../../db/database.ts'
import type { Languages } from '../languages/languages.ts'
import type { Site } from '../network/site.ts'
import { readOptions } from '../options/read-options.ts'
import { themeModsOption } from '../options/theme-mods.ts'
import { arrayIn, idIn, storedArray } from '../stored-value.ts'
import { isPlainId, menuIdOf } from './menu-of-value.ts'
import { listMenus } from './nav-menu.ts'

/** The menus assigned to the locations of a theme. Ids may belong to deleted menus; 0 means none. */
export type LocationMaps = {
  /** The theme's `stylesheet`. */
  readonly theme: string
  /** `nav_menu_locations` of its mods: under Polylang, the default language's menus. */
  readonly byTheme: ReadonlyMap<string, number>
  /** Whether `byTheme` is stored with names of menus, and not with ids only. */
  readonly hasNames: boolean
  /** Location to language code to menu id, from Polylang's option. */
  readonly byLanguage: ReadonlyMap<string, ReadonlyMap<string, number>>
}

/** A location of one theme to which a menu is assigned. */
type Assignment = {
  readonly location: string
  /** Null on a site without languages, and for an assignment that is only in the theme's map, which Polylang overrides. */
  readonly lang: string | null
}

/**
 * Id of the menu assigned to a location, 0 for none. On a site with languages Polylang's map decides, whatever the theme's map contains.
 * @param lang null for the default language
 */
export function menuIdAt(
  maps: LocationMaps,
  languages: Languages,
  location: string,
  lang: string | null,
): number {
  if (languages.list.length === 0) return maps.byTheme.get(location) ?? 0
  return maps.byLanguage.get(location)?.get(lang ?? languages.default ?? '') ?? 0
}

/**
 * Id of the menu that visitors see at a location, 0 for none. Polylang fills only locations that are registered in the theme's map, even
 * if with no menu (PLL frontend-nav-menu.php, nav_menu_locations).
 */
export function shownMenuId(
  maps: LocationMaps,
  languages: Languages,
  location: string,
  lang: string | null,
): number {
  return maps.byTheme.has(location) ? menuIdAt(maps, languages, location, lang) : 0
}

/** The assignments of a menu, in the order of the contract. */
export function assignmentsOf(
  maps: LocationMaps,
  languages: Languages,
  menuId: number,
): Assignment[] {
  const inLanguages = [...maps.byLanguage].flatMap(([location, menus]) =>
    languages.list
      .filter(({ slug }) => menus.get(slug) === menuId)
      .map(({ slug }): Assignment => ({ location, lang: slug })),
  )
  const isInDefault = (location: string): boolean =>
    inLanguages.some((other) => other.location === location && other.lang === languages.default)
  const inTheme = [...maps.byTheme]
    .filter(([location, id]) => id === menuId && !isInDefault(location))
    .map(([location]): Assignment => ({ location, lang: null }))
  return [...inLanguages, ...inTheme]
}

/**
 * Id of the menu to show in a language when a menu is requested by id: its counterpart at the first location it is assigned to, if there
 * is one (PLL frontend-nav-menu.php, wp_nav_menu_args).
 */
export function translatedMenuId(maps: LocationMaps, menuId: number, lang: string | null): number {
  for (const menus of maps.byLanguage.values()) {
    const counterpart = menus.get(lang ?? '')
    if (counterpart && [...menus.values()].includes(menuId)) return counterpart
  }
  return menuId
}

/**
 * Reads the location maps of a theme, by default the active one. Polylang sometimes writes language locations (`header___fr`) into the
 * theme's map; they are ignored (PLL nav-menu.php, combine_location).
 */
export async function readLocationMaps(db: Db, site: Site, theme?: string): Promise<LocationMaps> {
  const { stylesheet, options } = await readThemeOptions(db, site, theme)
  const byTheme = arrayIn(
    storedArray(options.get(themeModsOption(stylesheet))).get('nav_menu_locations'),
  )
  // Other programs and imports also store slugs, names and terms.
  const hasNames = ![...byTheme.values()].every(isPlainId)
  const menus = hasNames ? await listMenus(db, site) : []
  const navMenus = arrayIn(storedArray(options.get('polylang')).get('nav_menus'))
  return {
    theme: stylesheet,
    hasNames,
    byTheme: new Map(
      [...byTheme]
        .map(([location, id]): [string, number] => [String(location), menuIdOf(id, menus)])
        .filter(([location]) => !location.includes('___')),
    ),
    byLanguage: new Map(
      [...arrayIn(navMenus.get(stylesheet))].map(([location, menus]) => [
        String(location),
        new Map([...arrayIn(menus)].map(([lang, id]) => [String(lang), idIn(id)])),
      ]),
    ),
  }
}

type ThemeOptions = {
  readonly stylesheet: string
  readonly options: ReadonlyMap<string, string>
}

/**
 * Reads Polylang's option and the theme's mods, usually in one statement: the active theme is cached, and if it has changed, a second
 * statement reads the mods of the new one.
 */
async function readThemeOptions(db: Db, site: Site, theme?: string): Promise<ThemeOptions> {
  const key = `theme ${site.prefix}`
  const { stylesheet: likely = '' } = (db.cache.get(key) ?? {}) as LastTheme
  const expected = theme ?? likely
  const options = await readOptions(db, site, ['stylesheet', 'polylang', themeModsOption(expected)])
  const stylesheet = theme ?? options.get('stylesheet') ?? ''
  if (stylesheet === expected) return { stylesheet, options }
  db.cache.set(key, { stylesheet }, { size: key.length + stylesheet.length })
  const mods = await readOptions(db, site, [themeModsOption(stylesheet)])
  return { stylesheet, options: new Map([...options, ...mods]) }
}

type LastTheme = { readonly stylesheet?: string }
