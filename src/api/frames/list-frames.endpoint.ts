import { z } from 'zod'
import type { Db } from '../../db/database.ts'
import { inBatches } from '../../db/sql.ts'
import { AppError } from '../../errors.ts'
import { listFramePages } from '../../frames/frame-pages.ts'
import { type IndexedFrame, markupBytes } from '../../frames/graph.ts'
import { PAGE_META_KEY, REGISTRY_OPTION } from '../../frames/option-names.ts'
import { readFrames, withFreshMetas } from '../../frames/read-frame.ts'
import { readSiteGraph } from '../../frames/read-graph.ts'
import type { Frame } from '../../frames/record.ts'
import { SLUG_PATTERN, slugParts } from '../../frames/slug.ts'
import { normalizeSlug } from '../../markup/insert-references.ts'
import { readHome } from '../../wordpress/network/find-sites.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { rawField } from '../coded-fields.ts'
import { defineEndpoint } from '../endpoint.ts'
import { flag, siteId } from '../fields.ts'
import { readUserNamesForCaller, UserNamesSchema } from '../names.ts'
import { limitField, MAX_SEARCH_LENGTH } from '../paging.ts'
import { FRAME_ORDERS, FRAME_SELECTIONS, pageOfFrames, selectFrames } from './choose-frames.ts'
import { detailsField, FrameDetailsSchema, readFrameDetails } from './frame-details.ts'
import { FrameSchema, HtmlSchema, presentFrame } from './frame-response.ts'

const MAX_HTML_MB = 8
/** Maximum size of the markup in one response, in bytes of JSON: it is in memory several times until it is sent. One character may take six bytes. */
export const MAX_LIST_HTML_BYTES = MAX_HTML_MB * 1024 * 1024

/** Frames on a page of a list that is asked for in pages. */
export const FRAMES_PER_PAGE = { max: 200, byDefault: 50 }

export const listFramesEndpoint = defineEndpoint({
  name: 'listFrames',
  isOfContract: true,
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
      .max(MAX_SEARCH_LENGTH)
      .optional()
      .meta({
        description: 'Only slugs that contain this text; case-insensitive.',
        examples: ['head'],
      }),
    include_html: flag(
      false,
      `Include the markup. A page of a list ends early where the markup of more frames would be beyond ${MAX_HTML_MB} MB of JSON; without \`limit\` and \`after\` such a list is refused with \`list_too_large\`.`,
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
  errors: ['frame_unreadable', 'list_too_large'],
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
  async read(call) {
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
    const position = { order: query.sort, after }
    const page = pageOfFrames(chosen, { ...position, limit })
    const { frames: read, end } = query.include_html
      ? await readMarkup(db, site, page.selected)
      : { frames: [], end: page.selected.length }
    const isCut = end < page.selected.length
    if (isCut && !isPaged) throw tooLarge()
    const { selected, next } = isCut ? pageOfFrames(chosen, { ...position, limit: end }) : page
    const frames = new Map(read.map((frame) => [frame.id, frame]))
    const asRead = withFreshMetas(graph, read)
    const listed = query.include_html ? selected.filter(({ id }) => frames.has(id)) : selected
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
      ...(query.type === undefined ? {} : { warnings: ['type_ignored'] }),
    }
  },
})

/**
 * Reads the markup of as many of the first frames as fit into one response, of one at least.
 * @returns the frames, without those that were deleted meanwhile, and the number of selected ones up to the last of them
 */
async function readMarkup(
  db: Db,
  site: Site,
  selected: readonly IndexedFrame[],
): Promise<{ readonly frames: readonly Frame[]; readonly end: number }> {
  // The JSON of a text is never shorter than the text, so one batch is enough.
  const [first = []] = inBatches(selected, MAX_LIST_HTML_BYTES, markupBytes)
  const frames = await readFrames(db, site, first)
  let total = 0
  const beyond = frames.findIndex(({ record: { html } }, index) => {
    total += Buffer.byteLength(JSON.stringify(html))
    return total > MAX_LIST_HTML_BYTES && index > 0
  })
  if (beyond < 0) return { frames, end: first.length }
  const end = first.findIndex(({ id }) => id === frames[beyond]?.id)
  return { frames: frames.slice(0, beyond), end }
}

/** A list without some of its markup would be taken for all of it. */
const tooLarge = (): AppError =>
  new AppError(
    'list_too_large',
    `The markup of these frames is more than ${MAX_HTML_MB} MB as JSON. Read the list in pages, with "limit" and with "after" set to "next" of the page before; or select fewer frames with "block" or "q".`,
    { max_bytes: MAX_LIST_HTML_BYTES },
  )
