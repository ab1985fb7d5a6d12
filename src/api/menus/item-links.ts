import { z } from 'zod'
import type { Db } from '../../db/database.ts'
import type { MenuItem } from '../../wordpress/nav-menus/menu-item.ts'
import { linkItems, type StoredMenu } from '../../wordpress/nav-menus/read-menu.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { isPublic, type Post, readPosts } from '../../wordpress/pages/posts.ts'
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

/** The links of all items of a menu, by id, in two statements, or three if terms are linked. */
export async function readItemLinks(
  db: Db,
  site: Site,
  links: LinkSettings,
  stored: StoredMenu,
): Promise<Map<number, PresentedLink>> {
  // Without a title of its own, an item has that of what it links.
  const untitled = stored.items.map((item) => ({ ...item, row: { ...item.row, post_title: '' } }))
  const { items } = await linkItems(db, site, links, { ...stored, items: untitled })
  const ids = items.flatMap(({ type, objectId }) => (type === 'post_type' ? objectId : []))
  const posts = await readPosts(db, site, links.languages, { ids })
  return new Map(
    items.map((item, index) => {
      const target = item.type === 'post_type' ? posts.get(item.objectId) : undefined
      const { title: linkedTitle, url, page } = item
      const title = stored.items[index]?.row.post_title || linkedTitle
      const lang = target?.lang ?? null
      const translations = Object.fromEntries(target?.translations ?? [])
      const link = { title, linked_title: linkedTitle, url, page, lang, translations }
      return [item.id, { ...link, ...problemOf(item, target) }]
    }),
  )
}

/** @param target the post that the item links; undefined for other links */
function problemOf(
  { status, valid, object, objectId }: MenuItem,
  target: Post | undefined,
): Pick<PresentedLink, 'problem' | 'message'> {
  if (!valid) {
    const state = target === undefined ? 'does not exist' : 'is in the trash'
    const message = `It links to ${object || 'the post'} ${objectId}, which ${state}.`
    return { problem: 'target_missing', message }
  }
  if (target && !isPublic(target)) {
    const state = target.protected ? 'has a password' : `has the status "${target.status}"`
    const message = `It links to ${target.type} ${target.id}, which ${state}.`
    return { problem: 'target_not_public', message }
  }
  if (status !== 'publish')
    return { problem: 'not_published', message: `The item has the status "${status}".` }
  return { problem: null, message: null }
}
