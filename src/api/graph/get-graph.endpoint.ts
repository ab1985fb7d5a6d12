import { z } from 'zod'
import { SiteData } from '../../baking/site-data.ts'
import { listFramePages, listPublicFramePages } from '../../frames/frame-pages.ts'
import { readSiteGraph } from '../../frames/read-graph.ts'
import { defineEndpoint, type ResponseOf } from '../endpoint.ts'
import { siteId } from '../fields.ts'
import { framesAround, type GraphPart, graphPartsOf } from './graph-parts.ts'
import { ImpactSchema, impactOf, MAX_IMPACT_ENTRIES } from './impact.ts'
import { MenusAtSchema, readMenusAt } from './menus-at.ts'
import { deletedPage, type PageNames, PageNamesSchema, readPageNames } from './page-names.ts'

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
      location: z
        .string()
        .nullable()
        .describe('Null for menus that frames name by id or slug instead.'),
      menus: MenusAtSchema,
    }),
    z.object({
      key,
      kind: z.literal('data'),
      source: z.string().meta({
        description: 'A data set, or another kind of source.',
        examples: ['dataset.news', 'site'],
      }),
    }),
    z.object({ key, kind: z.literal('page'), ...PageNamesSchema.shape }),
  ])
  .meta({ id: 'GraphNode' })

/** The graph of a site's frames, with what they show and who uses them. */
export const getGraphEndpoint = defineEndpoint({
  name: 'getGraph',
  method: 'get',
  path: '/graph',
  summary: 'Read which frames embed each other, what they show, and what a change would touch',
  description: `With \`frame\`, the frames around it: those that it embeds and those that embed it, directly or through others, and \`impact\`. At most ${MAX_GRAPH_NODES} nodes; \`truncated\` says that others were left out.`,
  query: z.object({
    frame: z
      .string()
      .optional()
      .meta({ description: 'Id or slug of a frame.', examples: ['site-header'] }),
  }),
  response: z.object({
    site_id: siteId,
    frame: z.object({ id: z.string(), slug: z.string() }).nullable(),
    nodes: z.array(NodeSchema).max(MAX_GRAPH_NODES),
    edges: z
      .array(
        z.object({
          from: key,
          to: key,
          kind: z
            .enum(['embeds', 'shows', 'reads', 'uses'])
            .describe(
              'A frame `embeds` a frame, `shows` a menu, `reads` data; a page `uses` a frame.',
            ),
        }),
      )
      .max(MAX_GRAPH_EDGES),
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
      site_id: site.blogId,
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
