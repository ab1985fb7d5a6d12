import { z } from 'zod'
import { listFramePages } from '../../frames/frame-pages.ts'
import { PAGE_META_KEY, REGISTRY_OPTION } from '../../frames/option-names.ts'
import { presentFrame } from '../../frames/present-frame.ts'
import { readFrames } from '../../frames/read-frame.ts'
import { readSiteGraph } from '../../frames/read-graph.ts'
import { normalizeSlug, SLUG_PATTERN, slugParts } from '../../frames/slug.ts'
import { defineEndpoint } from '../endpoint.ts'
import { flag } from '../flag.ts'

/** Contract, section 4.1.1. */
export const listFrames = defineEndpoint({
  method: 'get',
  path: '/frames',
  summary: 'All frames of the site, by slug',
  query: z.object({
    block: z.string().optional(),
    q: z.string().optional(),
    include_html: flag(false),
    type: z.unknown().optional(),
  }),
  async handle({ db, site, query }) {
    const graph = await readSiteGraph(db, site)
    const pages = await listFramePages(db, site)
    const block = query.block && normalizeSlug(query.block)
    const wanted = graph
      .all()
      .filter(({ slug }) => !block || slugParts(slug).block === block)
      .filter(({ slug }) => slug.includes(normalizeSlug(query.q ?? '')))
    const markup = new Map(
      query.include_html
        ? (await readFrames(db, site, wanted)).map(({ id, record }) => [id, record.html])
        : [],
    )
    return {
      success: true,
      site_id: site.blogId,
      home_url: `${site.home}/`,
      total: wanted.length,
      registry_option: REGISTRY_OPTION,
      page_meta: PAGE_META_KEY,
      slug_pattern: SLUG_PATTERN,
      frames: wanted.map((frame) =>
        presentFrame({ ...frame, graph, pages: pages.get(frame.id), html: markup.get(frame.id) }),
      ),
      ...(query.type === undefined ? {} : { warnings: ['type_ignored'] }),
    }
  },
})
