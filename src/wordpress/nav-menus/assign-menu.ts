import type { Tx } from '../../db/transaction.ts'
import { AppError } from '../../errors.ts'
import { type Languages, readLanguages } from '../languages/languages.ts'
import type { Site } from '../network/site.ts'
import { readOption, readOptions, readOptionsMatching } from '../options/read-options.ts'
import { THEME_MODS_PREFIX, themeModsOption } from '../options/theme-mods.ts'
import {
  autoloadOfNewOption,
  lockOptions,
  lockOrCreateOption,
  writeOptions,
} from '../options/write-options.ts'
import { findValue } from '../serialized/decode-php.ts'
import { SerializedError } from '../serialized/php-value.ts'
import {
  assignInLanguage,
  assignInThemeMods,
  EMPTY_ARRAY,
  ensureThemeMap,
  registerLocation,
  removeFromAutoAdd,
  unassignInLanguages,
  unassignInThemeMods,
} from './location-edits.ts'
import { readLocationMaps } from './location-maps.ts'

export type MenuAssignment = {
  /** The theme's `stylesheet`. */
  readonly theme: string
  readonly location: string
  /** One of the site's languages; null for the default one, or none. */
  readonly lang: string | null
}

/** One option that an assignment writes, and where the menu must be found in it afterwards. */
type OptionEdit = {
  readonly option: string
  readonly edit: (text: string) => string
  readonly path: readonly string[]
  readonly expected: number | undefined
}

/**
 * Sets a menu at a location (contract, section 4.2.5): in Polylang's map where the site has languages, and in the theme's map where the
 * language is the default or there is none. Both are edited in place under lock, read back and compared. The caller holds the menu.
 * @throws AppError `menu_assignment_not_stored` with `read_back`; `rest_invalid_param` for a theme that is spelled otherwise
 */
export async function assignMenu(
  tx: Tx,
  site: Site,
  languages: Languages,
  menuId: number,
  { theme, location, lang }: MenuAssignment,
): Promise<void> {
  const code = lang ?? languages.default
  const mods = themeModsOption(theme)
  const inTheme: OptionEdit = {
    option: mods,
    path: ['nav_menu_locations', location],
    ...(code === languages.default
      ? { edit: (text) => assignInThemeMods(text, location, menuId), expected: menuId }
      : { edit: (text) => registerLocation(text, location), expected: undefined }),
  }
  const inLanguage: OptionEdit[] =
    code === null
      ? []
      : [
          {
            option: 'polylang',
            edit: (text) => assignInLanguage(text, { theme, location, lang: code }, menuId),
            path: ['nav_menus', theme, location, code],
            expected: menuId,
          },
        ]
  await assertThemeSpelling(tx, site, mods, theme)
  const edits = [...inLanguage, inTheme]
  for (const edit of edits) await editOption(tx, site, edit)
  await assertStored(tx, site, edits)
}

async function editOption(tx: Tx, site: Site, { option, edit }: OptionEdit): Promise<void> {
  const autoload = await autoloadOfNewOption(tx, site, EMPTY_ARRAY)
  const text = await lockOrCreateOption(tx, site, option, EMPTY_ARRAY, autoload)
  try {
    const value = edit(text)
    if (value !== text) await writeOptions(tx, site, [{ name: option, value }], autoload)
  } catch (error) {
    if (!(error instanceof SerializedError)) throw error
    throw new AppError(
      'menu_assignment_not_stored',
      `The option "${option}" is damaged (${error.message}), so nothing was written to it. Repair it in WordPress and try again.`,
      { read_back: { [option]: null } },
    )
  }
}

async function assertStored(tx: Tx, site: Site, edits: readonly OptionEdit[]): Promise<void> {
  const stored = await readOptions(
    tx,
    site,
    edits.map(({ option }) => option),
  )
  const found = edits.map(({ option, path, expected }) => {
    const value = findValue(stored.get(option) ?? EMPTY_ARRAY, path)
    return { option, path, value, isRight: value === (expected ?? value) && value !== undefined }
  })
  if (found.every(({ isRight }) => isRight)) return
  throw new AppError(
    'menu_assignment_not_stored',
    'The database took the assignment but holds something else. Nothing was changed; look for a trigger or a filter on the options.',
    {
      read_back: Object.fromEntries(
        found.map(({ option, path, value }) => [
          option,
          { [path.join('.')]: typeof value === 'object' ? null : (value ?? null) },
        ]),
      ),
    },
  )
}

/**
 * The column takes names for equal that differ in case: another spelling of a theme would overwrite the mods of that one.
 */
async function assertThemeSpelling(
  tx: Tx,
  site: Site,
  option: string,
  theme: string,
): Promise<void> {
  const held: { option_name: string } | undefined = await tx
    .sql(site.tables.options)
    .where({ option_name: option })
    .first('option_name')
  if (!held || held.option_name === option) return
  const rule = `must be spelled "${held.option_name.slice(THEME_MODS_PREFIX.length)}"`
  throw new AppError('rest_invalid_param', `Invalid parameter(s): theme. "${theme}" ${rule}.`, {
    params: { theme: rule },
  })
}

/** A place that a menu lost. */
export type RemovedAssignment = {
  readonly theme: string
  readonly location: string
  /** Null for a place in the theme's own map. */
  readonly lang: string | null
}

/**
 * Takes a menu off all its places, in every theme and language, and out of the list of menus that get new pages. WordPress forgets other
 * themes and that list, and Polylang only thinks of its languages in the admin screens. The caller holds the menu.
 */
export async function unassignMenu(
  tx: Tx,
  site: Site,
  menuId: number,
): Promise<RemovedAssignment[]> {
  const themes = [...(await readOptionsMatching(tx, site, THEME_MODS_PREFIX, '')).keys()]
  const options = await lockOptions(tx, site, ['nav_menu_options', 'polylang', ...themes])
  const active = themeModsOption((await readOption(tx, site, 'stylesheet')) ?? '')
  const edited = new Map<string, string>()
  const freed: RemovedAssignment[] = []
  for (const [name, text] of options) {
    if (name === 'nav_menu_options') edited.set(name, removeFromAutoAdd(text, menuId))
    if (name === 'polylang') {
      const { polylang, assignments: places } = unassignInLanguages(text, menuId)
      edited.set(name, polylang)
      freed.push(...places)
    }
    if (name.startsWith(THEME_MODS_PREFIX)) {
      const { mods, locations } = unassignInThemeMods(text, menuId)
      edited.set(name, name === active ? ensureThemeMap(mods) : mods)
      const theme = name.slice(THEME_MODS_PREFIX.length)
      freed.push(...locations.map((location) => ({ theme, location, lang: null })))
    }
  }
  const changed = [...edited].filter(([name, value]) => value !== options.get(name))
  await writeOptions(
    tx,
    site,
    changed.map(([name, value]) => ({ name, value })),
    'auto',
  )
  return freed
}

/**
 * Makes the theme's map say of a location what Polylang's says of the default language, as Polylang itself keeps the two; a location that
 * it doesn't know it knows afterwards. Where Polylang has no menu for that language, one in the theme's map stays.
 */
export async function alignThemeMap(tx: Tx, site: Site, location: string): Promise<void> {
  const mods = themeModsOption((await readOption(tx, site, 'stylesheet')) ?? '')
  const options = await lockOptions(tx, site, ['polylang', mods])
  const { byLanguage } = await readLocationMaps(tx, site)
  const menus = byLanguage.get(location)
  const main = (await readLanguages(tx, site)).default
  if (!menus || main === null) return
  const text = options.get(mods) ?? EMPTY_ARRAY
  const menuId = menus.get(main) ?? 0
  const value =
    menuId > 0 ? assignInThemeMods(text, location, menuId) : registerLocation(text, location)
  if (value !== text) await writeOptions(tx, site, [{ name: mods, value }], 'auto')
}
