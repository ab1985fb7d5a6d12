import { z } from 'zod'
import { SiteData } from '../../build/baking/site-data.ts'
import { type CopyRecord, readCopyRecords } from '../../build/publishing/copies-table.ts'
import { readAssignedLocations, readDatasetNames } from '../../content/frames/find-problems.ts'
import { markupBytes } from '../../content/frames/graph.ts'
import { PAGE_META_KEY } from '../../content/frames/option-names.ts'
import { readRecords } from '../../content/frames/read-frame.ts'
import { readSiteGraph } from '../../content/frames/read-graph.ts'
import { type FrameName, type Registry, readRegistry } from '../../content/frames/registry.ts'
import { INSERTS } from '../../content/markup/inserts/all-inserts.ts'
import { PARAMETER_VALUES } from '../../content/markup/inserts/insert-definition.ts'
import { listClasses } from '../../content/markup/list-classes.ts'
import { BIND_ATTRIBUTE } from '../../content/markup/parse-binds.ts'
import { FIXED_PATHS } from '../../content/markup/value-path.ts'
import { LOCATIONS } from '../../content/menus/location-names.ts'
import { type PendingWork, readPendingWork } from '../../content/work/pending-work.ts'
import type { Db } from '../../db/database.ts'
import { inBatches } from '../../db/sql.ts'
import { forEachYielding } from '../../host/concurrency/for-each.ts'
import { AppError } from '../../host/errors.ts'
import { ZERO_DATE } from '../../wordpress/dates.ts'
import { assertLanguage, findLanguage, readLanguages } from '../../wordpress/languages/languages.ts'
import { listMenus } from '../../wordpress/nav-menus/nav-menu.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { getPage } from '../../wordpress/pages/pages.ts'
import type { Page } from '../../wordpress/pages/posts.ts'
import { searchPages } from '../../wordpress/pages/search-pages.ts'
import { parseAddress, parsePageUrl, queryValue } from '../../wordpress/permalinks/address.ts'
import { findPageAt } from '../../wordpress/permalinks/find-page-at.ts'
import { homeUrl, postUrl } from '../../wordpress/permalinks/urls.ts'
import { readPostsMeta } from '../../wordpress/postmeta.ts'
import { idIn } from '../../wordpress/stored-value.ts'
import { exampled, field, nullable, optional } from '../described.ts'
import { defineEndpoint, type Endpoint, type ResponseOf } from '../endpoint.ts'
import { flag } from '../fields.ts'
import { readUserNamesForCaller, UserNamesSchema } from '../names.ts'
import { idPaging, nextIdField, searchField } from '../paging.ts'
import { pick } from '../pick.ts'
import { invalidParam } from '../sent-fields.ts'
import { langField, MenuNamesSchema, presentMenu } from './menu-fields.ts'

/** The user who edited a post last in WordPress. */
const EDITOR_META_KEY = '_edit_last'

/** Pages of a site on a page of the list. */
export const PAGES_PER_PAGE = { max: 200, byDefault: 50 }

const PageSchema = z
  .object({
    id: z.int().meta({ examples: [12] }),
    title: field(z.string(), 'As stored; HTML.', 'Team'),
    path: field(z.string(), 'Its slugs from the top page down.', 'about-us/team'),
    url: z.string().meta({ examples: ['http://net.test/shop/about-us/team/'] }),
    lang: exampled(z.string().nullable(), 'en'),
    translations: field(z.record(z.string(), z.int()), 'Ids of pages by language.', {
      en: 12,
      fr: 15,
    }),
    status: z.string().meta({ examples: ['publish'] }),
    protected: z.boolean().describe('Protected with a password.'),
    edited_at_gmt: nullable(z.string(), 'When it was edited last. GMT.', '2026-03-01 09:30:00'),
    edited_by: nullable(z.int(), 'Id of the user who edited it last in WordPress.', 2),
    frame: z
      .object({
        id: z.string(),
        slug: nullable(z.string(), 'Null if the frame does not exist.'),
      })
      .nullable(),
    static: z
      .object({
        state: field(
          z.enum(['written', 'pending', 'failing', 'none']),
          '`pending`: it is to be written or removed; `failing`: the last attempt to do so failed.',
        ),
        url: nullable(z.string(), 'Where the copy is; null if there is none.'),
        error: nullable(z.string(), 'Why the last attempt failed.'),
      })
      .describe('The static copy of the page.'),
  })
  .meta({ id: 'Page' })

const listPagesEndpoint = defineEndpoint({
  name: 'listPages',
  method: 'get',
  path: '/pages',
  summary: 'List the pages of the site with their frames and static copies, by id',
  description: 'In any status, without those in the trash and automatic drafts.',
  query: z.object({
    search: searchField(
      'Only pages whose title or slug contains this text, or whose id it is.',
      'team',
    ),
    frame: optional(z.string(), 'Only pages that use this frame: its id or slug.', 'article'),
    without_frame: flag(false, 'Only pages without a frame. Not with `frame`.'),
    below: optional(
      z.string(),
      'Only this page and the pages below it: its id, slug or path.',
      'about-us',
    ),
    lang: langField,
    ...idPaging('Pages', PAGES_PER_PAGE),
  }),
  response: z.object({
    total: z.int().describe('Pages that were selected, on all pages of the list.'),
    pages: z.array(PageSchema),
    names: UserNamesSchema,
    next: nextIdField,
  }),
  errors: [
    'frame_not_found',
    'frame_ref_required',
    'page_not_found',
    'ambiguous_page',
    'unknown_language',
    'polylang_inactive',
  ],
  mcpLeavesOut: [
    'pages.url',
    'pages.protected',
    'pages.static',
    'pages.edited_at_gmt',
    'pages.edited_by',
    'names',
  ],
  async read(call) {
    const { db, site, query } = call
    const { search = '', after = 0, limit = PAGES_PER_PAGE.byDefault } = query
    const data = new SiteData(db, site)
    const [registry, links] = await Promise.all([readRegistry(db, site), data.links()])
    const { languages } = links
    if (query.lang !== undefined) assertLanguage(languages, query.lang)
    const frame = query.frame === undefined ? undefined : registry.get(query.frame)
    if (frame && query.without_frame)
      throw invalidParam('without_frame', 'must not be sent with "frame"')
    const below =
      query.below === undefined ? undefined : await getPage(db, site, languages, query.below)
    const { ids, total } = await searchPages(db, site, {
      text: search,
      after,
      limit: limit + 1,
      meta:
        frame || query.without_frame ? { key: PAGE_META_KEY, value: frame?.id ?? null } : undefined,
      below: below?.id,
      language: query.lang === undefined ? undefined : findLanguage(languages, query.lang),
    })
    const shown = ids.slice(0, limit)
    const [pages, frames, editors, copies, work] = await Promise.all([
      data.pagesById(shown),
      readPostsMeta(db, site, shown, PAGE_META_KEY),
      readPostsMeta(db, site, shown, EDITOR_META_KEY),
      readCopyRecords(db, site, shown),
      readPendingWork(db, site, shown),
    ])
    const editorOf = ({ id }: Page) => idIn(editors.get(id)) || null
    return {
      total,
      pages: pages.map((page) => {
        const frame = frames.get(page.id)
        const { modifiedGmt } = page
        return pick(PageSchema, {
          ...page,
          translations: Object.fromEntries(page.translations),
          edited_at_gmt: modifiedGmt === ZERO_DATE ? null : modifiedGmt,
          edited_by: editorOf(page),
          url: postUrl(links, page),
          frame: frame === undefined ? null : { id: frame, slug: slugOf(registry, frame) },
          static: presentCopy(copies.get(page.id), page.id, frame, work),
        })
      }),
      names: await readUserNamesForCaller(call, pages.map(editorOf)),
      next: ids.length > limit ? (shown.at(-1) ?? null) : null,
    }
  },
})

/** Pages name their frame by its id. */
function slugOf(registry: Registry, frame: string): string | null {
  const found = registry.find(frame)
  return found?.id === frame ? found.slug : null
}

/** A record without a digest has no complete files. */
function presentCopy(
  record: CopyRecord | undefined,
  page: number,
  frame: string | undefined,
  work: PendingWork,
): ResponseOf<typeof PageSchema>['static'] {
  const isWritten = record?.digest !== undefined
  const error = work.failureOf(page) ?? null
  const isPending = frame !== undefined || isWritten ? work.hasPage(page, frame) : false
  const state = isWritten ? 'written' : 'none'
  return {
    state: error !== null ? 'failing' : isPending ? 'pending' : state,
    url: isWritten ? record.url : null,
    error,
  }
}

/** Entries of each list of a response. */
export const MAX_COMPLETIONS = 1000

/** Bytes of markup that are read for `classes`. */
export const MAX_CLASS_MARKUP_BYTES = 4 * 1024 * 1024

const InsertSchema = z
  .object({
    kind: field(z.string(), 'The name after `svc/`.', 'menu'),
    aliases: z.array(z.string()).describe('Other names.'),
    parameters: z.array(
      z.object({
        name: field(z.string(), 'A key of the JSON.', 'location'),
        value: z.enum(PARAMETER_VALUES).describe('What its value is.'),
        description: z.string(),
      }),
    ),
    passes_properties: z.boolean().describe('All other keys are properties of the frame.'),
    has_body: z.boolean().describe('It may have a body and a closing comment.'),
  })
  .meta({ id: 'Insert', description: 'An insert of the markup language.' })

const listCompletionsEndpoint = defineEndpoint({
  name: 'listCompletions',
  method: 'get',
  path: '/completions',
  summary: 'List what an editor can complete in markup: inserts, value paths, names of the site',
  description: `At most ${MAX_COMPLETIONS} of each kind. Frames are not among them: \`GET /frames?q=\` searches them.`,
  response: z.object({
    bind_attribute: z.string().meta({ examples: [BIND_ATTRIBUTE] }),
    inserts: z.array(InsertSchema),
    paths: field(z.array(z.string()), 'Value paths of inserts and binds.', ['site.title']),
    locations: field(z.array(z.string()), 'Locations of menus.', LOCATIONS),
    menus: z.array(MenuNamesSchema),
    languages: field(z.array(z.string()), 'Codes; none without Polylang.', ['en', 'fr']),
    classes: field(z.array(z.string()), 'Classes in the markup of the frames.', ['button']),
    truncated: z.boolean().describe('Some were left out.'),
  }),
  async read({ db, site }) {
    const [assigned, datasets, menus, languages, classes] = await Promise.all([
      readAssignedLocations(db, site),
      readDatasetNames(db, site),
      listMenus(db, site),
      readLanguages(db, site),
      readClasses(db, site),
    ])
    const locations = [...new Set([...LOCATIONS, ...[...assigned].sort()])]
    const paths = [
      ...FIXED_PATHS,
      ...locations.map((location) => `menu.${location}`),
      ...[...datasets].sort().map((name) => `dataset.${name}`),
    ]
    const lists = { paths, locations, menus: menus.map(presentMenu), classes: classes.names }
    return {
      bind_attribute: BIND_ATTRIBUTE,
      inserts: INSERTS.map(({ kinds: [kind = '', ...aliases], parameters, embeds }) => ({
        kind,
        aliases,
        parameters,
        passes_properties: embeds?.passesProps ?? false,
        has_body: kind === 'repeat',
      })),
      paths: paths.slice(0, MAX_COMPLETIONS),
      locations: locations.slice(0, MAX_COMPLETIONS),
      menus: lists.menus.slice(0, MAX_COMPLETIONS),
      languages: languages.list.map(({ slug }) => slug).slice(0, MAX_COMPLETIONS),
      classes: classes.names.slice(0, MAX_COMPLETIONS),
      truncated:
        !classes.areAll || Object.values(lists).some(({ length }) => length > MAX_COMPLETIONS),
    }
  },
})

/** The classes in the markup of the first frames, the most frequent first. */
async function readClasses(
  db: Db,
  site: Site,
): Promise<{ readonly names: readonly string[]; readonly areAll: boolean }> {
  const graph = await readSiteGraph(db, site)
  const [first = []] = inBatches(graph.all(), MAX_CLASS_MARKUP_BYTES, markupBytes)
  const htmls = await Promise.all(first.map((frame) => readMarkup(db, site, frame)))
  const counts = new Map<string, number>()
  let areAll = first.length === graph.all().length
  const countClasses = (names: readonly string[]) => {
    for (const name of names) {
      const count = counts.get(name)
      if (count === undefined && counts.size >= MAX_COUNTED_CLASSES) areAll = false
      else counts.set(name, (count ?? 0) + 1)
    }
  }
  await forEachYielding(classesIn(htmls), countClasses)
  const names = [...counts].sort(([, a], [, b]) => b - a).map(([name]) => name)
  return { names, areAll }
}

/** Different classes that are counted. Sorting more takes the main thread. */
const MAX_COUNTED_CLASSES = 10_000

function* classesIn(htmls: readonly string[]): Generator<readonly string[]> {
  for (const html of htmls) yield* listClasses(html)
}

/** The markup of a frame; nothing if it is unreadable, which the doctor reports. All reads of one tick share a statement. */
async function readMarkup(db: Db, site: Site, frame: FrameName): Promise<string> {
  try {
    return (await readRecords(db, site, [frame])).get(frame.id)?.html ?? ''
  } catch (error) {
    if (error instanceof AppError && error.code === 'frame_unreadable') return ''
    throw error
  }
}

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

export const endpoints: readonly Endpoint[] = [
  listPagesEndpoint,
  listCompletionsEndpoint,
  getAddressEndpoint,
]
