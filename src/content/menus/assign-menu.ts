import { findValue, SerializedError } from '#php-serialized'
import type { Db } from '../../db/database.ts'
import { readRows } from '../../db/sql.ts'
import type { Tx } from '../../db/transaction.ts'
import { AppError } from '../../host/errors.ts'
import { type Languages, readLanguages } from '../../wordpress/languages/languages.ts'
import {
  EMPTY_ARRAY,
  ensureThemeMap,
  type LocationRef,
  registerLocation,
  removeFromAutoAdd,
  setLocation,
  storageOf,
  unassignIn,
} from '../../wordpress/nav-menus/location-edits.ts'
import { readLocationMaps } from '../../wordpress/nav-menus/location-maps.ts'
import { readNamedMenus } from '../../wordpress/nav-menus/menu-of-value.ts'
import { listMenus } from '../../wordpress/nav-menus/nav-menu.ts'
import type { Site } from '../../wordpress/network/site.ts'
import {
  readOption,
  readOptions,
  readOptionsMatching,
} from '../../wordpress/options/read-options.ts'
import { THEME_MODS_PREFIX, themeModsOption } from '../../wordpress/options/theme-mods.ts'
import {
  autoloadOfNewOption,
  lockOptions,
  lockOrCreateOption,
  writeOptions,
} from '../../wordpress/options/write-options.ts'
import { locationRef, locationsIn, recordLocations } from './location-history.ts'

/** A location to which a menu is or shall be assigned. `lang` is null for the default language, and on a site without languages. */
export type MenuAssignment = LocationRef

/** A change of a location in the option that stores it. */
type LocationEdit = { readonly at: LocationRef; readonly edit: (text: string) => string }

/**
 * Assigns a menu to a location. On a site with languages the assignment is written to Polylang's map. It is
 * written to the theme's map if the language is the default one or the site has none; otherwise the location is only registered there.
 * Both options are edited in place under lock, read back and compared. The caller has locked the menu.
 * @throws AppError `menu_assignment_not_stored`, `rest_invalid_param`
 */
export async function assignMenu(
  tx: Tx,
  site: Site,
  languages: Languages,
  menuId: number,
  assignment: MenuAssignment,
): Promise<void> {
  const edits = assignmentEdits(languages, menuId, assignment)
  const [locked] = await Promise.all([
    lockOptions(tx, site, optionsOf(edits)),
    assertThemeSpelling(tx, site, assignment.theme),
  ])
  await editLocations(tx, site, edits, locked)
  await assertStored(tx, site, edits)
}

/**
 * Whether an assignment is stored already, so that `assignMenu` would change nothing.
 * @param options the stored texts of `assignmentOptions`
 * @throws SerializedError for a damaged option
 */
export function isAssigned(
  options: ReadonlyMap<string, string>,
  languages: Languages,
  menuId: number,
  assignment: MenuAssignment,
): boolean {
  // All edits are tried, so that a damaged option is found also if another one differs.
  const edits = assignmentEdits(languages, menuId, assignment)
  return edits.map((edit) => isStored(options, edit)).every(Boolean)
}

function isStored(options: ReadonlyMap<string, string>, { at, edit }: LocationEdit): boolean {
  const text = options.get(storageOf(at).option)
  return text !== undefined && edit(text) === text
}

/** The options that store the assignments of a theme. */
export const assignmentOptions = (theme: string): readonly string[] => [
  'polylang',
  themeModsOption(theme),
]

function assignmentEdits(
  languages: Languages,
  menuId: number,
  { theme, location, lang }: MenuAssignment,
): LocationEdit[] {
  const code = lang ?? languages.default
  const set = (at: LocationRef) => ({ at, edit: (text: string) => setLocation(text, at, menuId) })
  const at = { theme, location, lang: null }
  return [
    ...(code === null ? [] : [set({ theme, location, lang: code })]),
    code === languages.default ? set(at) : { at, edit: (text) => registerLocation(text, at) },
  ]
}

const optionsOf = (edits: readonly Pick<LocationEdit, 'at'>[]): string[] => [
  ...new Set(edits.map(({ at }) => storageOf(at).option)),
]

/**
 * Edits the options of locations, and creates those that are missing.
 * @param locked the stored texts of the options that exist
 * @throws AppError `menu_assignment_not_stored`
 */
async function editLocations(
  tx: Tx,
  site: Site,
  edits: readonly LocationEdit[],
  locked: ReadonlyMap<string, string>,
): Promise<void> {
  const before = new Map(locked)
  for (const option of optionsOf(edits))
    if (!before.has(option)) {
      const autoload = await autoloadOfNewOption(tx, site, EMPTY_ARRAY)
      before.set(option, await lockOrCreateOption(tx, site, option, EMPTY_ARRAY, autoload))
    }
  const edited = new Map(before)
  for (const { at, edit } of edits) {
    const { option } = storageOf(at)
    try {
      edited.set(option, edit(edited.get(option) ?? EMPTY_ARRAY))
    } catch (error) {
      if (!(error instanceof SerializedError)) throw error
      throw new AppError(
        'menu_assignment_not_stored',
        `The option "${option}" is damaged (${error.message}), so nothing was written to it. Repair it in WordPress and try again.`,
        { read_back: { [option]: null } },
      )
    }
  }
  await writeLocations(tx, site, before, edited)
}

/** Writes the options that differ from their locked texts, and records the assignments that change. */
async function writeLocations(
  tx: Tx,
  site: Site,
  locked: ReadonlyMap<string, string>,
  edited: ReadonlyMap<string, string>,
): Promise<void> {
  const changed = [...edited]
    .map(([name, value]) => ({ name, value, before: locked.get(name) ?? EMPTY_ARRAY }))
    .filter(({ value, before }) => value !== before)
  // The rows exist, so the value of `autoload` has no effect.
  writeOptions(tx, site, changed, 'auto')
  const menus = await readNamedMenus(
    tx,
    site,
    changed.map(({ name, before }) => [name, before]),
  )
  for (const { name, before, value } of changed)
    recordLocations(tx, site, name, [before, value], menus)
}

async function assertStored(tx: Tx, site: Site, edits: readonly LocationEdit[]): Promise<void> {
  const stored = await readOptions(tx, site, optionsOf(edits))
  if (edits.every((edit) => isStored(stored, edit))) return
  const readBack = Object.fromEntries(
    edits.map(({ at }) => {
      const { option, path } = storageOf(at)
      const value = findValue(stored.get(option) ?? EMPTY_ARRAY, path)
      return [option, { [path.join('.')]: typeof value === 'object' ? null : (value ?? null) }]
    }),
  )
  throw new AppError(
    'menu_assignment_not_stored',
    'The database accepted the assignment but stores a different value, so the write was rolled back. Look for a trigger or a filter on the options.',
    { read_back: readBack },
  )
}

/** The column `option_name` compares without case: a theme in another spelling would overwrite the mods of the existing one. */
async function assertThemeSpelling(tx: Tx, site: Site, theme: string): Promise<void> {
  const option = themeModsOption(theme)
  const [existing] = await readRows<{ option_name: string }>(
    tx,
    'SELECT option_name FROM :options: WHERE option_name = :option LIMIT 1',
    { options: site.tables.options, option },
  )
  if (!existing || existing.option_name === option) return
  const spelling = existing.option_name.slice(THEME_MODS_PREFIX.length)
  throw new AppError(
    'rest_invalid_param',
    `Invalid parameter(s): theme. "${theme}" must be spelled "${spelling}".`,
    { params: { theme: `must be spelled "${spelling}"` } },
  )
}

/**
 * Removes all assignments of a menu, in every theme and language, and removes it from the list of menus that get new pages. WordPress
 * itself leaves inactive themes and that list unchanged, and Polylang cleans its map in the admin screens only. The caller has locked
 * the menu.
 * @returns the removed assignments; `lang` is null for those in a theme's own map
 */
export async function unassignMenu(tx: Tx, site: Site, menuId: number): Promise<MenuAssignment[]> {
  const [mods, stylesheet = '', menus] = await Promise.all([
    readOptionsMatching(tx, site, THEME_MODS_PREFIX, ''),
    readOption(tx, site, 'stylesheet'),
    listMenus(tx, site),
  ])
  const options = await lockOptions(tx, site, ['nav_menu_options', 'polylang', ...mods.keys()])
  const active = themeModsOption(stylesheet)
  const edited = new Map<string, string>()
  const removed: MenuAssignment[] = []
  for (const [name, text] of options) {
    if (name === 'nav_menu_options') {
      edited.set(name, removeFromAutoAdd(text, menuId))
      continue
    }
    const without = unassignIn(name, text, menuId, menus)
    edited.set(name, name === active ? ensureThemeMap(without.text) : without.text)
    removed.push(...without.removed)
  }
  await writeLocations(tx, site, options, edited)
  return removed
}

/** A menu id for a location; undefined removes the location's entry. */
export type WantedLocation = { readonly at: LocationRef; readonly menuId: number | undefined }

/**
 * Sets entries of the maps of themes and of Polylang one by one, as they were recorded. The caller has locked the menus.
 * @throws AppError `menu_assignment_not_stored`
 */
export async function setLocations(
  tx: Tx,
  site: Site,
  wanted: readonly WantedLocation[],
): Promise<void> {
  const edits = wanted.map(({ at, menuId }) => ({
    at,
    edit: (text: string) => setLocation(text, at, menuId),
  }))
  await editLocations(tx, site, edits, await lockOptions(tx, site, optionsOf(edits)))
}

/** The menu ids at these locations now, in the same order; undefined for a location without an entry. */
export async function readLocations(
  db: Db,
  site: Site,
  locations: readonly LocationRef[],
): Promise<(number | undefined)[]> {
  const texts = await readOptions(db, site, optionsOf(locations.map((at) => ({ at }))))
  const menus = await readNamedMenus(db, site, [...texts])
  const found = new Map(
    [...texts].flatMap(([option, text]) => [...locationsIn(option, text, menus)]),
  )
  return locations.map((at) => found.get(locationRef(at)))
}

/**
 * Copies the menu of the default language at a location from Polylang's map to the theme's map, as Polylang itself does, and registers the
 * location there. If Polylang's map has no menu for that language, the menu in the theme's map stays.
 */
export async function alignThemeMap(tx: Tx, site: Site, location: string): Promise<void> {
  const theme = (await readOption(tx, site, 'stylesheet')) ?? ''
  const mods = themeModsOption(theme)
  const options = await lockOptions(tx, site, ['polylang', mods])
  const { byLanguage } = await readLocationMaps(tx, site)
  const menus = byLanguage.get(location)
  const defaultLang = (await readLanguages(tx, site)).default
  if (!menus || defaultLang === null) return
  const menuId = menus.get(defaultLang) ?? 0
  const at = { theme, location, lang: null }
  const edit = (text: string) =>
    menuId > 0 ? setLocation(text, at, menuId) : registerLocation(text, at)
  await editLocations(tx, site, [{ at, edit }], options)
}
