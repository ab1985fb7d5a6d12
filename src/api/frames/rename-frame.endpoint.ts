import { z } from 'zod'
import { AppError } from '../../errors.ts'
import { versionOfFrame } from '../../frames/frame-version.ts'
import { prepareRename, renameFrame } from '../../frames/rename-frame.ts'
import { defineEndpoint } from '../endpoint.ts'
import { FRAME_EFFECTS, siteId } from '../fields.ts'
import { FrameParamsSchema, frameWrite, ignoredFields, RenameBodySchema } from './frame-request.ts'
import {
  FrameSchema,
  nameWarnings,
  presentFrame,
  presentRename,
  RenamedSchema,
} from './frame-response.ts'

export const renameFrameEndpoint = defineEndpoint({
  name: 'renameFrame',
  isOfContract: true,
  method: 'patch',
  path: '/frames/:ref',
  summary: 'Rename a frame, also in the frames that embed it',
  params: FrameParamsSchema,
  body: RenameBodySchema,
  example: { slug: 'site-header--wide' },
  response: z.object({
    applied: z.boolean().optional().describe('Only in a dry run.'),
    site_id: siteId,
    frame: FrameSchema,
    renamed: RenamedSchema,
    warnings: z.array(z.string()),
  }),
  errors: [
    'precondition_failed',
    'frame_url_not_supported',
    'nothing_to_update',
    'gone',
    'invalid_slug',
    'frame_ref_required',
    'frame_not_found',
    'slug_taken',
    'frame_too_large',
    'frame_charset_unsupported',
    'frame_unreadable',
    'site_quota_exceeded',
    'engine_not_transactional',
    'internal_unavailable',
  ],
  effects: FRAME_EFFECTS,
  async prepare(call) {
    const { db, site, params, body } = call
    const slug = body.slug ?? refuseRename(body)
    const write = { ...frameWrite(call), slug }
    await prepareRename(db, site, params.ref, write)
    return write
  },
  async write(tx, { site, params, body }, write) {
    const { frame, renamed, change, graph } = await renameFrame(tx, site, params.ref, write)
    return {
      body: {
        site_id: site.blogId,
        frame: presentFrame({ ...frame, slug: frame.record.slug, graph }),
        renamed: presentRename(renamed),
        warnings: [...ignoredFields(body), ...nameWarnings(frame.id, graph)],
      },
      change,
      version: versionOfFrame(frame),
    }
  },
})

/** @throws AppError for a body without a slug: `gone` if it sets defaults, otherwise `nothing_to_update` */
function refuseRename(body: z.output<typeof RenameBodySchema>): never {
  if (body.default !== undefined || body.is_default !== undefined) throw frameDefaultsGone()
  throw new AppError(
    'nothing_to_update',
    'This endpoint changes only the slug of a frame. Send it in "slug"; replace the markup with PUT.',
  )
}

/** The error of every request about default frames. */
export function frameDefaultsGone(): AppError {
  return new AppError(
    'gone',
    'Frame types and default frames were removed. Assign a frame to each page with POST /frames/{ref}/assign.',
  )
}
