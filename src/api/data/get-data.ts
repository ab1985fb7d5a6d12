import { z } from 'zod'
import { SiteData } from '../../baking/site-data.ts'
import { assertLanguage } from '../../menus/place.ts'
import { defineEndpoint } from '../endpoint.ts'
import { anything } from '../menus/menu-fields.ts'
import { readSource } from './read-source.ts'

/** The data sources of frames, as visitors see them in a language (decisions, sections 6 and 9). */
export const getData = defineEndpoint({
  method: 'get',
  path: '/data/:source',
  summary: 'One data source: menu.<location>, site, settings, pages, languages, dataset.<name>',
  query: z.object({ lang: anything }),
  async handle({ db, site, params, query, tellVersion }) {
    const data = new SiteData(db, site)
    const { languages } = await data.links()
    if (query.lang !== undefined) assertLanguage(languages, query.lang)
    const { source = '' } = params
    const lang = query.lang ?? languages.default
    return {
      success: true,
      site_id: site.blogId,
      source,
      lang,
      ...(await readSource({ db, site, data, lang, tellVersion }, source)),
    }
  },
})
