import type { Languages } from '../languages/languages.ts'

/** Which menu stands at which location of a theme. Ids may be of menus that are gone; 0 is none. */
export type LocationMaps = {
  /** The theme's `stylesheet`. */
  readonly theme: string
  /** `nav_menu_locations` of its mods: under Polylang, the default language's menus. */
  readonly byTheme: ReadonlyMap<string, number>
  /** Location to language code to menu, as Polylang has them. */
  readonly byLanguage: ReadonlyMap<string, ReadonlyMap<string, number>>
}

/** A place where a menu is set. */
export type Assignment = {
  readonly location: string
  /** Null on a site without languages, and for a place in the theme's map alone, which Polylang overrides. */
  readonly lang: string | null
}

/**
 * Id of the menu that is set at a location, 0 for none: with languages it is Polylang's map that counts, whatever the theme's says.
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
 * Id of the menu that visitors see at a location, 0 for none. Polylang fills only locations that the theme's map knows, be it with no
 * menu (PLL frontend-nav-menu.php, nav_menu_locations).
 */
export function shownMenuId(
  maps: LocationMaps,
  languages: Languages,
  location: string,
  lang: string | null,
): number {
  return maps.byTheme.has(location) ? menuIdAt(maps, languages, location, lang) : 0
}

/** The places where a menu is set, as the contract lists them. */
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
    inLanguages.some((place) => place.location === location && place.lang === languages.default)
  const inTheme = [...maps.byTheme]
    .filter(([location, id]) => id === menuId && !isInDefault(location))
    .map(([location]): Assignment => ({ location, lang: null }))
  return [...inLanguages, ...inTheme]
}

/**
 * Id of the menu that is shown in a language where a menu is asked for by itself: its counterpart at the first location where it is
 * set, if there is one (PLL frontend-nav-menu.php, wp_nav_menu_args).
 */
export function translatedMenuId(maps: LocationMaps, menuId: number, lang: string | null): number {
  for (const menus of maps.byLanguage.values()) {
    const counterpart = menus.get(lang ?? '')
    if (counterpart && [...menus.values()].includes(menuId)) return counterpart
  }
  return menuId
}
