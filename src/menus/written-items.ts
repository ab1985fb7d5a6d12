import type { Tx } from '../db/transaction.ts'
import { forEachYielding } from '../turns.ts'
import { type InsertPosition, insertMenuItems, prepareItems } from '../wordpress/nav-menus/insert-menu-items.ts'
import type { MenuItem } from '../wordpress/nav-menus/menu-item.ts'
import { linkedTerms, setUpItem } from '../wordpress/nav-menus/set-up-item.ts'
import type { Site } from '../wordpress/network/site.ts'
import type { WriteContext } from './write-context.ts'
import type { ResolvedItem } from './resolve-tree.ts'

/** An item that was written, and where it stood in what was sent. */
export type WrittenItem = MenuItem & { readonly at: string }

/**
 * Adds resolved items to a menu and gives them as they will be read.
 * @param makeRoom what is to be done before the first is written; the server does it while the items are drafted
 */
export async function writeItems(
  tx: Tx,
  site: Site,
  place: InsertPosition,
  items: readonly ResolvedItem[],
  authorship: WriteContext,
  makeRoom: () => Promise<void> = async () => {},
): Promise<WrittenItem[]> {
  const { links } = authorship
  const [, drafts] = await Promise.all([makeRoom(), prepareItems(tx, site, items, authorship)])
  const stored = await insertMenuItems(tx, site, place, drafts, authorship)
  const posts = new Map(
    items.flatMap(({ link }) => (link.type === 'post_type' ? [[link.post.id, link.post]] : [])),
  )
  const terms = linkedTerms(
    items.flatMap(({ link }) => (link.type === 'taxonomy' ? [link.term] : [])),
  )
  const viewer = { readsPrivate: false, lang: null }
  const written: WrittenItem[] = []
  await forEachYielding(stored, (item, index) => {
    const set = setUpItem(item, item.row.menu_order, { links, posts, terms, viewer })
    // Not spread: copying so many fields takes longer than finding them.
    written.push(Object.assign(set, { at: items[index]?.at ?? '' }))
  })
  return written
}
