import { decodeName } from '../../wordpress/formatting/plain-text.ts'
import { lockMenu, recountMenus } from '../../wordpress/nav-menus/menu-term.ts'
import type { Menu } from '../../wordpress/nav-menus/nav-menu.ts'
import type { Site } from '../../wordpress/network/site.ts'
import type { Problem } from '../finding.ts'
import type { SiteSnapshot } from '../site-snapshot.ts'

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
        db.transaction(async (tx) => {
          const held = await lockMenu(tx, site, menu.id)
          if (held) await recountMenus(tx, site, [held])
        }, site),
    },
  }
}
