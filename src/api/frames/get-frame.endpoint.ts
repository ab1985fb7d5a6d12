import { z } from 'zod'
import { listFramePages } from '../../frames/frame-pages.ts'
import { versionOfFrame } from '../../frames/frame-version.ts'
import { getFrame } from '../../frames/read-frame.ts'
import { defineEndpoint } from '../endpoint.ts'
import { atField } from '../history/entry-schema.ts'
import { readUserNamesForCaller, UserNamesSchema } from '../names.ts'
import { FormerFrameSchema, readFormerFrame } from './former-frame.ts'
import { detailsField, FrameDetailsSchema, readFrameDetails } from './frame-details.ts'
import { FrameParamsSchema } from './frame-request.ts'
import { FrameSchema, HtmlSchema, presentFrame } from './frame-response.ts'

export const getFrameEndpoint = defineEndpoint({
  name: 'getFrame',
  isOfContract: true,
  method: 'get',
  path: '/frames/:ref',
  summary: 'Read one frame with its markup',
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
        ...presentFrame({ ...frame, slug: record.slug }),
        pages,
        html: record.html,
        referenced_by: graph.embeddersOf([id]).map((frame) => frame.slug),
        ...(details ? { details: details.get(id) } : {}),
      },
      ...(details ? { names: await readUserNamesForCaller(call, [record.updated_by]) } : {}),
    }
  },
})
