import type { Change } from '../change.ts'
import type { Tx } from '../db/transaction.ts'
import { AppError } from '../errors.ts'
import type { Menu } from '../wordpress/nav-menus/nav-menu.ts'
import type { Site } from '../wordpress/network/site.ts'
import type { LinkSettings } from '../wordpress/permalinks/link-settings.ts'
import { type MenuTarget, lockTarget } from './menu-target.ts'
import { MENU_CHANGE } from './write-context.ts'
import { readContents } from './menu-contents.ts'

/** A level, by the id of the item above it (0 for the top), and the ids of its items as they are to stand. */
export type LevelOrder = { readonly parent: number; readonly order: readonly number[] }

export type ReorderedLevel = {
  readonly menu: Menu
  /** Ids of all items of the level, as they stand now. */
  readonly order: readonly number[]
  /** Those that were not named, at its end. */
  readonly appended: readonly number[]
  readonly change: Change
}

/**
 * Puts the items of one level in another order; each takes its branch along (contract, section 4.2.10).
 * @throws AppError `item_not_found`, `bad_reorder` for items of another level or named twice, and what `lockTarget` throws
 */
export async function reorderLevel(
  tx: Tx,
  site: Site,
  links: LinkSettings,
  target: MenuTarget,
  { parent, order }: LevelOrder,
): Promise<ReorderedLevel> {
  const menu = await lockTarget(tx, site, links.languages, target)
  const contents = await readContents(tx, site, links, menu)
  contents.assertParent(parent)
  for (const id of order) contents.get(id)
  const named = new Set(order)
  const level = contents.hierarchy.level(parent)
  const inLevel = new Set(level)
  const strangers = [...named].filter((id) => !inLevel.has(id))
  if (strangers.length > 0 || named.size < order.length) {
    throw new AppError(
      'bad_reorder',
      `Name items of one level, each once: this level has ${level.join(', ') || 'none'}.`,
      { level, not_in_level: strangers },
    )
  }
  const appended = level.filter((id) => !named.has(id))
  const arranged = [...order, ...appended]
  contents.hierarchy.setLevel(parent, arranged)
  await contents.saveOrder(tx, site)
  return { menu, order: arranged, appended, change: MENU_CHANGE }
}
