import { createFrame } from '../../frames/create-frame.ts'
import { readSiteGraph } from '../../frames/graph.ts'
import { defineEndpoint } from '../endpoint.ts'
import { assertNoUrl, FrameBodySchema, frameWrite, ignoredFields } from './frame-body.ts'
import { presentFrame, presentReport } from './present-frame.ts'

/** Contract, section 4.1.2. */
export const postFrame = defineEndpoint({
  method: 'post',
  path: '/frames',
  summary: 'Make a frame',
  body: FrameBodySchema,
  async handle({ db, executor, site, caller, body, now }) {
    assertNoUrl(body)
    const write = frameWrite(body, caller.user.id, now())
    const { frame, report, change, graph } = await db[body.dry_run ? 'rehearse' : 'transaction'](
      async (tx) => ({
        ...(await createFrame(tx, site, write)),
        graph: await readSiteGraph(tx, site),
      }),
    )
    const effects = body.dry_run ? undefined : await executor.apply(site, change)
    const { id, record, meta } = frame
    return {
      success: true,
      ...(body.dry_run ? { dry_run: true } : {}),
      applied: !body.dry_run,
      updated: false,
      site_id: site.blogId,
      frame: presentFrame({ id, slug: record.slug, meta, graph }),
      ...presentReport(id, report, graph, ignoredFields(body)),
      ...(effects ? { bake: effects.bake, rebaked: effects.rebaked } : {}),
    }
  },
})
