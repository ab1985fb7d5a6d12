import { z } from 'zod'
import { type FrameProblems, readFrameProblems } from '../../build/baking/frame-problems.ts'
import { listFramePages } from '../../content/frames/frame-pages.ts'
import { versionOfFrame } from '../../content/frames/frame-version.ts'
import { type FrameGraph, type IndexedFrame, markupBytes } from '../../content/frames/graph.ts'
import { PAGE_META_KEY, REGISTRY_OPTION } from '../../content/frames/option-names.ts'
import { getFrame, readFrames, withFreshMetas } from '../../content/frames/read-frame.ts'
import { readSiteGraph } from '../../content/frames/read-graph.ts'
import type { Frame } from '../../content/frames/record.ts'
import { frameNotFound, readRegistry } from '../../content/frames/registry.ts'
import { SLUG_PATTERN, slugParts } from '../../content/frames/slug.ts'
import { normalizeSlug } from '../../content/markup/insert-references.ts'
import { contentPruned } from '../../content/restore/choose-targets.ts'
import { findThingAt, readState } from '../../content/restore/thing-at.ts'
import type { Db } from '../../db/database.ts'
import { inBatches } from '../../db/sql.ts'
import { forEachYielding } from '../../host/concurrency/for-each.ts'
import { AppError } from '../../host/errors.ts'
import { sha256Hex } from '../../host/hash.ts'
import type { Moment } from '../../record/history/read-history.ts'
import { readHome } from '../../wordpress/network/find-sites.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { rawField } from '../coded-fields.ts'
import { field, optional } from '../described.ts'
import { defineEndpoint, type Endpoint, type ResponseOf } from '../endpoint.ts'
import { flag } from '../fields.ts'
import { readUserNamesForCaller, UserNamesSchema } from '../names.ts'
import { limitField, MAX_SEARCH_LENGTH } from '../paging.ts'
import { FrameParamsSchema, FrameSchema, HtmlSchema, presentFrame } from './frame-fields.ts'
import { atField, EntrySchema, presentEntry } from './history.ts'

/** Problems of one frame in a response. */
const MAX_LISTED_PROBLEMS = 20

const detailsField = flag(false, 'Include `details` of each frame: its use and its problems.')

/** What a list of frames does not contain unless it is asked for. */
const FrameDetailsSchema = z
  .object({
    pages: z.int().describe('Pages that use the frame.'),
    shown_on: z
      .int()
      .describe('Pages that show it: those that use it, or a frame that embeds it at any depth.'),
    embeds: z.int().describe('Frames that it embeds directly.'),
    embedded_by: z.int().describe('Frames that embed it directly.'),
    built: field(
      z.boolean(),
      'Whether its present markup is baked. Otherwise only missing frames are known as problems.',
    ),
    problems: z
      .array(z.string())
      .max(MAX_LISTED_PROBLEMS)
      .describe(`What its last bake has found, at most ${MAX_LISTED_PROBLEMS}.`),
    problems_total: z.int(),
  })
  .meta({ id: 'FrameDetails' })

/**
 * The details of these frames, by id, in one statement.
 * @param pages of all frames of the site, by id of the frame
 */
export async function readFrameDetails(
  db: Db,
  site: Site,
  graph: FrameGraph,
  frames: readonly IndexedFrame[],
  pages: ReadonlyMap<string, readonly number[]>,
): Promise<Map<string, ResponseOf<typeof FrameDetailsSchema>>> {
  const problems = await readFrameProblems(db, site, graph, frames)
  const details = new Map<string, ResponseOf<typeof FrameDetailsSchema>>()
  await forEachYielding(frames, ({ id }) => {
    details.set(id, {
      pages: pages.get(id)?.length ?? 0,
      shown_on: countPagesShowing(graph, id, pages),
      embeds: graph.directlyEmbedded(id).length,
      embedded_by: graph.embeddersOf([id]).length,
      ...presentProblems(problems.get(id)),
    })
  })
  return details
}

/** A page uses one frame, so no page is counted twice. */
function countPagesShowing(
  graph: FrameGraph,
  id: string,
  pages: ReadonlyMap<string, readonly number[]>,
): number {
  if (pages.size === 0) return 0
  let total = 0
  for (const showing of graph.framesShowing(id)) total += pages.get(showing)?.length ?? 0
  return total
}

function presentProblems({ isBuilt, problems }: FrameProblems = { isBuilt: false, problems: [] }) {
  return {
    built: isBuilt,
    problems: problems.slice(0, MAX_LISTED_PROBLEMS),
    problems_total: problems.length,
  }
}

const MAX_HTML_MB = 8
/** Maximum size of the markup in one response, in bytes of JSON: it is in memory several times until it is sent. One character may take six bytes. */
export const MAX_LIST_HTML_BYTES = MAX_HTML_MB * 1024 * 1024

/** Frames on a page of a list that is asked for in pages. */
export const FRAMES_PER_PAGE = { max: 200, byDefault: 50 }

/** `unused`: frames that no page shows, also not through other frames. `problems`: frames whose last bake has found problems. */
const FRAME_SELECTIONS = ['unused', 'problems'] as const
type FrameSelection = (typeof FRAME_SELECTIONS)[number]

/** `updated`: the latest first. `size`: the largest first. */
const FRAME_ORDERS = ['slug', 'updated', 'size'] as const
type FrameOrder = (typeof FRAME_ORDERS)[number]

/**
 * The frames of a selection.
 * @param pages of all frames of the site, by id of the frame
 */
async function selectFrames(
  db: Db,
  site: Site,
  graph: FrameGraph,
  frames: readonly IndexedFrame[],
  { only, pages }: { only: FrameSelection; pages: ReadonlyMap<string, readonly number[]> },
): Promise<readonly IndexedFrame[]> {
  if (only === 'unused') {
    const shown = graph.framesShownBy([...pages.keys()])
    return frames.filter(({ id }) => !shown.has(id))
  }
  const problems = await readFrameProblems(db, site, graph, frames)
  return frames.filter(({ id }) => (problems.get(id)?.problems.length ?? 0) > 0)
}

/** What frames are sorted by, descending; frames with the same value by slug. */
const VALUES: Readonly<Record<Exclude<FrameOrder, 'slug'>, (frame: IndexedFrame) => string>> = {
  updated: ({ meta }) => meta.updated_at_gmt,
  // Numbers with the same number of digits have the order of their texts.
  size: ({ meta }) => String(meta.bytes).padStart(12, '0'),
}

/** A page of a list of frames, and where the next one begins. */
type FramePage = { readonly selected: readonly IndexedFrame[]; readonly next: string | null }

/**
 * Frames in an order, from one of them on.
 * @param frames sorted by slug
 * @param after the slug of the frame before; in another order also its value, so that the page begins at the right frame even if that one has gone
 */
function pageOfFrames(
  frames: readonly IndexedFrame[],
  { order, after, limit }: { order: FrameOrder; after: string; limit: number | undefined },
): FramePage {
  const readValue = order === 'slug' ? () => '' : VALUES[order]
  const cursorOf = (frame: IndexedFrame): string =>
    order === 'slug' ? frame.slug : `${readValue(frame)}/${frame.slug}`
  const sorted = order === 'slug' ? frames : [...frames].sort(descendingBy(readValue))
  const rest = sorted.filter((frame) => isAfter(readValue(frame), frame.slug, after))
  const selected = rest.slice(0, limit)
  const last = selected.at(-1)
  return { selected, next: last && rest.length > selected.length ? cursorOf(last) : null }
}

const descendingBy =
  (readValue: (frame: IndexedFrame) => string) =>
  (a: IndexedFrame, b: IndexedFrame): number => {
    const [first, second] = [readValue(a), readValue(b)]
    if (first === second) return a.slug < b.slug ? -1 : 1
    return first > second ? -1 : 1
  }

/** Whether a frame comes after a cursor. Slugs have no slash. */
function isAfter(value: string, slug: string, cursor: string): boolean {
  const slash = cursor.indexOf('/')
  const afterValue = cursor.slice(0, Math.max(slash, 0))
  if (cursor === '' || value < afterValue) return true
  return value === afterValue && slug > cursor.slice(slash + 1)
}

const listFramesEndpoint = defineEndpoint({
  name: 'listFrames',
  isOfContract: true,
  method: 'get',
  path: '/frames',
  summary: 'List all frames of the site, by slug',
  command: {
    name: 'frames list',
    summary: 'list the frames',
    list: {
      rows: 'frames',
      noun: 'frame',
      id: 'id',
      shown: [
        'slug',
        'id',
        'bytes',
        'pages:count',
        'details.shown_on',
        'updated_at_gmt',
        'updated_by:user',
      ],
      sends: { details: true },
    },
    examples: [
      'wp-frames frames list --site 2',
      'wp-frames frames list --network --format csv --fields slug,bytes,sha256',
      'wp-frames frames list --site 2 --format ids | xargs -r -n 1 wp-frames frames show --site 2',
    ],
  },
  query: z.object({
    block: optional(
      z.string(),
      'Only frames of this block: itself, its elements and its modifiers.',
      'site-header',
    ),
    q: optional(
      z.string().max(MAX_SEARCH_LENGTH),
      'Only slugs that contain this text; case-insensitive.',
      'head',
    ),
    include_html: flag(
      false,
      `Include the markup. A page of a list ends early where the markup of more frames would be beyond ${MAX_HTML_MB} MB of JSON; without \`limit\` and \`after\` such a list is refused with \`list_too_large\`.`,
    ),
    details: detailsField,
    only: optional(
      z.enum(FRAME_SELECTIONS),
      '`unused`: only frames that no page shows, also not through other frames. `problems`: only frames whose last bake has found problems.',
    ),
    sort: z
      .enum(FRAME_ORDERS)
      .default('slug')
      .meta({
        override: { default: 'slug' },
        description: '`updated`: the latest first. `size`: the largest first.',
      }),
    after: optional(
      z.string(),
      'Only frames after this one: `next` of the page before, a slug if sorted by slug.',
    ),
    limit: limitField('Frames', FRAMES_PER_PAGE),
    type: rawField({
      type: 'string',
      deprecated: true,
      description: 'Ignored, with the warning `type_ignored`.',
    }),
  }),
  response: z.object({
    home_url: z.string().meta({ examples: ['http://net.test/shop/'] }),
    total: z.int().describe('All frames that were selected, on all pages.'),
    registry_option: z.string().meta({ examples: [REGISTRY_OPTION] }),
    page_meta: z.string().meta({ examples: [PAGE_META_KEY] }),
    slug_pattern: z.string().meta({ examples: [SLUG_PATTERN] }),
    frames: z.array(
      FrameSchema.extend({ html: HtmlSchema.optional(), details: FrameDetailsSchema.optional() }),
    ),
    next: field(
      z.string().nullable().optional(),
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
      home_url: `${home}/`,
      // Without frames that were deleted before their markup was read.
      total: chosen.length - (selected.length - listed.length),
      registry_option: REGISTRY_OPTION,
      page_meta: PAGE_META_KEY,
      slug_pattern: SLUG_PATTERN,
      frames: listed.map((indexed) => {
        const frame = frames.get(indexed.id)
        return {
          ...presentFrame(
            frame ? { ...indexed, ...frame } : indexed,
            asRead,
            pages.get(indexed.id),
          ),
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

/** The response to a read of a frame with `at`. */
const FormerFrameSchema = z.object({
  frame: z.object({
    id: z.string(),
    slug: z.string(),
    bytes: z.int(),
    sha256: z.string(),
    created_at_gmt: z.string(),
    updated_at_gmt: z.string(),
    updated_by: z.int(),
    html: HtmlSchema,
  }),
  entry: EntrySchema.nullable().describe(
    'The entry with this state; null if the frame has not been written since the history began.',
  ),
})

/**
 * Reads a frame as it was at a moment.
 * @throws AppError `frame_not_found`, `entry_not_found` if the markup is no longer in the history
 */
async function readFormerFrame(
  db: Db,
  site: Site,
  ref: string,
  moment: Moment,
): Promise<ResponseOf<typeof FormerFrameSchema>> {
  const current = (await readRegistry(db, site)).find(ref)?.id
  const found = await findThingAt(db, site, { kind: 'frame', ref, current }, moment)
  if (!found) throw frameNotFound(ref)
  const { id, entry } = found
  if (!entry) {
    const { html, ...record } = (await getFrame(db, site, id)).record
    return { frame: { id, ...record, ...measured(html) }, entry: null }
  }
  const state = await readState(db, site, entry)
  if (state?.content === undefined) throw contentPruned(entry.id)
  const { slug, created_at_gmt, updated_at_gmt, updated_by } = state.fields
  return {
    frame: {
      id,
      slug: String(slug),
      updated_by: Number(updated_by) || 0,
      created_at_gmt: String(created_at_gmt),
      updated_at_gmt: String(updated_at_gmt),
      ...measured(state.content),
    },
    entry: presentEntry(entry),
  }
}

const measured = (html: string) => ({
  bytes: Buffer.byteLength(html),
  sha256: sha256Hex(html),
  html,
})

const getFrameEndpoint = defineEndpoint({
  name: 'getFrame',
  isOfContract: true,
  namesSite: false,
  method: 'get',
  path: '/frames/:ref',
  summary: 'Read one frame with its markup',
  command: {
    name: 'frames show',
    summary: 'print the markup of a frame, byte for byte if the output is a file or a pipe',
    args: ['ref'],
    options: { details: false },
    prints: 'frame.html',
    examples: [
      'wp-frames frames show site-header --site 2',
      'wp-frames frames show site-header --site 2 --at "2026-03-01 09:30:00" > header.html',
    ],
  },
  params: FrameParamsSchema,
  query: z.object({ at: atField, details: detailsField }),
  response: z.union([
    z.object({
      frame: FrameSchema.required({ pages: true }).extend({
        html: HtmlSchema,
        referenced_by: z.array(z.string()).describe('Slugs of the frames that embed it.'),
        details: FrameDetailsSchema.optional(),
      }),
      names: UserNamesSchema.optional().describe('Only with `details`.'),
    }),
    FormerFrameSchema,
  ]),
  errors: ['frame_ref_required', 'frame_not_found', 'frame_unreadable', 'entry_not_found'],
  async read(call) {
    const { db, site, params, query, setEtag } = call
    if (query.at) return readFormerFrame(db, site, params.ref, query.at)
    const frame = await getFrame(db, site, params.ref)
    const { id, record, meta, graph, pages } = frame
    setEtag(versionOfFrame(frame))
    const details = query.details
      ? await readFrameDetails(
          db,
          site,
          graph,
          [{ id, slug: record.slug, meta }],
          await listFramePages(db, site),
        )
      : undefined
    return {
      frame: {
        ...presentFrame({ id, slug: record.slug, meta }, graph),
        pages,
        html: record.html,
        referenced_by: graph.embeddersOf([id]).map((frame) => frame.slug),
        ...(details ? { details: details.get(id) } : {}),
      },
      ...(details ? { names: await readUserNamesForCaller(call, [record.updated_by]) } : {}),
    }
  },
})

export const endpoints: readonly Endpoint[] = [listFramesEndpoint, getFrameEndpoint]
