import { z } from 'zod'
import { type Dependent, findDependents, hasInsertShowing } from '../../build/baking/dependents.ts'
import { SiteData } from '../../build/baking/site-data.ts'
import { listFramePages, listPublicFramePages } from '../../content/frames/frame-pages.ts'
import type { FrameGraph, IndexedFrame } from '../../content/frames/graph.ts'
import { readSiteGraph } from '../../content/frames/read-graph.ts'
import { workOnEmbedders } from '../../content/work/work.ts'
import type { Db } from '../../db/database.ts'
import { readLocationMaps, shownMenuId } from '../../wordpress/nav-menus/location-maps.ts'
import { listMenus } from '../../wordpress/nav-menus/nav-menu.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { postUrl } from '../../wordpress/permalinks/urls.ts'
import { field, nullable, optional } from '../described.ts'
import { defineEndpoint, type Endpoint, type ResponseOf } from '../endpoint.ts'
import { pick } from '../pick.ts'
import { MenuNamesSchema, presentMenu } from './menu-fields.ts'

/** How people know a page. */
const PageNamesSchema = z
  .object({
    id: z.int(),
    title: field(z.string(), 'As stored; HTML.', 'Team'),
    url: nullable(z.string(), 'Null if there is no page with this id.'),
    lang: z.string().nullable(),
    status: nullable(z.string(), 'Null if there is no page with this id.', 'publish'),
  })
  .meta({ id: 'PageNames' })

type PageNames = ResponseOf<typeof PageNamesSchema>

/** The names of these pages, by id, in a few statements. Ids without a page are left out. */
export async function readPageNames(
  data: SiteData,
  ids: readonly number[],
): Promise<Map<number, PageNames>> {
  const unique = [...new Set(ids)]
  if (unique.length === 0) return new Map()
  const links = await data.links()
  const pages = await data.pagesById(unique)
  return new Map(
    pages.map((page) => {
      const { id, title, lang, status } = page
      return [id, { id, title, url: postUrl(links, page), lang, status }]
    }),
  )
}

const deletedPage = (id: number): PageNames => ({
  id,
  title: '',
  url: null,
  lang: null,
  status: null,
})

const MenusAtSchema = z
  .array(MenuNamesSchema.extend({ lang: z.string().nullable() }))
  .describe('The menus that visitors see there, by language.')

/** Reads the assignments of the active theme. @returns the menus that visitors see at a location */
async function readMenusAt(
  db: Db,
  site: Site,
  data: SiteData,
): Promise<(location: string) => ResponseOf<typeof MenusAtSchema>> {
  const [languages, maps, menus] = await Promise.all([
    data.languages(),
    readLocationMaps(db, site),
    listMenus(db, site),
  ])
  const slugs = languages.list.map(({ slug }) => slug)
  return (location) =>
    (slugs.length > 0 ? slugs : [null]).flatMap((lang) => {
      const id = shownMenuId(maps, languages, location, lang)
      const menu = menus.find((one) => one.id === id)
      return menu ? [{ ...presentMenu(menu), lang }] : []
    })
}

/** What frames depend on, and what depends on them. Keys begin with the kind: `frame:5158798bd2006010`, `missing:card`, `page:12`. */
type GraphPart =
  | { readonly key: string; readonly kind: 'frame'; readonly frame: IndexedFrame }
  /** A reference to a frame that does not exist. */
  | { readonly key: string; readonly kind: 'missing'; readonly name: string }
  /** Undefined: menus that inserts name by id or slug. */
  | { readonly key: string; readonly kind: 'menu'; readonly location: string | undefined }
  | { readonly key: string; readonly kind: 'data'; readonly source: string }
  | { readonly key: string; readonly kind: 'page'; readonly id: number }

type GraphEdge = ResponseOf<typeof EdgeSchema>

type GraphParts = {
  readonly parts: readonly GraphPart[]
  readonly edges: readonly GraphEdge[]
  /** Whether parts or edges were left out. */
  readonly isTruncated: boolean
}

/** The frame, those that it embeds, and those that embed it, first directly, then through others. */
export function framesAround(graph: FrameGraph, frame: IndexedFrame): IndexedFrame[] {
  const { id, slug } = frame
  const dependents = findDependents(graph, workOnEmbedders(id, [slug]))
  return [
    ...new Set([
      frame,
      ...graph.embeddedFrames(id),
      ...graph.embeddersOf([id]),
      ...dependents.map((dependent) => dependent.frame),
    ]),
  ]
}

/** Of the parts, frames may be this share, so that there is room for what they show and for pages. */
const FRAME_SHARE = 0.6

/**
 * The parts around frames, in this order: the frames, missing frames, menus, data; and pages after those of all groups. As many as the limits
 * allow, and the edges between them.
 * @param groups of frames, the most important first; one group can contain the frames of another
 * @param pages ids of the pages on each frame
 */
export function graphPartsOf(
  graph: FrameGraph,
  groups: readonly (readonly IndexedFrame[])[],
  pages: ReadonlyMap<string, readonly number[]>,
  limits: { readonly parts: number; readonly edges: number },
): GraphParts {
  const parts = new Map<string, GraphPart>()
  const edges = new Map<string, GraphEdge>()
  let isTruncated = false
  const add = (part: GraphPart): boolean => {
    if (parts.has(part.key)) return true
    if (parts.size >= limits.parts) isTruncated = true
    else parts.set(part.key, part)
    return parts.has(part.key)
  }
  const connect = (from: string, to: GraphPart, kind: GraphEdge['kind']): void => {
    if (!parts.has(from) || !add(to)) return
    addEdge({ from, to: to.key, kind })
  }
  const addEdge = (edge: GraphEdge): void => {
    const key = `${edge.from} ${edge.to}`
    if (edges.size >= limits.edges && !edges.has(key)) isTruncated = true
    else edges.set(key, edge)
  }
  const all = [...new Set(groups.flat())]
  const frames = new Set(all.slice(0, Math.ceil(limits.parts * FRAME_SHARE)))
  if (all.length > frames.size) isTruncated = true
  const isShown = ({ id }: IndexedFrame): boolean => parts.has(`frame:${id}`)
  for (const group of groups) {
    for (const frame of group) if (frames.has(frame)) add(framePart(frame))
    const shown = group.filter(isShown)
    for (const frame of shown) {
      // Around one frame, others that a frame embeds besides are left out.
      for (const part of embeddedParts(graph, frame))
        if (part.kind !== 'frame' || frames.has(part.frame))
          connect(`frame:${frame.id}`, part, 'embeds')
    }
    for (const frame of shown)
      for (const part of menuParts(frame)) connect(`frame:${frame.id}`, part, 'shows')
    for (const frame of shown)
      for (const part of dataParts(frame)) connect(`frame:${frame.id}`, part, 'reads')
  }
  for (const { id: frame } of [...frames].filter(isShown)) {
    for (const id of pages.get(frame) ?? []) {
      const page: GraphPart = { key: `page:${id}`, kind: 'page', id }
      if (!add(page)) break
      addEdge({ from: page.key, to: `frame:${frame}`, kind: 'uses' })
    }
  }
  return { parts: [...parts.values()], edges: [...edges.values()], isTruncated }
}

const framePart = (frame: IndexedFrame): GraphPart & { readonly kind: 'frame' } => ({
  key: `frame:${frame.id}`,
  kind: 'frame',
  frame,
})

function embeddedParts(graph: FrameGraph, { meta }: IndexedFrame): GraphPart[] {
  return meta.references.flatMap((ref): GraphPart[] => {
    const name = graph.registry.find(ref)
    if (!name) return [{ key: `missing:${ref}`, kind: 'missing', name: ref }]
    const frame = graph.get(name.id)
    return frame ? [framePart(frame)] : []
  })
}

function menuParts(frame: IndexedFrame): GraphPart[] {
  const locations = frame.meta.sources.flatMap((source) => /^menu\.(.+)$/.exec(source)?.[1] ?? [])
  const named = locations.map(
    (location): GraphPart => ({ key: `menu:${location}`, kind: 'menu', location }),
  )
  if (named.length > 0 || !hasInsertShowing(frame, 'menus')) return named
  return [{ key: 'menu:', kind: 'menu', location: undefined }]
}

/** Each data set is a part of its own; of other sources only the kind: `site`, `settings`, `page`, `pages`, `languages`. */
function dataParts({ meta }: IndexedFrame): GraphPart[] {
  const sources = meta.sources
    .map((source) => (source.startsWith('dataset.') ? source : source.replace(/\..*$/s, '')))
    .filter((source) => source !== 'menu')
  return [...new Set(sources)].map(
    (source): GraphPart => ({ key: `data:${source}`, kind: 'data', source }),
  )
}

/** Entries of each list of an impact. */
export const MAX_IMPACT_ENTRIES = 200

const total = z.int().describe('All of them, also those that are not listed.')
const FrameNamesSchema = z.object({ id: z.string(), slug: z.string() })
const pageFields = { pages: z.array(PageNamesSchema).max(MAX_IMPACT_ENTRIES), pages_total: total }

/** What a change touches: the frames that are baked again, and the pages that are published again. */
export const ChangeImpactSchema = z
  .object({
    frames: z
      .array(
        FrameNamesSchema.extend({
          because: field(z.array(z.string()), 'What it shows.', ['frame:site-header']),
        }),
      )
      .max(MAX_IMPACT_ENTRIES)
      .describe('The frames that are baked again, besides one that is written.'),
    frames_total: total,
    ...pageFields,
  })
  .meta({
    id: 'ChangeImpact',
    description: `The frames that are baked again, and the pages that are published again. Each list has at most ${MAX_IMPACT_ENTRIES} entries.`,
  })

const ImpactSchema = z
  .object({
    change: ChangeImpactSchema,
    deletion: z
      .object({
        embedders: z
          .array(FrameNamesSchema)
          .max(MAX_IMPACT_ENTRIES)
          .describe('Frames that print nothing for it.'),
        embedders_total: total,
        ...pageFields,
      })
      .describe(
        'What a deletion breaks: these pages lose their frame, and visitors of public ones get a 404.',
      ),
  })
  .meta({ id: 'FrameImpact' })

/** A list of ids, by id of the frame. */
type FramePages = ReadonlyMap<string, readonly number[]>

/** A part of a response that names pages, which are read for all parts together. */
type NamingPages<Schema extends z.ZodType> = {
  /** The pages that it lists. */
  readonly pageIds: readonly number[]
  present(pages: ReadonlyMap<number, PageNames>): ResponseOf<Schema>
}

const first = <T>(list: readonly T[]): readonly T[] => list.slice(0, MAX_IMPACT_ENTRIES)

const presentPages = (ids: readonly number[], names: ReadonlyMap<number, PageNames>) => ({
  pages: first(ids).map((page) => names.get(page) ?? deletedPage(page)),
  pages_total: ids.length,
})

/**
 * What a change touches whose dependents are these frames.
 * @param pages those that visitors see: no others are published
 * @param written ids of the pages on the frame that is written
 */
export function changeImpactOf(
  dependents: readonly Dependent[],
  pages: FramePages,
  written: readonly number[] = [],
): NamingPages<typeof ChangeImpactSchema> {
  const published = [
    ...new Set([...written, ...dependents.flatMap(({ frame }) => pages.get(frame.id) ?? [])]),
  ]
  return {
    pageIds: first(published),
    present: (names) => ({
      frames: first(dependents).map(({ frame, because }) => ({
        ...pick(FrameNamesSchema, frame),
        because,
      })),
      frames_total: dependents.length,
      ...presentPages(published, names),
    }),
  }
}

/**
 * What a change and a deletion of a frame would touch.
 * @param pages all pages on frames
 * @param publicPages those that visitors see
 */
function impactOf(
  graph: FrameGraph,
  { id, slug }: IndexedFrame,
  pages: FramePages,
  publicPages: FramePages,
): NamingPages<typeof ImpactSchema> {
  const dependents = findDependents(graph, workOnEmbedders(id, [slug])).filter(
    ({ frame }) => frame.id !== id,
  )
  const embedders = graph.embeddersOf([id]).filter((embedder) => embedder.id !== id)
  const own = pages.get(id) ?? []
  const change = changeImpactOf(dependents, publicPages, publicPages.get(id))
  return {
    pageIds: [...change.pageIds, ...first(own)],
    present: (names) => ({
      change: change.present(names),
      deletion: {
        embedders: first(embedders).map((embedder) => pick(FrameNamesSchema, embedder)),
        embedders_total: embedders.length,
        ...presentPages(own, names),
      },
    }),
  }
}

/** Nodes of one graph, and edges between them: what a person can still look at, and a browser can lay out. */
export const MAX_GRAPH_NODES = 500
export const MAX_GRAPH_EDGES = 2000

const key = z.string().meta({ examples: ['frame:5158798bd2006010'] })

const NodeSchema = z
  .discriminatedUnion('kind', [
    z.object({
      key,
      kind: z.literal('frame'),
      id: z.string(),
      slug: z.string().meta({ examples: ['site-header'] }),
      pages: z.int().describe('Number of pages that use it.'),
    }),
    z.object({
      key,
      kind: z.literal('missing').describe('A frame that is embedded, but does not exist.'),
      name: z.string(),
    }),
    z.object({
      key,
      kind: z.literal('menu'),
      location: nullable(z.string(), 'Null for menus that frames name by id or slug instead.'),
      menus: MenusAtSchema,
    }),
    z.object({
      key,
      kind: z.literal('data'),
      source: field(z.string(), 'A data set, or another kind of source.', 'dataset.news', 'site'),
    }),
    z.object({ key, kind: z.literal('page'), ...PageNamesSchema.shape }),
  ])
  .meta({ id: 'GraphNode' })

const EdgeSchema = z.object({
  from: key,
  to: key,
  kind: field(
    z.enum(['embeds', 'shows', 'reads', 'uses']),
    'A frame `embeds` a frame, `shows` a menu, `reads` data; a page `uses` a frame.',
  ),
})

const getGraphEndpoint = defineEndpoint({
  name: 'getGraph',
  method: 'get',
  path: '/graph',
  summary: 'Read which frames embed each other, what they show, and what a change would touch',
  description: `With \`frame\`, the frames around it: those that it embeds and those that embed it, directly or through others, and \`impact\`. At most ${MAX_GRAPH_NODES} nodes; \`truncated\` says that others were left out.`,
  query: z.object({
    frame: optional(z.string(), 'Id or slug of a frame.', 'site-header'),
  }),
  response: z.object({
    frame: FrameNamesSchema.nullable(),
    nodes: z.array(NodeSchema).max(MAX_GRAPH_NODES),
    edges: z.array(EdgeSchema).max(MAX_GRAPH_EDGES),
    totals: z
      .object({ frames: z.int(), pages: z.int() })
      .describe('Frames of the site, or around the frame, and the pages that use them.'),
    truncated: z.boolean(),
    impact: ImpactSchema.nullable().describe(
      `Only with \`frame\`. Each list has at most ${MAX_IMPACT_ENTRIES} entries.`,
    ),
  }),
  errors: ['frame_not_found', 'frame_ref_required'],
  async read({ db, site, query }) {
    const graph = await readSiteGraph(db, site)
    const pages = await listFramePages(db, site)
    const name = query.frame === undefined ? undefined : graph.registry.get(query.frame)
    const frame = name && graph.get(name.id)
    const frames = frame ? framesAround(graph, frame) : graph.all()
    const limits = { parts: MAX_GRAPH_NODES, edges: MAX_GRAPH_EDGES }
    const groups = frame ? [[frame], frames] : [frames]
    const { parts, edges, isTruncated } = graphPartsOf(graph, groups, pages, limits)
    const impact = frame && impactOf(graph, frame, pages, await listPublicFramePages(db, site))
    const data = new SiteData(db, site)
    const pageNames = await readPageNames(data, [
      ...parts.flatMap((part) => (part.kind === 'page' ? part.id : [])),
      ...(impact?.pageIds ?? []),
    ])
    const menusAt = parts.some(({ kind }) => kind === 'menu')
      ? await readMenusAt(db, site, data)
      : NO_MENUS
    const present = { pages, pageNames, menusAt }
    return {
      frame: frame ? { id: frame.id, slug: frame.slug } : null,
      nodes: parts.map((part) => presentPart(part, present)),
      edges,
      totals: {
        frames: frames.length,
        pages: frames.reduce((total, { id }) => total + (pages.get(id)?.length ?? 0), 0),
      },
      truncated: isTruncated,
      impact: impact?.present(pageNames) ?? null,
    }
  },
})

const NO_MENUS = () => []

type Presented = {
  readonly pages: ReadonlyMap<string, readonly number[]>
  readonly pageNames: ReadonlyMap<number, PageNames>
  readonly menusAt: (location: string) => ResponseOf<typeof MenusAtSchema>
}

function presentPart(
  part: GraphPart,
  { pages, pageNames, menusAt }: Presented,
): ResponseOf<typeof NodeSchema> {
  const { key } = part
  switch (part.kind) {
    case 'frame': {
      const { id, slug } = part.frame
      return { key, kind: 'frame', id, slug, pages: pages.get(id)?.length ?? 0 }
    }
    case 'missing':
      return { key, kind: 'missing', name: part.name }
    case 'menu': {
      const { location } = part
      const menus = location === undefined ? [] : menusAt(location)
      return { key, kind: 'menu', location: location ?? null, menus }
    }
    case 'data':
      return { key, kind: 'data', source: part.source }
    case 'page':
      return { key, kind: 'page', ...(pageNames.get(part.id) ?? deletedPage(part.id)) }
  }
}

export const endpoints: readonly Endpoint[] = [getGraphEndpoint]
