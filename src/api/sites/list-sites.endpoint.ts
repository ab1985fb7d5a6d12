import { z } from 'zod'
import { listAdministeredSites } from '../../auth/authorize-site.ts'
import { decodeName } from '../../wordpress/formatting/plain-text.ts'
import { readLanguagesOfSites } from '../../wordpress/languages/languages-of-sites.ts'
import { defineEndpoint } from '../endpoint.ts'
import { nextIdField } from '../paging.ts'
import { presentSite, readSitePage, siteFields, sitesQuery } from './site-page.ts'

export const listSitesEndpoint = defineEndpoint({
  on: 'caller',
  name: 'listSites',
  method: 'get',
  path: '/sites',
  summary: 'List the sites that the token may administer, by id',
  description:
    'The sites of which the user of the token is an administrator, within the limits of the token. Archived sites and spam are only for super administrators, and deleted sites for nobody.',
  query: z.object(sitesQuery),
  response: z.object({
    total: z.int().describe('Sites on all pages.'),
    sites: z.array(
      z.object({
        ...siteFields,
        languages: z
          .array(
            z.object({
              code: z.string().meta({ examples: ['fr'] }),
              name: z.string().meta({ description: 'Plain text.', examples: ['Français'] }),
              rtl: z.boolean().describe('Written from right to left.'),
            }),
          )
          .describe('In the order of Polylang; empty without it.'),
        default_lang: z
          .string()
          .nullable()
          .meta({ examples: ['en'] }),
      }),
    ),
    next: nextIdField,
  }),
  mcpLeavesOut: ['sites.home'],
  async read({ db, globals, caller, query }) {
    const sites = await listAdministeredSites(db, globals, caller)
    const { total, page, next } = await readSitePage(db, sites, query)
    const languages = await readLanguagesOfSites(
      db,
      page.map(({ site }) => site),
    )
    return {
      total,
      sites: page.map((named) => {
        const ofSite = languages.get(named.site.blogId)
        return {
          ...presentSite(named),
          languages: (ofSite?.list ?? []).map(({ slug, name, rtl }) => ({
            code: slug,
            name: decodeName(name),
            rtl,
          })),
          default_lang: ofSite?.default ?? null,
        }
      }),
      next,
    }
  },
})
