import type { SurveyedItem } from '../../wordpress/health/menu-survey.ts'
import { describeItem, describeMenu } from '../describe-item.ts'
import { type Problem, formatList } from '../finding.ts'
import type { SiteSnapshot } from '../site-snapshot.ts'

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
