import type { oas31 } from 'zod-openapi'
import { AppError } from '../../errors.ts'
import { type ItemTree, MAX_CLASSES, MAX_CLASSES_LENGTH, MAX_ITEMS, MAX_LEVELS, MAX_URL_LENGTH, readTree } from '../../menus/item-tree.ts'
import { flag } from '../flag.ts'
import { blankAsAbsent } from './menu-fields.ts'

const page = {
  type: ['string', 'integer'],
  description: 'A page: its id, slug or path.',
  examples: ['about-us/team'],
} satisfies oas31.SchemaObject

/** An item to be written, in words of JSON Schema (contract, section 2.6): `readTree` reads it, and says all that is wrong with it. */
export const ITEM_INPUT = {
  type: 'object',
  description: 'A menu item to be written: a page, or else an address.',
  properties: {
    page,
    url: {
      type: 'string',
      maxLength: MAX_URL_LENGTH,
      description:
        "A link; a path is completed with the site's address, unless an item of the menu has it so already.",
      examples: ['https://example.com/'],
    },
    title: {
      type: 'string',
      description: "By default the page's title, else the address.",
      examples: ['Team'],
    },
    target: { type: 'string', description: '`_blank`, or nothing.' },
    classes: {
      type: 'string',
      maxLength: MAX_CLASSES_LENGTH,
      description: `At most ${MAX_CLASSES}, separated by spaces.`,
    },
    children: {
      type: 'array',
      description: 'The items below it.',
      items: { anyOf: [{ $ref: '#/components/schemas/MenuItemInput' }, page] },
    },
  },
} satisfies oas31.SchemaObject

/** A tree of items. */
export const items = blankAsAbsent({
  type: 'array',
  description: `A tree of at most ${MAX_ITEMS} items on ${MAX_LEVELS} levels; a bare value is a link to a page.`,
  items: ITEM_INPUT.properties.children.items,
  examples: [
    [
      { page: 'about-us', children: ['about-us/team'] },
      { url: '/', title: 'Top' },
    ],
  ],
})

export const allowInvalid = flag(
  false,
  'Leave out items on pages that are not published, each with its branch, instead of refusing the tree.',
)

/**
 * The tree in `items`.
 * @throws AppError `bad_items` for what is no list; what is wrong in it is told with all the rest, when its pages are looked for
 */
export function readItems(items: unknown): ItemTree {
  if (Array.isArray(items)) return readTree(items)
  throw new AppError('bad_items', 'Send the items of the menu as a list in "items".', {
    errors: [{ at: '', reason: 'not_a_list', message: '"items" is a list of items.' }],
  })
}
