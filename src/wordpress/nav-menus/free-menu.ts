import type { Tx } from '../../db/transaction.ts'
import type { Site } from '../network/site.ts'
import { lockOptions, writeOptions } from '../options/write-options.ts'
import { readOption, readOptionsMatching } from '../options/read-options.ts'
import { ensureThemeMap, removeFromAutoAdd, unassignInLanguages, unassignInThemeMods } from './location-edits.ts'

/** A place that a menu lost. */
export type RemovedAssignment = {
  readonly theme: string
  readonly location: string
  /** Null for a place in the theme's own map. */
  readonly lang: string | null
}

const THEME_MODS = 'theme_mods_'

/**
 * Takes a menu off all its places, in every theme and language, and out of the list of menus that get new pages. WordPress forgets other
 * themes and that list, and Polylang only thinks of its languages in the admin screens. The caller holds the menu.
 */
export async function unassignMenu(
  tx: Tx,
  site: Site,
  menuId: number,
): Promise<RemovedAssignment[]> {
  const themes = [...(await readOptionsMatching(tx, site, THEME_MODS, '')).keys()]
  const options = await lockOptions(tx, site, ['nav_menu_options', 'polylang', ...themes])
  const active = `${THEME_MODS}${await readOption(tx, site, 'stylesheet')}`
  const edited = new Map<string, string>()
  const freed: RemovedAssignment[] = []
  for (const [name, text] of options) {
    if (name === 'nav_menu_options') edited.set(name, removeFromAutoAdd(text, menuId))
    if (name === 'polylang') {
      const { polylang, assignments: places } = unassignInLanguages(text, menuId)
      edited.set(name, polylang)
      freed.push(...places)
    }
    if (name.startsWith(THEME_MODS)) {
      const { mods, locations } = unassignInThemeMods(text, menuId)
      edited.set(name, name === active ? ensureThemeMap(mods) : mods)
      const theme = name.slice(THEME_MODS.length)
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
