import { z } from 'zod'
import { SiteData } from '../../build/baking/site-data.ts'
import { pageRow } from '../../build/baking/sources/page-source.ts'
import { valueAt } from '../../content/markup/evaluation/find-value.ts'
import type { Needs } from '../../content/markup/evaluation/needs.ts'
import type { Value } from '../../content/markup/evaluation/program.ts'
import { menuKey } from '../../content/markup/evaluation/values.ts'
import { storedMenuRows } from '../../content/markup/menus/menu-tree.ts'
import { parsePath } from '../../content/markup/value-path.ts'
import { assertLocation } from '../../content/menus/locations.ts'
import { versionOfMenu } from '../../content/menus/menu-target.ts'
import type { Db } from '../../db/database.ts'
import { AppError } from '../../host/errors.ts'
import { assertLanguage } from '../../wordpress/languages/languages.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { exampled, field } from '../described.ts'
import { defineEndpoint, type Endpoint, type ResponseOf } from '../endpoint.ts'
import { langField, MenuNamesSchema, presentMenu } from './menu-fields.ts'

/** The site whose data is read, and the language; null on a site without languages. */
type SourceScope = {
  readonly db: Db
  readonly site: Site
  readonly data: SiteData
  readonly lang: string | null
  /** Sets the version of a menu in the response. */
  setEtag(version: string | undefined): void
}

const menuRow = z
  .object({
    id: z.int(),
    title: z.string().describe('As stored; HTML, so `&amp;` is an ampersand.'),
    url: z.string(),
    type: field(
      z.string(),
      'Kind of the linked object: `post_type`, `taxonomy`, `post_type_archive` or `custom`.',
    ),
    page: z.int().nullable(),
    target: z.string(),
    classes: z.string(),
    get children() {
      return z.array(menuRow)
    },
  })
  .meta({ id: 'MenuRow', description: 'A menu item as visitors see it.' })

/** The fields of a response by kind of source: a menu, a list, or one value. */
const sourceResponses = [
  z.object({
    menu: MenuNamesSchema.nullable().describe('Null if no menu is assigned to the location.'),
    total: z.int().describe('Number of items of the menu.'),
    items: z.array(menuRow),
  }),
  z.object({
    total: z.int(),
    items: z.array(z.unknown()).describe('Pages, languages, or the rows of a data set.'),
  }),
  z.object({ value: z.unknown() }),
]

type SourceResponse = ResponseOf<(typeof sourceResponses)[number]>

/**
 * The data of a source as fields of the response: `total` and `items` for a list, also `menu` for a menu, `value` for any other source.
 * @throws AppError `unknown_source`
 * @throws AppError `unknown_location` for a menu at an unknown location
 */
async function readSource(scope: SourceScope, source: string): Promise<SourceResponse> {
  // `site` and `settings` alone are valid sources; `parsePath` requires a key after them.
  const keys = source === 'site' || source === 'settings' ? [] : parsePath(source)?.keys
  const [root, first = ''] = source.split('.')
  if (!keys) throw unknownSource(source)
  switch (root) {
    case 'menu':
      return readMenuSource(scope, first)
    case 'pages':
      return listResponse(await readPages(scope))
    case 'languages':
      return listResponse(
        (await scope.data.values({ ...NO_REQUIREMENTS, languages: true }, null)).languages,
      )
    case 'site':
      return valueResponse(source, valueAt(await scope.data.siteFields(scope.lang), keys))
    case 'settings':
      return valueResponse(source, valueAt(await scope.data.settings(scope.lang), keys))
    case 'dataset': {
      const needs = { ...NO_REQUIREMENTS, datasets: [first] }
      return valueResponse(
        source,
        valueAt((await scope.data.values(needs, scope.lang)).datasets, keys),
      )
    }
    default:
      throw unknownSource(source)
  }
}

const NO_REQUIREMENTS: Needs = {
  site: [],
  settings: [],
  menus: [],
  datasets: [],
  page: [],
  pages: false,
  languages: false,
}

async function readMenuSource(
  { data, lang, setEtag }: SourceScope,
  location: string,
): Promise<SourceResponse> {
  const choice = { location }
  const [stored, { menus }] = await Promise.all([
    data.storedMenu(choice, lang),
    data.values({ ...NO_REQUIREMENTS, menus: [choice] }, lang),
  ])
  setEtag(stored && (await versionOfMenu(stored)))
  const menu = menus[menuKey(choice)]
  if (!menu) {
    // A theme may have more locations than `LOCATIONS`; any location with a menu is valid.
    assertLocation(location)
    return { menu: null, total: 0, items: [] }
  }
  return { menu: presentMenu(menu), total: menu.items.length, items: storedMenuRows(menu) }
}

/** The pages as frames read them, but with titles as stored, for clients that put the pages into menus. */
async function readPages({ data, lang }: SourceScope): Promise<Record<string, Value>[]> {
  const links = await data.links()
  const pages = await data.publicPages(lang)
  return pages.map((page) => ({ ...pageRow(links, page), title: page.title }))
}

function listResponse(items: readonly unknown[]): SourceResponse {
  return { total: items.length, items }
}

function valueResponse(source: string, value: unknown): SourceResponse {
  if (value === undefined) throw unknownSource(source)
  return Array.isArray(value) ? listResponse(value) : { value }
}

function unknownSource(source: string): AppError {
  return new AppError(
    'unknown_source',
    `Unknown data source "${source}". The data sources are menu.<location>, site, settings, pages, languages and dataset.<name>.`,
  )
}

const getDataEndpoint = defineEndpoint({
  name: 'getData',
  isOfContract: true,
  method: 'get',
  path: '/data/:source',
  summary: 'Read what frames can show: a menu, the site, settings, pages, languages or a data set',
  params: z.object({
    source: field(
      z.string(),
      'One of `menu.<location>`, `pages`, `languages`, `site`, `settings` and `dataset.<name>`, or a path into one of the last three.',
      'menu.header',
    ),
  }),
  query: z.object({ lang: langField }),
  response: z.union(
    sourceResponses.map((fields) =>
      fields.extend({
        source: z.string().meta({ examples: ['menu.header'] }),
        lang: exampled(z.string().nullable(), 'fr'),
      }),
    ),
  ),
  errors: [
    'unknown_source',
    'unknown_location',
    'unknown_language',
    'polylang_inactive',
    'menu_too_large',
  ],
  async read({ db, site, params, query, setEtag }) {
    const data = new SiteData(db, site)
    const [languages] = await Promise.all([data.languages(), data.prefetch()])
    if (query.lang !== undefined) assertLanguage(languages, query.lang)
    const { source } = params
    const lang = query.lang ?? languages.default
    return {
      source,
      lang,
      ...(await readSource({ db, site, data, lang, setEtag }, source)),
    }
  },
})

export const endpoints: readonly Endpoint[] = [getDataEndpoint]
