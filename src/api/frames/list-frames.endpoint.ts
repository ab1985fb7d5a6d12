import { z } from 'zod'
import { inBatches } from '../../db/sql.ts'
import { listFramePages } from '../../frames/frame-pages.ts'
import { type IndexedFrame, markupBytes } from '../../frames/graph.ts'
import { PAGE_META_KEY, REGISTRY_OPTION } from '../../frames/option-names.ts'
import { presentFrame } from '../../frames/present-frame.ts'
import { readFrames, withFreshMetas } from '../../frames/read-frame.ts'
import { readSiteGraph } from '../../frames/read-graph.ts'
import type { Frame } from '../../frames/record.ts'
import { SLUG_PATTERN, slugParts } from '../../frames/slug.ts'
import { normalizeSlug } from '../../markup/insert-references.ts'
import { readHome } from '../../wordpress/network/find-sites.ts'
import { defineEndpoint } from '../endpoint.ts'
import { flag, rawField, siteId } from '../fields.ts'
import { readUserNamesForCaller, UserNamesSchema } from '../names.ts'
import { limitField } from '../paging.ts'
import { FRAME_ORDERS, FRAME_SELECTIONS, pageOfFrames, selectFrames } from './choose-frames.ts'
import { detailsField, FrameDetailsSchema, readFrameDetails } from './frame-details.ts'
import { FrameSchema, HtmlSchema } from './frame-response.ts'

const MAX_HTML_MB = 8
/** Maximum size of the markup in one response, in bytes of JSON: it is in memory several times until it is sent. One character may take six bytes. */
export const MAX_LIST_HTML_BYTES = MAX_HTML_MB * 1024 * 1024

/** Frames on a page of a list that is asked for in pages. */
export const FRAMES_PER_PAGE = { max: 200, byDefault: 50 }

export const listFramesEndpoint = defineEndpoint({
  name: 'listFrames',
  method: 'get',
  path: '/frames',
  summary: 'List all frames of the site, by slug',
  query: z.object({
    block: z
      .string()
      .optional()
      .meta({
        description: 'Only frames of this block: itself, its elements and its modifiers.',
        examples: ['site-header'],
      }),
    q: z
      .string()
      .optional()
      .meta({
        description: 'Only slugs that contain this text; case-insensitive.',
        examples: ['head'],
      }),
    include_html: flag(
      false,
      `Include the markup, up to ${MAX_HTML_MB} MB of JSON in all; \`warnings\` names the first frame without it.`,
    ),
    details: detailsField,
    only: z
      .enum(FRAME_SELECTIONS)
      .optional()
      .describe(
        '`unused`: only frames that no page shows, also not through other frames. `problems`: only frames whose last bake has found problems.',
      ),
    sort: z
      .enum(FRAME_ORDERS)
      .default('slug')
      .meta({
        override: { default: 'slug' },
        description: '`updated`: the latest first. `size`: the largest first.',
      }),
    after: z
      .string()
      .optional()
      .describe('Only frames after this one: `next` of the page before, a slug if sorted by slug.'),
    limit: limitField('Frames', FRAMES_PER_PAGE),
    type: rawField({
      type: 'string',
      deprecated: true,
      description: 'Ignored, with the warning `type_ignored`.',
    }),
  }),
  response: z.object({
    site_id: siteId,
    home_url: z.string().meta({ examples: ['http://net.test/shop/'] }),
    total: z.int().describe('All frames that were selected, on all pages.'),
    registry_option: z.string().meta({ examples: [REGISTRY_OPTION] }),
    page_meta: z.string().meta({ examples: [PAGE_META_KEY] }),
    slug_pattern: z.string().meta({ examples: [SLUG_PATTERN] }),
    frames: z.array(
      FrameSchema.extend({ html: HtmlSchema.optional(), details: FrameDetailsSchema.optional() }),
    ),
    next: z
      .string()
      .nullable()
      .optional()
      .describe(
        'Only with `after`, `limit` or `details`: `after` of the next page; null on the last one.',
      ),
    names: UserNamesSchema.optional().describe('Only with `details`.'),
    warnings: z.array(z.string()).optional(),
  }),
  errors: ['frame_unreadable'],
  mcpLeavesOut: [
    'home_url',
    'registry_option',
    'page_meta',
    'slug_pattern',
    'frames.block',
    'frames.element',
    'frames.modifier',
    'frames.sha256',
    'frames.inserts',
    'frames.binds',
    'frames.created_at_gmt',
    'frames.updated_by',
    'frames.option',
    'names',
  ],
  async handle(call) {
    const { db, site, query } = call
    const [home, graph, pages] = await Promise.all([
      readHome(db, site),
      readSiteGraph(db, site),
      listFramePages(db, site),
    ])
    const block = query.block && normalizeSlug(query.block)
    const searched = normalizeSlug(query.q ?? '')
    const matching = graph
      .all()
      .filter(({ slug }) => !block || slugParts(slug).block === block)
      .filter(({ slug }) => slug.includes(searched))
    const chosen = query.only
      ? await selectFrames(db, site, graph, matching, { only: query.only, pages })
      : matching
    // Details cost more than the rest of the list.
    const limit = query.limit ?? (query.details ? FRAMES_PER_PAGE.byDefault : undefined)
    const after = query.after ?? ''
    const isPaged = limit !== undefined || after !== ''
    const { selected, next } = pageOfFrames(chosen, {
      order: query.sort,
      after,
      limit,
    })
    // The JSON of a text is never shorter than the text, so one batch is enough.
    const [first = []] = query.include_html
      ? inBatches(selected, MAX_LIST_HTML_BYTES, markupBytes)
      : []
    const withHtml = takeWithinJsonLimit(await readFrames(db, site, first))
    const frames = new Map(withHtml.frames.map((frame) => [frame.id, frame]))
    const asRead = withFreshMetas(graph, withHtml.frames)
    const withoutHtml = [
      ...first.filter(({ id }) => withHtml.omitted.has(id)),
      ...selected.slice(first.length),
    ]
    const listed = [...first.filter(({ id }) => frames.has(id)), ...withoutHtml]
    const warnings = [
      ...(query.type === undefined ? [] : ['type_ignored']),
      ...(query.include_html ? omittedHtmlWarnings(withoutHtml) : []),
    ]
    const details = query.details
      ? await readFrameDetails(db, site, asRead, listed, pages)
      : undefined
    return {
      site_id: site.blogId,
      home_url: `${home}/`,
      // Without frames that were deleted before their markup was read.
      total: chosen.length - (selected.length - listed.length),
      registry_option: REGISTRY_OPTION,
      page_meta: PAGE_META_KEY,
      slug_pattern: SLUG_PATTERN,
      frames: listed.map((indexed) => {
        const frame = frames.get(indexed.id)
        return {
          ...presentFrame({ ...indexed, ...frame, graph: asRead, pages: pages.get(indexed.id) }),
          ...(frame ? { html: frame.record.html } : {}),
          ...(details ? { details: details.get(indexed.id) } : {}),
        }
      }),
      ...(isPaged ? { next } : {}),
      ...(details
        ? {
            names: await readUserNamesForCaller(
              call,
              listed.map(({ meta }) => meta.updated_by),
            ),
          }
        : {}),
      ...(warnings.length > 0 ? { warnings } : {}),
    }
  },
})

/** As many of the first frames as have markup that fits into one response, and the ids of the others. */
function takeWithinJsonLimit(frames: readonly Frame[]): {
  readonly frames: readonly Frame[]
  readonly omitted: ReadonlySet<string>
} {
  let total = 0
  const exceedsLimit = ({ record: { html } }: Frame): boolean => {
    total += Buffer.byteLength(JSON.stringify(html))
    return total > MAX_LIST_HTML_BYTES
  }
  const end = frames.findIndex(exceedsLimit)
  const taken = end < 0 ? frames : frames.slice(0, end)
  return { frames: taken, omitted: new Set(frames.slice(taken.length).map(({ id }) => id)) }
}

/** @param omitted the frames whose markup is left out */
function omittedHtmlWarnings(omitted: readonly IndexedFrame[]): string[] {
  return omitted
    .slice(0, 1)
    .map(
      ({ slug }) =>
        `The markup of ${omitted.length} frame(s), from "${slug}" on, is left out: a response has at most ${MAX_HTML_MB} MB of markup as JSON. Read these frames with GET /frames/{ref}, or select fewer with "block" or "q".`,
    )
}
