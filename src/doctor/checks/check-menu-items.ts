import { inBatches } from '../../db/sql.ts'
import { gmtText } from '../../wordpress/dates.ts'
import { decodeName } from '../../wordpress/formatting/plain-text.ts'
import type { SurveyedItem } from '../../wordpress/health/menu-survey.ts'
import { deleteOrphanedItems } from '../../wordpress/nav-menus/delete-menu-items.ts'
import { lockMenu, recountMenus } from '../../wordpress/nav-menus/menu-term.ts'
import type { Menu } from '../../wordpress/nav-menus/nav-menu.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { FIX_BATCH_SIZE, type Fix, formatList, type Problem } from '../finding.ts'
import type { SiteSnapshot } from '../site-snapshot.ts'

/** Is what menu items link there? */
export async function checkItemTargets(visit: SiteSnapshot): Promise<Problem[]> {
  const { items, posts, terms } = await visit.items()
  const menus = await visit.menus()
  const stateOf = ({ type, object, objectId }: SurveyedItem): string | undefined => {
    if (type === 'taxonomy') return terms.has(`${object}:${objectId}`) ? undefined : 'gone'
    if (type !== 'post_type') return undefined
    const status = posts.get(objectId)
    if (status === undefined) return 'gone'
    return status === 'trash' ? 'in the trash' : undefined
  }
  return [...items.values()].flatMap((item) => {
    const state = item.menus.length > 0 ? stateOf(item) : undefined
    if (state === undefined) return []
    const { object, objectId } = item
    return [
      {
        check: 'item_target_missing',
        severity: 'warning',
        what: `${describeItem(item, menus)} links the ${object || 'post'} ${objectId}, which is ${state}.`,
        why: 'Visitors do not see the item; what stands below it loses its place.',
        mend: `Restore what it links, or remove the item in wp-admin or with DELETE /menus/${item.menus[0]}/items/${item.id}.`,
      },
    ]
  })
}

/** Do the parents of menu items stand in the same menu, and lead to its top? */
export async function checkItemParents(visit: SiteSnapshot): Promise<Problem[]> {
  const { items } = await visit.items()
  const menus = await visit.menus()
  const symptoms: Problem[] = []
  for (const item of items.values()) {
    const isLost = item.menus.some((menu) => !items.get(item.parent)?.menus.includes(menu))
    if (item.parent > 0 && isLost) {
      symptoms.push({
        check: 'item_parent_missing',
        severity: 'warning',
        what: `${describeItem(item, menus)} stands below item ${item.parent}, which is not in the menu.`,
        why: 'WordPress shows it at the end of the menu, and only where the menu is shown in full depth.',
        mend: `Put it in its place in wp-admin or with PATCH /menus/${item.menus[0]}/items/${item.id}.`,
      })
    }
  }
  for (const circle of findParentCycles(items)) {
    const menu = circle[0]?.menus[0]
    symptoms.push({
      check: 'item_parents_circular',
      severity: 'warning',
      what: `The items ${formatList(circle.map(({ id }) => id))} of ${describeMenu(menu ?? 0, menus)} stand below each other in a circle.`,
      why: 'They never reach the top of the menu: WordPress shows them at its end, if at all.',
      mend: `Put one of them at the top in wp-admin or with PATCH /menus/${menu}/items/${circle[0]?.id}.`,
    })
  }
  return symptoms
}

/** The circles that parents make, each once. */
function findParentCycles(items: ReadonlyMap<number, SurveyedItem>): SurveyedItem[][] {
  const circles: SurveyedItem[][] = []
  const done = new Set<number>()
  for (const start of items.values()) {
    const way = new Set<SurveyedItem>()
    let at: SurveyedItem | undefined = start
    while (at && !done.has(at.id) && !way.has(at)) {
      way.add(at)
      at = items.get(at.parent)
    }
    const walked = [...way]
    if (at && way.has(at)) circles.push(walked.slice(walked.indexOf(at)))
    for (const { id } of walked) done.add(id)
  }
  return circles.filter((circle) => circle.some(({ menus }) => menus.length > 0))
}

/** An item is made first and put into its menu then: a younger one may be on its way. */
const MIN_ITEM_AGE_MS = 3_600_000

/**
 * Are there published menu items in no menu? Drafts without one are wp-admin's, which makes them while a menu is edited and clears them
 * away itself (_wp_delete_orphaned_draft_menu_items, nav-menu.php).
 */
export async function checkOrphanedItems(visit: SiteSnapshot): Promise<Problem[]> {
  const latest = new Date(visit.startedAt.getTime() - MIN_ITEM_AGE_MS)
  const before = gmtText(latest)
  const strays = [...(await visit.items()).items.values()].filter(
    ({ menus, status, modifiedGmt }) =>
      menus.length === 0 && status === 'publish' && modifiedGmt < before,
  )
  const ids = strays.map(({ id }) => id)
  const remedy: Fix = {
    does: `Deletes the menu items that are in no menu.`,
    apply: async ({ db }) => {
      for (const batch of inBatches(ids, FIX_BATCH_SIZE))
        await db.write({ site: visit.site }, (tx) => deleteOrphanedItems(tx, visit.site, batch))
    },
  }
  return ids.map((id) => ({
    check: 'item_without_menu',
    severity: 'warning',
    what: `Item ${id} is published and in no menu.`,
    why: 'Nobody sees it and wp-admin shows it nowhere: it is what an interrupted deletion left.',
    mend: 'Let the doctor delete it.',
    remedy,
  }))
}

/** Does each menu's count say how many published items it has? */
export async function checkMenuCounts(visit: SiteSnapshot): Promise<Problem[]> {
  const published = new Map<number, number>()
  for (const { status, menus } of (await visit.items()).items.values()) {
    if (status !== 'publish') continue
    for (const menu of menus) published.set(menu, (published.get(menu) ?? 0) + 1)
  }
  return (await visit.menus()).flatMap((menu) => {
    const items = published.get(menu.id) ?? 0
    return menu.count === items ? [] : [wrongCount(visit.site, menu, items)]
  })
}

function wrongCount(site: Site, menu: Menu, items: number): Problem {
  const isHidden = menu.count === 0
  return {
    check: 'menu_count_wrong',
    severity: isHidden ? 'error' : 'warning',
    what: `Menu "${decodeName(menu.name)}" (${menu.id}) is counted to have ${menu.count} items; ${items} are published.`,
    why: isHidden
      ? 'WordPress shows nothing of a menu whose count is 0.'
      : 'wp-admin shows the wrong number.',
    mend: 'Save the menu in wp-admin, or let the doctor count it anew.',
    remedy: {
      does: `Counts the items of menu ${menu.id} anew.`,
      apply: ({ db }) =>
        db.write({ site }, async (tx) => {
          const held = await lockMenu(tx, site, menu.id)
          if (held) await recountMenus(tx, site, [held])
        }),
    },
  }
}

/** A menu item as findings name it. */
export function describeItem({ id, menus: [first] }: SurveyedItem, menus: readonly Menu[]): string {
  return first === undefined ? `Item ${id}` : `Item ${id} of ${describeMenu(first, menus)}`
}

export function describeMenu(id: number, menus: readonly Menu[]): string {
  const name = menus.find((menu) => menu.id === id)?.name ?? ''
  return `menu "${decodeName(name)}" (${id})`
}
