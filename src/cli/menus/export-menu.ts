import type { Db } from '../../db/database.ts'
import type { LeftOutItem } from '../../menus/portable-items.ts'
import { type PortableMenu, readPortableMenu } from '../../menus/portable-menu.ts'
import { MAX_ITEMS, MAX_LEVELS } from '../../menus/item-tree.ts'
import type { Menu } from '../../wordpress/nav-menus/nav-menu.ts'
import type { Site } from '../../wordpress/network/site.ts'
import type { LinkSettings } from '../../wordpress/permalinks/link-settings.ts'
import { CommandError } from '../cli-context.ts'

/**
 * A menu as a file can hold it.
 * @throws CommandError for one that is larger than any that can be written
 */
export async function exportMenu(
  db: Db,
  site: Site,
  links: LinkSettings,
  menu: Menu,
): Promise<PortableMenu> {
  const portable = await readPortableMenu(db, site, links, menu)
  const levels = portable.items.reduce((most, { at }) => Math.max(most, at.split('.').length), 0)
  if (portable.items.length <= MAX_ITEMS && levels <= MAX_LEVELS) return portable
  throw new CommandError(
    `The menu "${portable.slug}" has ${portable.items.length} items on ${levels} levels: a file holds ${MAX_ITEMS} on ${MAX_LEVELS}.`,
  )
}

/** What an operator is told of items that are not in the file. */
export function formatLeftOut({ slug, leftOut }: PortableMenu): string {
  return leftOut
    .map(
      ({ id, title, reason }) =>
        `${slug}: left out "${title}" (item ${id}): ${LEFT_OUT_REASONS[reason]}.\n`,
    )
    .join('')
}

const LEFT_OUT_REASONS: Record<LeftOutItem['reason'], string> = {
  draft: 'the item is a draft, which visitors do not see',
  gone: 'what it links is gone or in the trash',
  unnamed: 'what it links has no path of its own by which another site could know it',
}
