import { gmtText } from '../../../db/gmt.ts'
import { inBatches, readRows } from '../../../db/sql.ts'
import { groupBy } from '../../../host/group-by.ts'
import { decodeName } from '../../../wordpress/formatting/plain-text.ts'
import type { SurveyedItem } from '../../../wordpress/health/menu-survey.ts'
import { deleteOrphanedItems } from '../../../wordpress/nav-menus/delete-menu-items.ts'
import { linkProblem } from '../../../wordpress/nav-menus/link-problem.ts'
import { lockMenu, recountMenus } from '../../../wordpress/nav-menus/menu-term.ts'
import type { Menu } from '../../../wordpress/nav-menus/nav-menu.ts'
import { listLargeMenus, MAX_MENU_BYTES } from '../../../wordpress/nav-menus/read-menu.ts'
import type { Site } from '../../../wordpress/network/site.ts'
import {
  FIX_BATCH_SIZE,
  type Fix,
  formatList,
  found,
  type Problem,
  type Subject,
  subject,
} from '../finding.ts'
import type { SiteSnapshot } from '../site-snapshot.ts'

/** Checks that visitors can follow the links of menu items. */
export async function checkItemLinks(snapshot: SiteSnapshot): Promise<Problem[]> {
  const survey = await snapshot.items()
  const menus = await snapshot.menus()
  return [...survey.items.values()].flatMap((item): Problem[] => {
    const problem = item.menus.length > 0 ? linkProblem(item, survey) : undefined
    if (!problem) return []
    const message = `${describeItem(item, menus)} ${problem.reason}.`
    return [found(`item_${problem.kind}`, message, { about: itemOf(item) })]
  })
}

/**
 * Keys under which plugins keep for whom an item is shown, each with the values of items that everybody sees. The service prints all items, because
 * it runs no PHP.
 */
const VISIBILITY_KEYS: Readonly<Record<string, RegExp>> = {
  // Nav Menu Roles: `in`, `out`, or a list of roles.
  _nav_menu_role: /^(?:a:0:\{\})?$/,
  // If Menu: a flag of each condition.
  if_menu_enable: /^0?$/,
  // Menu Item Visibility Control: a condition in PHP. The Menu and others: a name.
  _menu_item_visibility: /^(?:everyone|all|public|show)?$/,
  _menu_item_roles: /^(?:a:0:\{\}|a:1:\{i:0;s:0:"";\})?$/,
  _menu_item_user_roles: /^(?:a:0:\{\}|a:1:\{i:0;s:0:"";\})?$/,
  // Ultimate Member: 1 logged out, 2 logged in.
  'menu-item-um_nav_public': /^0?$/,
  // User Menus: settings, of which `which_users` is empty for everybody.
  _jp_nav_item_options: /^(?!.*"which_users";s:[1-9])/s,
}

/** Reports the menus with items that a plugin hides from some visitors. */
export async function checkHiddenItems(snapshot: SiteSnapshot): Promise<Problem[]> {
  const { db, site } = snapshot
  const stored = await readRows<{ post_id: number; meta_key: string; meta_value: string }>(
    db,
    `SELECT post_id, meta_key, LEFT(meta_value, 2000) AS meta_value FROM :postmeta:
      WHERE meta_key IN (:keys) AND meta_value <> ''`,
    { postmeta: site.tables.postmeta, keys: Object.keys(VISIBILITY_KEYS) },
  )
  const rows = stored.filter((row) => !VISIBILITY_KEYS[row.meta_key]?.test(row.meta_value))
  if (rows.length === 0) return []
  const { items } = await snapshot.items()
  const menus = await snapshot.menus()
  const inMenus = groupBy(
    rows.filter(({ post_id }) => items.has(post_id)),
    ({ post_id }) => items.get(post_id)?.menus[0] ?? 0,
  )
  return [...inMenus].flatMap(([menu, hidden]): Problem[] => {
    if (menu === 0) return []
    const ids = [...new Set(hidden.map(({ post_id }) => post_id))].sort((a, b) => a - b)
    const keys = [...new Set(hidden.map(({ meta_key }) => meta_key))].sort()
    return [
      found(
        'item_hidden_by_plugin',
        `A plugin hides the items ${formatList(ids)} of ${describeMenu(menu, menus)} from some visitors (${keys.join(', ')}).`,
        { about: subject('menu', menu) },
      ),
    ]
  })
}

/** Checks that the parent of each menu item is in the same menu, and that parents form no cycle. */
export async function checkItemParents(snapshot: SiteSnapshot): Promise<Problem[]> {
  const { items } = await snapshot.items()
  const menus = await snapshot.menus()
  const problems: Problem[] = []
  for (const item of items.values()) {
    const isParentMissing = item.menus.some((menu) => !items.get(item.parent)?.menus.includes(menu))
    if (item.parent <= 0 || !isParentMissing) continue
    const message = `${describeItem(item, menus)} has the parent ${item.parent}, which is not in the menu.`
    problems.push(found('item_parent_missing', message, { about: itemOf(item) }))
  }
  for (const cycle of findParentCycles(items)) {
    const menu = cycle[0]?.menus[0]
    const ids = formatList(cycle.map(({ id }) => id))
    const message = `The parents of the items ${ids} of ${describeMenu(menu ?? 0, menus)} form a cycle.`
    problems.push(found('item_parents_circular', message, { about: subject('menu', String(menu)) }))
  }
  return problems
}

/** Finds the cycles of parents, each once. */
function findParentCycles(items: ReadonlyMap<number, SurveyedItem>): SurveyedItem[][] {
  const cycles: SurveyedItem[][] = []
  const done = new Set<number>()
  for (const start of items.values()) {
    const path = new Set<SurveyedItem>()
    let at: SurveyedItem | undefined = start
    while (at && !done.has(at.id) && !path.has(at)) {
      path.add(at)
      at = items.get(at.parent)
    }
    const walked = [...path]
    if (at && path.has(at)) cycles.push(walked.slice(walked.indexOf(at)))
    for (const { id } of walked) done.add(id)
  }
  return cycles.filter((cycle) => cycle.some(({ menus }) => menus.length > 0))
}

/**
 * Finds published menu items that are in no menu. Drafts are ignored: wp-admin creates them while a menu is edited and deletes them itself
 * (_wp_delete_orphaned_draft_menu_items, nav-menu.php).
 */
export async function checkOrphanedItems(snapshot: SiteSnapshot): Promise<Problem[]> {
  const before = gmtText(
    new Date(snapshot.startedAt.getTime() - snapshot.db.timings.doctor.orphanedItemMs),
  )
  const orphans = [...(await snapshot.items()).items.values()].filter(
    ({ menus, status, modifiedGmt }) =>
      menus.length === 0 && status === 'publish' && modifiedGmt < before,
  )
  const ids = orphans.map(({ id }) => id)
  const fix: Fix = {
    summary: 'Deletes the menu items that are in no menu.',
    apply: async ({ db }) => {
      for (const batch of inBatches(ids, FIX_BATCH_SIZE))
        await db.write({ site: snapshot.site }, (tx) =>
          deleteOrphanedItems(tx, snapshot.site, batch),
        )
    },
  }
  return ids.map((id) =>
    found('item_without_menu', `Item ${id} is published but in no menu.`, { fix }),
  )
}

/** Checks that the stored count of each menu is the number of its published items. */
export async function checkMenuCounts(snapshot: SiteSnapshot): Promise<Problem[]> {
  const published = new Map<number, number>()
  for (const { status, menus } of (await snapshot.items()).items.values()) {
    if (status !== 'publish') continue
    for (const menu of menus) published.set(menu, (published.get(menu) ?? 0) + 1)
  }
  return (await snapshot.menus()).flatMap((menu) => {
    const items = published.get(menu.id) ?? 0
    return menu.count === items ? [] : [wrongCount(snapshot.site, menu, items)]
  })
}

/** Checks that no menu has more text than is read. */
export async function checkMenuSizes(snapshot: SiteSnapshot): Promise<Problem[]> {
  const large = await listLargeMenus(snapshot.db, snapshot.site)
  if (large.size === 0) return []
  const menus = await snapshot.menus()
  return [...large].map((id) =>
    found(
      'menu_too_large',
      `The items of ${describeMenu(id, menus)} take more than ${MAX_MENU_BYTES / 1024 / 1024} MB.`,
      { about: subject('menu', id) },
    ),
  )
}

/** A menu that WordPress does not show. */
const HIDDEN_MENU = {
  severity: 'error',
  impact: 'WordPress does not show a menu whose count is 0.',
} as const

function wrongCount(site: Site, menu: Menu, items: number): Problem {
  const message = `Menu "${decodeName(menu.name)}" (${menu.id}) has a stored count of ${menu.count} items, but ${items} are published.`
  const fix: Fix = {
    summary: `Corrects the count of menu ${menu.id}.`,
    apply: ({ db }) =>
      db.write({ site }, async (tx) => {
        const locked = await lockMenu(tx, site, menu.id)
        if (locked) recountMenus(tx, site, [locked])
      }),
  }
  const about = subject('menu', menu.id)
  return found('menu_count_wrong', message, {
    about,
    fix,
    ...(menu.count === 0 ? HIDDEN_MENU : {}),
  })
}

const itemOf = ({ id, menus: [menu] }: SurveyedItem): Subject => ({
  ...subject('menu', String(menu)),
  item: id,
})

/** A menu item for a message. */
function describeItem({ id, title, menus: [first] }: SurveyedItem, menus: readonly Menu[]): string {
  const item = title === '' ? `Item ${id}` : `Item "${decodeName(title)}" (${id})`
  return first === undefined ? item : `${item} of ${describeMenu(first, menus)}`
}

function describeMenu(id: number, menus: readonly Menu[]): string {
  const name = menus.find((menu) => menu.id === id)?.name ?? ''
  return `menu "${decodeName(name)}" (${id})`
}
