import { z } from 'zod'
import { isMenuSize, MAX_ITEMS, MAX_LEVELS } from '../../content/menus/item-tree.ts'
import { menuContent } from '../../content/menus/menu-file.ts'
import { readPortableMenu } from '../../content/menus/portable-menu.ts'
import { AppError } from '../../host/errors.ts'
import { getMenu } from '../../wordpress/nav-menus/find-menu.ts'
import { readLinkSettings } from '../../wordpress/permalinks/link-settings.ts'
import { field, optional } from '../described.ts'
import { defineEndpoint, type Endpoint } from '../endpoint.ts'
import { MenuParamsSchema } from './menu-fields.ts'

const getMenuFileEndpoint = defineEndpoint({
  name: 'getMenuFile',
  method: 'get',
  path: '/menus/:ref/file',
  isTool: false,
  summary: 'Read a menu as a tree that identifies pages by their paths, for other sites',
  params: MenuParamsSchema,
  response: z.object({
    id: z.int().meta({ examples: [7] }),
    menu: z
      .object({
        name: z.string(),
        slug: z.string(),
        locations: z.array(
          z.object({
            location: z.string(),
            lang: z.string().optional(),
            theme: optional(z.string(), 'Unless it is the active one.'),
          }),
        ),
        items: z.array(z.looseObject({})).describe('As in a menu file, see docs/commands.md.'),
      })
      .describe('The contents of a menu file.'),
    left_out: z
      .array(
        z.object({
          id: z.int(),
          title: z.string().describe('As stored; HTML.'),
          reason: field(
            z.enum(['draft', 'gone', 'unnamed']),
            '`draft`: the item is one. `gone`: what it links does not exist or is in the trash. `unnamed`: what it links has no path that identifies it on other sites.',
          ),
        }),
      )
      .describe('Items that are not in the tree.'),
  }),
  errors: ['menu_not_found', 'menu_too_large', 'list_too_large'],
  async read({ db, site, params }) {
    const links = await readLinkSettings(db, site)
    const { id, ...menu } = await getMenu(db, site, params.ref, {}, links.languages)
    const portable = await readPortableMenu(db, site, links, { id, ...menu })
    const { slug, items, leftOut } = portable
    if (!isMenuSize(items)) {
      const levels = items.reduce((most, { at }) => Math.max(most, at.split('.').length), 0)
      throw new AppError(
        'list_too_large',
        `The menu "${slug}" has ${items.length} items on ${levels} levels; a menu file can contain at most ${MAX_ITEMS} items on ${MAX_LEVELS} levels.`,
      )
    }
    return { id, menu: menuContent(portable), left_out: leftOut }
  },
})

export const endpoints: readonly Endpoint[] = [getMenuFileEndpoint]
