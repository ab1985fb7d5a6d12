import { z } from 'zod'
import { listFramePages } from '../../frames/frame-pages.ts'
import { PAGE_META_KEY, REGISTRY_OPTION } from '../../frames/option-names.ts'
import { presentFrame } from '../../frames/present-frame.ts'
import { graphAsRead, readFrames } from '../../frames/read-frame.ts'
import { readSiteGraph } from '../../frames/read-graph.ts'
import { normalizeSlug, SLUG_PATTERN, slugParts } from '../../frames/slug.ts'
import { readHome } from '../../wordpress/network/read-home.ts'
import { defineEndpoint } from '../endpoint.ts'
import { flag } from '../flag.ts'
import { siteId } from '../site-id.ts'
import { unchecked } from '../unchecked.ts'
import { FrameSchema, html } from './frame-schema.ts'

/** Contract, section 4.1.1. */
export const listFrames = defineEndpoint({
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
    include_html: flag(false, 'Give the markup too.'),
    type: unchecked({
      type: 'string',
      deprecated: true,
      description: 'Ignored, with the warning `type_ignored`.',
    }),
  }),
  answer: z.object({
    site_id: siteId,
    home_url: z.string().meta({ examples: ['http://net.test/shop/'] }),
    total: z.int(),
    registry_option: z.string().meta({ examples: [REGISTRY_OPTION] }),
    page_meta: z.string().meta({ examples: [PAGE_META_KEY] }),
    slug_pattern: z.string().meta({ examples: [SLUG_PATTERN] }),
    frames: z.array(FrameSchema.extend({ html: html.optional() })),
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
    const read = query.include_html ? await readFrames(db, site, wanted) : []
    const frames = new Map(read.map((frame) => [frame.id, frame]))
    const asRead = graphAsRead(graph, read)
    const listed = query.include_html ? wanted.filter(({ id }) => frames.has(id)) : wanted
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
      ...(query.type === undefined ? {} : { warnings: ['type_ignored'] }),
    }
  },
})
