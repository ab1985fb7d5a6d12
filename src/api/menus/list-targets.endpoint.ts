import { z } from 'zod'
import { assertLanguage } from '../../menus/locations.ts'
import { findTarget } from '../../menus/menu-target.ts'
import { findTargets } from '../../menus/menu-targets.ts'
import { findLanguage } from '../../wordpress/languages/languages.ts'
import { readLinkSettings } from '../../wordpress/permalinks/link-settings.ts'
import { defineEndpoint } from '../endpoint.ts'
import { siteId } from '../fields.ts'
import { limitField, searchField } from '../paging.ts'
import { menuTarget, TARGET_ERRORS } from './menu-call.ts'
import { MenuParamsSchema, scopeFields } from './menu-fields.ts'
import { MenuOfItemSchema, presentMenuOfItem } from './present-menu.ts'

/** Targets of each kind in a response. */
export const MENU_TARGETS = { max: 100, byDefault: 20 }

export const listMenuTargetsEndpoint = defineEndpoint({
  name: 'listMenuTargets',
  method: 'get',
  path: '/menus/:ref/targets',
  summary: 'Search what an item of the menu can link: posts of all types, terms and archives',
  description: 'Published posts. Only the PHP of the site knows which of them it shows.',
  params: MenuParamsSchema,
  query: z.object({
    search: searchField('Part of the title, name or slug, or the id.', 'team'),
    ...scopeFields,
    limit: limitField('Targets of each kind', MENU_TARGETS),
  }),
  response: z.object({
    site_id: siteId,
    menu: MenuOfItemSchema,
    targets: z.array(
      z
        .object({
          type: z.enum(['post_type', 'taxonomy', 'post_type_archive']),
          object: z
            .string()
            .meta({ description: 'Its post type or taxonomy.', examples: ['page'] }),
          object_id: z.int().describe('0 for an archive.'),
          title: z.string().meta({ description: 'As stored; HTML.', examples: ['Team'] }),
          url: z.string(),
          lang: z.string().nullable(),
        })
        .meta({ id: 'MenuTarget' }),
    ),
  }),
  errors: TARGET_ERRORS,
  async read(call) {
    const { db, site, query } = call
    const { search: text = '', lang, limit = MENU_TARGETS.byDefault } = query
    const links = await readLinkSettings(db, site)
    const { languages } = links
    if (lang !== undefined) assertLanguage(languages, lang)
    const menu = await findTarget(db, site, menuTarget(call), languages)
    const language = lang === undefined ? undefined : findLanguage(languages, lang)
    return {
      site_id: site.blogId,
      menu: presentMenuOfItem(menu),
      targets: await findTargets(db, site, links, { text, language, limit }),
    }
  },
})
