import type { SurveyedItem } from '../../wordpress/health/menu-survey.ts'
import { describeItem } from '../describe-item.ts'
import type { Problem } from '../finding.ts'
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
