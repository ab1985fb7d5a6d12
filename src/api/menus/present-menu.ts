import { z } from 'zod'
import { readableMenuName } from '../../wordpress/formatting/menu-texts.ts'
import type { MenuItem } from '../../wordpress/nav-menus/menu-item.ts'
import type { Menu } from '../../wordpress/nav-menus/nav-menu.ts'
import type { Site } from '../../wordpress/network/site.ts'
import type { ResponseOf } from '../endpoint.ts'

const names = {
  id: z.int().meta({ examples: [23] }),
  name: z.string().meta({ examples: ['Main menu'] }),
}

/** A menu's names (contract, section 2.5). */
export const MenuNamesSchema = z
  .object({ ...names, slug: z.string().meta({ examples: ['main-menu'] }) })
  .meta({ id: 'Menu' })

/** A menu, where one item of it was written. */
export const MenuOfItemSchema = z.object(names)

/** A menu's names; sent back, they leave the menu as it is. */
export function presentMenu({
  id,
  name,
  slug,
}: Pick<Menu, 'id' | 'name' | 'slug'>): ResponseOf<typeof MenuNamesSchema> {
  return { id, name: readableMenuName(name), slug }
}

/** An output item (contract, section 2.6). */
export const ItemSchema = z
  .object({
    id: z.int().meta({ examples: [41] }),
    title: z.string().meta({
      description: 'As stored: HTML, in which `&amp;` is an ampersand.',
      examples: ['Team'],
    }),
    type: z.enum(['post_type', 'custom', 'taxonomy', 'post_type_archive']),
    page: z
      .int()
      .nullable()
      .meta({ description: 'Id of the page; null for all else.', examples: [10] }),
    url: z.string().meta({ examples: ['http://net.test/shop/about-us/team/'] }),
    parent: z.int().describe('Id of the item above, 0 at the top.'),
    order: z.int().describe('From 1, over the whole tree.'),
    valid: z.boolean().describe('False: visitors do not see it.'),
  })
  .meta({ id: 'MenuItem' })

const at = z.string().meta({
  description:
    'Where it stands in the tree that was sent: `1.0` is the first child of the second item.',
  examples: ['1.0'],
})

/** An item of a tree that was written. */
export const WrittenItemSchema = ItemSchema.extend({ at }).meta({ id: 'PlacedMenuItem' })

/** An item that was left out of a tree, or for which the tree was refused. */
export const InvalidItemSchema = z
  .object({
    at,
    reason: z.enum(['page_not_published', 'parent_left_out']),
    message: z.string(),
    page: z.int().nullable(),
    status: z
      .string()
      .optional()
      .meta({ description: 'Of the page.', examples: ['draft'] }),
  })
  .meta({ id: 'InvalidItem' })

/** `assigned`: the places where a menu is set. */
export const AssignedSchema = z.array(
  z.object({
    location: z.string().meta({ examples: ['header'] }),
    lang: z
      .string()
      .nullable()
      .meta({ description: 'Null on a site without languages.', examples: ['en'] }),
  }),
)

export const readItemsAtField = z.string().meta({ examples: ['/site/2/data/menu.<location>'] })

/** An output item. Its title is given as stored: decoded, what a user wrote as text could be written back as HTML. */
export function presentItem(item: MenuItem): ResponseOf<typeof ItemSchema> {
  return {
    id: item.id,
    title: item.title,
    type: item.type,
    page: item.page,
    url: item.url,
    parent: item.parent,
    order: item.order,
    valid: item.valid,
  }
}

/** Where the items of a menu are read: at its location. */
export function readItemsAt({ blogId }: Site): string {
  return `/site/${blogId}/data/menu.<location>`
}
