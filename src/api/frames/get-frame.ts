import { versionOfFrame } from '../../frames/expected-frame.ts'
import { findFramePages } from '../../frames/frame-pages.ts'
import { presentFrame } from '../../frames/present-frame.ts'
import { readFrame } from '../../frames/read-frame.ts'
import { readSiteGraph } from '../../frames/read-graph.ts'
import { defineEndpoint } from '../endpoint.ts'

/** Contract, section 4.1.3. */
export const getFrame = defineEndpoint({
  method: 'get',
  path: '/frames/:ref',
  summary: 'One frame with its markup',
  async handle({ db, site, params, tellVersion }) {
    const graph = await readSiteGraph(db, site)
    const { id, slug } = graph.registry.get(params.ref ?? '')
    const { record, meta } = await readFrame(db, site, { id, slug })
    tellVersion(versionOfFrame({ id, record }))
    return {
      success: true,
      frame: presentFrame({
        id,
        slug,
        meta,
        graph,
        pages: await findFramePages(db, site, id),
        html: record.html,
        referencedBy: graph.embeddersOf([id]).map((frame) => frame.slug),
      }),
    }
  },
})
