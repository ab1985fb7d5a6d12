import { z } from 'zod'
import { SiteData } from '../../baking/site-data.ts'
import { assertLanguage } from '../../menus/locations.ts'
import { defineEndpoint } from '../endpoint.ts'
import { siteId } from '../fields.ts'
import { langField } from '../menus/menu-fields.ts'
import { readSource, sourceResponses } from './read-data-source.ts'

/** Reads a data source of frames as visitors see it, in one language. */
export const getDataEndpoint = defineEndpoint({
  name: 'getData',
  isOfContract: true,
  method: 'get',
  path: '/data/:source',
  summary: 'Read what frames can show: a menu, the site, settings, pages, languages or a data set',
  params: z.object({
    source: z.string().meta({
      description:
        'One of `menu.<location>`, `pages`, `languages`, `site`, `settings` and `dataset.<name>`, or a path into one of the last three.',
      examples: ['menu.header'],
    }),
  }),
  query: z.object({ lang: langField }),
  response: z.union(
    sourceResponses.map((fields) =>
      fields.extend({
        site_id: siteId,
        source: z.string().meta({ examples: ['menu.header'] }),
        lang: z
          .string()
          .nullable()
          .meta({ examples: ['fr'] }),
      }),
    ),
  ),
  errors: ['unknown_source', 'unknown_location', 'unknown_language', 'polylang_inactive'],
  async read({ db, site, params, query, setEtag }) {
    const data = new SiteData(db, site)
    const [languages] = await Promise.all([data.languages(), data.prefetch()])
    if (query.lang !== undefined) assertLanguage(languages, query.lang)
    const { source } = params
    const lang = query.lang ?? languages.default
    return {
      site_id: site.blogId,
      source,
      lang,
      ...(await readSource({ db, site, data, lang, setEtag }, source)),
    }
  },
})
