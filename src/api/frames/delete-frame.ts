import { z } from 'zod'
import { deleteFrame } from '../../frames/delete-frame.ts'
import { slugParts } from '../../frames/slug.ts'
import { defineEndpoint } from '../endpoint.ts'
import { flag } from '../flag.ts'

/** Contract, section 4.1.6. */
export const removeFrame = defineEndpoint({
  method: 'delete',
  path: '/frames/:ref',
  summary: 'Delete a frame; its pages stand on nothing then',
  body: z.preprocess((body) => body ?? {}, z.object({ bake: flag(true) })),
  async handle({ db, executor, site, params, body, expected }) {
    const { frame, unboundPages, referencedBy, change } = await db.transaction((tx) =>
      deleteFrame(tx, site, params.ref ?? '', { ...body, expected }),
    )
    const { bake, rebaked } = await executor.apply(site, change)
    return {
      success: true,
      site_id: site.blogId,
      deleted: { ...frame, ...slugParts(frame.slug) },
      unbound_pages: unboundPages,
      referenced_by: referencedBy,
      warnings: [
        ...(unboundPages.length > 0
          ? [
              `${unboundPages.length} page(s) stand on no frame now and answer 404: ${unboundPages.join(', ')}.`,
            ]
          : []),
        ...(referencedBy.length > 0
          ? [
              `Frames that embed "${frame.slug}" print nothing for it until a frame bears that slug again: ${referencedBy.join(', ')}.`,
            ]
          : []),
      ],
      bake,
      rebaked,
    }
  },
})
