import { z } from 'zod'
import { deleteFrame } from '../../frames/delete-frame.ts'
import { slugParts } from '../../frames/slug.ts'
import { defineEndpoint } from '../endpoint.ts'
import { FRAME_EFFECTS, flag, objectBody, siteId } from '../fields.ts'
import { FrameParamsSchema } from './frame-request.ts'
import { FrameNameSchema } from './frame-response.ts'

export const deleteFrameEndpoint = defineEndpoint({
  name: 'deleteFrame',
  isOfContract: true,
  method: 'delete',
  path: '/frames/:ref',
  summary: 'Delete a frame and remove it from its pages',
  description:
    'Static copies of its pages are removed. Frames that embed it are not edited: they print nothing for it until a frame has its slug again.',
  params: FrameParamsSchema,
  body: objectBody({ bake: flag(true, 'False: do not build anything now.') }),
  response: z.object({
    site_id: siteId,
    deleted: FrameNameSchema,
    unbound_pages: z.array(z.int()).describe('Ids of the pages that used it.'),
    referenced_by: z.array(z.string()).describe('Slugs of the frames that embed it.'),
    warnings: z.array(z.string()),
  }),
  errors: [
    'precondition_failed',
    'frame_ref_required',
    'frame_not_found',
    'frame_unreadable',
    'internal_unavailable',
  ],
  effects: FRAME_EFFECTS,
  async write(tx, { site, params, body, precondition }) {
    const { frame, unboundPages, referencedBy, change } = await deleteFrame(tx, site, params.ref, {
      ...body,
      precondition,
    })
    const left = [
      ...(unboundPages.length > 0
        ? [
            `${unboundPages.length} page(s) have no frame now and return 404: ${unboundPages.join(', ')}.`,
          ]
        : []),
      ...(referencedBy.length > 0
        ? [
            `Frames that embed "${frame.slug}" print nothing for it until a frame has that slug again: ${referencedBy.join(', ')}.`,
          ]
        : []),
    ]
    return {
      body: {
        site_id: site.blogId,
        deleted: { ...frame, ...slugParts(frame.slug) },
        unbound_pages: unboundPages,
        referenced_by: referencedBy,
        warnings: left,
      },
      change,
    }
  },
})
