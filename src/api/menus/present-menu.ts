import { z } from 'zod'
import { readableMenuName } from '../../wordpress/formatting/menu-texts.ts'
import type { MenuItem } from '../../wordpress/nav-menus/menu-item.ts'
import type { Menu } from '../../wordpress/nav-menus/nav-menu.ts'
import type { Site } from '../../wordpress/network/site.ts'
import type { ResponseOf } from '../endpoint.ts'
import { pick } from '../pick.ts'

const nameFields = {
  id: z.int().meta({ examples: [23] }),
  name: z.string().meta({ examples: ['Main menu'] }),
}

/** A menu's names. */
export const MenuNamesSchema = z
  .object({ ...nameFields, slug: z.string().meta({ examples: ['main-menu'] }) })
  .meta({ id: 'Menu' })

/** The menu in responses to writes of one item. */
export const MenuOfItemSchema = z.object(nameFields)

/** A menu's names. Sent back, they do not change the menu. */
export function presentMenu({
  id,
  name,
  slug,
}: Pick<Menu, 'id' | 'name' | 'slug'>): ResponseOf<typeof MenuNamesSchema> {
  return { id, name: readableMenuName(name), slug }
}

/** An item in a response. The title is as stored: if it were decoded, text could be written back as HTML. */
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
      .meta({ description: 'Id of the linked page; null for other items.', examples: [10] }),
    url: z.string().meta({ examples: ['http://net.test/shop/about-us/team/'] }),
    parent: z.int().describe('Id of the parent item; 0 at the top level.'),
    order: z.int().describe('Position in the whole tree, from 1.'),
    valid: z
      .boolean()
      .describe(
        'False if WordPress leaves the item out, because what it links was deleted or is in the trash. A link to a draft is printed, and leads visitors to an error.',
      ),
  })
  .meta({ id: 'MenuItem' })

/** The current value of a field, or the previous and the current value if it changed. */
const changed = <Field extends z.ZodType>(field: Field) =>
  z.union([field, z.object({ from: field, to: field })])

const { id, title, type, page, url, parent, order, valid } = ItemSchema.shape

/** An item in the response to an update. */
export const ChangedItemSchema = z
  .object({
    id,
    title: changed(title),
    type: changed(type),
    page: changed(page),
    url: changed(url),
    parent: changed(parent),
    order: changed(order),
    valid: changed(valid),
    target: changed(z.string()),
    classes: changed(z.string()),
  })
  .meta({ description: 'The current value of each field; a changed field is `{from, to}`.' })

const atField = z.string().meta({
  description: 'Position in the sent tree: `1.0` is the first child of the second item.',
  examples: ['1.0'],
})

/** A written item with its position in the sent tree. */
export const WrittenItemSchema = ItemSchema.extend({ at: atField }).meta({ id: 'PlacedMenuItem' })

/** An item that was left out of a tree, or because of which the tree was rejected. */
export const InvalidItemSchema = z
  .object({
    at: atField,
    reason: z.enum(['page_not_published', 'parent_left_out']),
    message: z.string(),
    page: z.int().nullable(),
    status: z
      .string()
      .optional()
      .meta({ description: 'Status of the page.', examples: ['draft'] }),
  })
  .meta({ id: 'InvalidItem' })

/** `assigned`: the locations to which a menu is assigned. */
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

/** The menu in responses to writes of one item. */
export const presentMenuOfItem = (menu: Menu): ResponseOf<typeof MenuOfItemSchema> =>
  pick(MenuOfItemSchema, presentMenu(menu))

/** The current value of every field; `{from, to}` for a changed one. */
export function presentChangedItem(
  before: MenuItem,
  after: MenuItem,
): ResponseOf<typeof ChangedItemSchema> {
  return { id: after.id, ...changedFields(updatableFields(before), updatableFields(after)) }
}

function updatableFields(item: MenuItem) {
  const { id: _, ...fields } = pick(ItemSchema, item)
  return { ...fields, target: item.target, classes: item.classes.join(' ') }
}

type Changes<Fields> = {
  [Name in keyof Fields]: Fields[Name] | { from: Fields[Name]; to: Fields[Name] }
}

function changedFields<Fields extends object>(before: Fields, after: Fields): Changes<Fields> {
  return Object.fromEntries(
    Object.entries(after).map(([field, to]) => {
      const from = Reflect.get(before, field)
      return [field, from === to ? to : { from, to }]
    }),
  ) as Changes<Fields>
}

/** The path at which the items of an assigned menu are read. */
export function readItemsAt({ blogId }: Site): string {
  return `/site/${blogId}/data/menu.<location>`
}
