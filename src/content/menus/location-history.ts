import type { PhpValue } from '#php-serialized'
import type { Tx } from '../../db/transaction.ts'
import { sha256Hex } from '../../host/hash.ts'
import { recordHistory, type ThingState } from '../../record/history/record-history.ts'
import { menuIdOf } from '../../wordpress/nav-menus/menu-of-value.ts'
import type { Menu } from '../../wordpress/nav-menus/nav-menu.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { THEME_MODS_PREFIX } from '../../wordpress/options/theme-mods.ts'
import { arrayIn, idIn, storedArray } from '../../wordpress/stored-value.ts'

/** The menu at a location in the history; 0 for a location that is registered without a menu. */
export type LocationFields = { readonly menu: number }

/** A location in the history: of a theme's own map, or with a language of Polylang's map. */
export type LocationRef = {
  readonly theme: string
  readonly location: string
  readonly lang: string | null
}

/** Length of the column `ref`, in characters. */
const MAX_REF_LENGTH = 255
const HASH_LENGTH = 16

/** `theme/location`, or `theme/location/lang` for Polylang's map. Slashes in names are encoded. */
export function locationRef({ theme, location, lang }: LocationRef): string {
  const names = lang === null ? [theme, location] : [theme, location, lang]
  const ref = names.map((name) => name.replace(/[%/]/g, encodeURIComponent)).join('/')
  if ([...ref].length <= MAX_REF_LENGTH) return ref
  // Other programs can store names of any length. Such a location is recorded, but cannot be restored.
  const start = [...ref].slice(0, MAX_REF_LENGTH - HASH_LENGTH - 1).join('')
  return `${start}~${sha256Hex(ref).slice(0, HASH_LENGTH)}`
}

/** The location with this reference; undefined for one whose names were cut. */
export function parseLocationRef(ref: string): LocationRef | undefined {
  const names = ref.split('/').map((name) => name.replace(/%25|%2F/g, decodeURIComponent))
  const [theme, location, lang = null, ...rest] = names
  if (theme === undefined || location === undefined || rest.length > 0) return undefined
  return [...ref].length === MAX_REF_LENGTH ? undefined : { theme, location, lang }
}

/**
 * The menus at the locations in a stored option, by reference: those of a theme's mods, or those of Polylang's map.
 * @param menus see `readNamedMenus`
 */
export function locationsIn(
  option: string,
  text: string,
  menus: readonly Menu[],
): Map<string, number> {
  const locations = new Map<string, number>()
  const add = (at: LocationRef, id: PhpValue) =>
    locations.set(locationRef(at), at.lang === null ? menuIdOf(id, menus) : idIn(id))
  if (option.startsWith(THEME_MODS_PREFIX)) {
    const theme = option.slice(THEME_MODS_PREFIX.length)
    for (const [location, id] of arrayIn(storedArray(text).get('nav_menu_locations')))
      add({ theme, location: String(location), lang: null }, id)
  }
  if (option === 'polylang') {
    for (const [theme, maps] of arrayIn(storedArray(text).get('nav_menus')))
      for (const [location, menus] of arrayIn(maps))
        for (const [lang, id] of arrayIn(menus))
          add({ theme: String(theme), location: String(location), lang: String(lang) }, id)
  }
  return locations
}

/** Records the differences between the locations in two values of an option that the caller has locked. */
export function recordLocations(
  tx: Tx,
  site: Site,
  option: string,
  [before, after]: readonly [before: string, after: string],
  menus: readonly Menu[],
): void {
  const [old, changed] = [locationsIn(option, before, menus), locationsIn(option, after, menus)]
  for (const ref of new Set([...old.keys(), ...changed.keys()])) {
    const [from, to] = [old.get(ref), changed.get(ref)]
    if (from === to) continue
    recordHistory(tx, site, {
      kind: 'location',
      ref,
      action: to ? 'assigned' : 'cleared',
      before: stateOf(ref, from),
      after: stateOf(ref, to),
    })
  }
}

/** Records the menu at a location that another program has edited, unless it is as the last entry says. */
export function recordEditedLocation(
  tx: Tx,
  site: Site,
  ref: string,
  menu: number | undefined,
): void {
  const state = stateOf(ref, menu)
  recordHistory(tx, site, {
    kind: 'location',
    ref,
    action: 'edited',
    before: state,
    after: state,
  })
}

function stateOf(ref: string, menu: number | undefined): ThingState | undefined {
  if (menu === undefined) return undefined
  const fields: LocationFields = { menu }
  return { name: ref, fields }
}
