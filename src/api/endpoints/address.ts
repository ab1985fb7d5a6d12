import { z } from 'zod'
import { SiteData } from '../../build/baking/site-data.ts'
import { assertLanguage } from '../../wordpress/languages/languages.ts'
import { parseAddress, parsePageUrl, queryValue } from '../../wordpress/permalinks/address.ts'
import { findPageAt } from '../../wordpress/permalinks/find-page-at.ts'
import { homeUrl } from '../../wordpress/permalinks/urls.ts'
import { nullable } from '../described.ts'
import { defineEndpoint, type Endpoint } from '../endpoint.ts'
import { langField } from './menu-fields.ts'

const getAddressEndpoint = defineEndpoint({
  name: 'getAddress',
  method: 'get',
  path: '/address',
  isTool: false,
  summary: 'Read which page is at an address of the site',
  description:
    'As WordPress and Polylang resolve it: also at a similar address, from which they redirect. A page that visitors may not see has the address `?page_id=<id>`.',
  query: z.object({
    url: z
      .string()
      .regex(/^\//, 'must begin with "/"')
      .meta({ description: 'The path, with its query.', examples: ['/shop/about-us/team/'] }),
    lang: langField.describe(
      'The language whose host it is, if languages have hosts of their own; otherwise it has no effect.',
    ),
  }),
  response: z.object({
    url: z.string().meta({
      description: 'The whole address.',
      examples: ['http://net.test/shop/about-us/team/'],
    }),
    home: z.string().meta({
      description: 'The home of the site in the language.',
      examples: ['http://net.test/shop/'],
    }),
    page: nullable(z.object({ id: z.int() }), 'Null if no page of this site is there.'),
  }),
  errors: ['unknown_language', 'polylang_inactive'],
  async read({ db, site, query: { url, lang } }) {
    const links = await new SiteData(db, site).links()
    if (lang !== undefined) assertLanguage(links.languages, lang)
    const home = homeUrl(links, lang ?? links.languages.default)
    const { host, origin } = new URL(home)
    const address = parseAddress(host, url)
    const base = parsePageUrl(`${links.home}/`)?.segments ?? []
    const isOfSite = address && base.every((segment, at) => address.segments[at] === segment)
    const named = (isOfSite && queryValue(address, 'page_id')) || ''
    const id = /^\d{1,15}$/.test(named)
      ? Number(named)
      : isOfSite && (await findPageAt(db, site, links, address))?.page.id
    return { url: `${origin}${url}`, home, page: id ? { id } : null }
  },
})

export const endpoints: readonly Endpoint[] = [getAddressEndpoint]
