import { z } from 'zod'
import type { Db } from '../../db/database.ts'
import { linkProblem } from '../../wordpress/nav-menus/link-problem.ts'
import { readLinkedObjects, type StoredMenu } from '../../wordpress/nav-menus/read-menu.ts'
import { setUpItem } from '../../wordpress/nav-menus/set-up-item.ts'
import type { Site } from '../../wordpress/network/site.ts'
import type { LinkSettings } from '../../wordpress/permalinks/link-settings.ts'
import type { ResponseOf } from '../endpoint.ts'

/** Where an item of a menu leads, and whether visitors get there. */
export const ItemLinkSchema = z
  .object({
    title: z.string().describe('As shown; HTML.'),
    linked_title: z
      .string()
      .describe('What an item without a title of its own shows; HTML. Empty for an address.'),
    url: z.string().describe('Empty if the target does not exist.'),
    page: z.int().nullable().describe('Id of the linked page; null for other links.'),
    lang: z.string().nullable().describe('Code of the language of the linked page or post.'),
    translations: z.record(z.string(), z.int()).meta({
      description: 'Ids of its translations by language.',
      examples: [{ en: 12, fr: 15 }],
    }),
    problem: z
      .enum(['target_missing', 'target_not_public', 'not_published'])
      .nullable()
      .describe(
        '`target_missing`: the linked page or term does not exist or is in the trash, so visitors do not see the item. `target_not_public`: the link leads to a page that visitors cannot read. `not_published`: the item is a draft. Null: visitors see the item, and the target that the site itself knows is public.',
      ),
    message: z.string().nullable(),
  })
  .meta({ id: 'MenuItemLink' })

type PresentedLink = ResponseOf<typeof ItemLinkSchema>

/** The links of all items of a menu, by id, in one statement, or two if terms are linked. */
export async function readItemLinks(
  db: Db,
  site: Site,
  links: LinkSettings,
  stored: StoredMenu,
): Promise<Map<number, PresentedLink>> {
  const objects = await readLinkedObjects(db, site, links, stored.items)
  return new Map(
    stored.items.map(({ row, meta }, index) => {
      // Without a title of its own, an item has that of what it links.
      const untitled = { row: { ...row, post_title: '' }, meta }
      const item = setUpItem(untitled, index + 1, objects)
      const { title: linkedTitle, url, page } = item
      const title = row.post_title || linkedTitle
      const target = item.type === 'post_type' ? objects.posts.get(item.objectId) : undefined
      const lang = target?.lang ?? null
      const translations = Object.fromEntries(target?.translations ?? [])
      const { kind: problem = null, reason } = linkProblem(item, objects) ?? {}
      const message = reason === undefined ? null : `The item ${reason}.`
      const link = { title, linked_title: linkedTitle, url, page, lang, translations }
      return [item.id, { ...link, problem, message }]
    }),
  )
}
