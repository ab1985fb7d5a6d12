import type { Tx } from '../../db/transaction.ts'
import { sha256Hex } from '../../host/hash.ts'
import { recordHistory, type ThingState } from '../../record/history/record-history.ts'
import {
  type LocationRef,
  locationEntries,
  menuOfEntry,
} from '../../wordpress/nav-menus/location-edits.ts'
import type { Menu } from '../../wordpress/nav-menus/nav-menu.ts'
import type { Site } from '../../wordpress/network/site.ts'

/** The menu at a location in the history; 0 for a location that is registered without a menu. */
export type LocationFields = { readonly menu: number }

/** Length of the column `ref`, in characters. */
const MAX_REF_LENGTH = 255
const HASH_LENGTH = 16

/** The name of a location in the history: `theme/location`, or `theme/location/lang` for Polylang's map. Slashes in names are encoded. */
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
  const entries = locationEntries(option, text)
  return new Map(entries.map((entry) => [locationRef(entry.at), menuOfEntry(entry, menus)]))
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
