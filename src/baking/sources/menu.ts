import type { Db } from '../../db/database.ts'
import { AppError } from '../../errors.ts'
import { decodeName } from '../../wordpress/formatting/decode-name.ts'
import { getMenu } from '../../wordpress/nav-menus/get-menu.ts'
import { shownMenuId, translatedMenuId } from '../../wordpress/nav-menus/location-maps.ts'
import { readLocationMaps } from '../../wordpress/nav-menus/read-location-maps.ts'
import { readMenu } from '../../wordpress/nav-menus/read-menu.ts'
import { shownItems } from '../../wordpress/nav-menus/shown-items.ts'
import type { Site } from '../../wordpress/network/site.ts'
import type { LinkSettings } from '../../wordpress/permalinks/link-settings.ts'
import type { MenuChoice, MenuValue } from '../values.ts'

/** The menu that visitors see for a choice in a language; null where there is none (wp_nav_menu). */
export async function readMenuValue(
  db: Db,
  site: Site,
  links: LinkSettings,
  choice: MenuChoice,
  lang: string | null,
): Promise<MenuValue | null> {
  const id = await chosenMenuId(db, site, links, choice, lang)
  const found =
    id > 0 ? await readMenu(db, site, links, id, { readsPrivate: false, lang }) : undefined
  if (!found) return null
  const { menu, items } = found
  return {
    id: menu.id,
    name: decodeName(menu.name),
    slug: menu.slug,
    items: shownItems(menu, items).map((item) => ({
      id: item.id,
      parent: item.parent,
      title: decodeName(item.title),
      url: item.url,
      type: item.type,
      object: item.object,
      objectId: item.objectId,
      target: item.target,
      classes: item.classes,
      attrTitle: item.attrTitle,
      description: item.description,
      xfn: item.xfn,
    })),
  }
}

async function chosenMenuId(
  db: Db,
  site: Site,
  { languages }: LinkSettings,
  { location, menu }: MenuChoice,
  lang: string | null,
): Promise<number> {
  const maps = await readLocationMaps(db, site)
  if (menu === undefined) return shownMenuId(maps, languages, location ?? '', lang)
  try {
    const { id } = await getMenu(db, site, languages, menu)
    return translatedMenuId(maps, id, lang)
  } catch (error) {
    if (error instanceof AppError) return 0
    throw error
  }
}
