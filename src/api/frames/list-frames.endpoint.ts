import { z } from 'zod'
import { inBatches } from '../../db/sql.ts'
import { listFramePages } from '../../frames/frame-pages.ts'
import { type IndexedFrame, markupBytes } from '../../frames/graph.ts'
import { PAGE_META_KEY, REGISTRY_OPTION } from '../../frames/option-names.ts'
import { presentFrame } from '../../frames/present-frame.ts'
import { readFrames, withFreshMetas } from '../../frames/read-frame.ts'
import { readSiteGraph } from '../../frames/read-graph.ts'
import type { Frame } from '../../frames/record.ts'
import { normalizeSlug, SLUG_PATTERN, slugParts } from '../../frames/slug.ts'
import { readHome } from '../../wordpress/network/find-sites.ts'
import { defineEndpoint } from '../endpoint.ts'
import { flag, rawField, siteId } from '../fields.ts'
import { FrameSchema, HtmlSchema } from './frame-response.ts'

const MAX_HTML_MB = 8
/** Most bytes of JSON that the markup in one answer takes: it is in memory several times until it is sent. One character may take six bytes. */
export const MAX_LIST_HTML_BYTES = MAX_HTML_MB * 1024 * 1024

/** Contract, section 4.1.1. */
export const listFramesEndpoint = defineEndpoint({
  name: 'listFrames',
  method: 'get',
  path: '/frames',
  summary: 'All frames of the site, by slug',
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
      .meta({ description: 'Only slugs that hold this, in any case.', examples: ['head'] }),
    include_html: flag(
      false,
      `Give the markup too, of as many frames as come to ${MAX_HTML_MB} MB of JSON; \`warnings\` say from which frame on it is left out.`,
    ),
    type: rawField({
      type: 'string',
      deprecated: true,
      description: 'Ignored, with the warning `type_ignored`.',
    }),
  }),
  response: z.object({
    site_id: siteId,
    home_url: z.string().meta({ examples: ['http://net.test/shop/'] }),
    total: z.int(),
    registry_option: z.string().meta({ examples: [REGISTRY_OPTION] }),
    page_meta: z.string().meta({ examples: [PAGE_META_KEY] }),
    slug_pattern: z.string().meta({ examples: [SLUG_PATTERN] }),
    frames: z.array(FrameSchema.extend({ html: HtmlSchema.optional() })),
    warnings: z.array(z.string()).optional(),
  }),
  errors: ['frame_unreadable'],
  async handle({ db, site, query }) {
    const [home, graph, pages] = await Promise.all([
      readHome(db, site),
      readSiteGraph(db, site),
      listFramePages(db, site),
    ])
    const block = query.block && normalizeSlug(query.block)
    const part = normalizeSlug(query.q ?? '')
    const wanted = graph
      .all()
      .filter(({ slug }) => !block || slugParts(slug).block === block)
      .filter(({ slug }) => slug.includes(part))
    // JSON never takes fewer bytes than the markup does in the table.
    const [first = []] = query.include_html
      ? inBatches(wanted, MAX_LIST_HTML_BYTES, markupBytes)
      : []
    const read = takeWithinJsonLimit(await readFrames(db, site, first))
    const frames = new Map(read.given.map((frame) => [frame.id, frame]))
    const asRead = withFreshMetas(graph, read.given)
    const left = [...first.filter(({ id }) => read.left.has(id)), ...wanted.slice(first.length)]
    const listed = [...first.filter(({ id }) => frames.has(id)), ...left]
    const warnings = [
      ...(query.type === undefined ? [] : ['type_ignored']),
      ...(query.include_html ? omittedHtmlWarnings(left) : []),
    ]
    return {
      site_id: site.blogId,
      home_url: `${home}/`,
      total: listed.length,
      registry_option: REGISTRY_OPTION,
      page_meta: PAGE_META_KEY,
      slug_pattern: SLUG_PATTERN,
      frames: listed.map((indexed) => {
        const frame = frames.get(indexed.id)
        return {
          ...presentFrame({ ...indexed, ...frame, graph: asRead, pages: pages.get(indexed.id) }),
          ...(frame ? { html: frame.record.html } : {}),
        }
      }),
      ...(warnings.length > 0 ? { warnings } : {}),
    }
  },
})

/** The first of these frames, so many that their markup fits into an answer; and the ids of the others. */
function takeWithinJsonLimit(frames: readonly Frame[]): {
  readonly given: readonly Frame[]
  readonly left: ReadonlySet<string>
} {
  let total = 0
  const isOver = ({ record: { html } }: Frame): boolean => {
    total += Buffer.byteLength(JSON.stringify(html))
    return total > MAX_LIST_HTML_BYTES
  }
  const end = frames.findIndex(isOver)
  const given = end < 0 ? frames : frames.slice(0, end)
  return { given, left: new Set(frames.slice(given.length).map(({ id }) => id)) }
}

/** @param left the frames that are given without their markup */
function omittedHtmlWarnings(left: readonly IndexedFrame[]): string[] {
  return left
    .slice(0, 1)
    .map(
      ({ slug }) =>
        `The markup is left out from "${slug}" on, of ${left.length} frame(s): an answer gives ${MAX_HTML_MB} MB of it at most, as JSON. Read these one by one with GET /frames/{ref}, or ask for fewer with "block" or "q".`,
    )
}
