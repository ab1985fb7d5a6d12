import type { Tx } from '../../db/transaction.ts'
import { readLanguages } from '../languages/languages.ts'
import type { Site } from '../network/site.ts'
import { lockOptions, writeOptions } from '../options/write-options.ts'
import { readOption } from '../options/read-options.ts'
import { EMPTY_ARRAY, assignInThemeMods, registerLocation } from './location-edits.ts'
import { readLocationMaps } from './location-maps.ts'

/**
 * Makes the theme's map say of a location what Polylang's says of the default language, as Polylang itself keeps the two; a location that
 * it doesn't know it knows afterwards. Where Polylang has no menu for that language, one in the theme's map stays.
 */
export async function alignThemeMap(tx: Tx, site: Site, location: string): Promise<void> {
  const mods = `theme_mods_${await readOption(tx, site, 'stylesheet')}`
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
