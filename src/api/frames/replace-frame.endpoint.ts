import type { Effects } from '../../effects.ts'
import { versionOfFrame } from '../../frames/frame-version.ts'
import { prepareRename } from '../../frames/rename-frame.ts'
import { replaceFrame } from '../../frames/replace-frame.ts'
import { defineEndpoint, WithEffects } from '../endpoint.ts'
import { MAX_LARGE_BODY_BYTES } from '../request-body.ts'
import {
  assertNoUrl,
  FrameBodySchema,
  FrameParamsSchema,
  ignoredFields,
  markupWrite,
  writeFrame,
} from './frame-request.ts'
import { FrameWriteResponseSchema, presentFrameWrite } from './frame-response.ts'

export const replaceFrameEndpoint = defineEndpoint({
  name: 'replaceFrame',
  isOfContract: true,
  method: 'put',
  path: '/frames/:ref',
  summary: "Replace a frame's markup",
  description:
    'A `slug` in the body also renames the frame. Frames that embed it are built again; see `rebaked`.',
  params: FrameParamsSchema,
  body: FrameBodySchema,
  maxBodyBytes: MAX_LARGE_BODY_BYTES,
  example: { html: '<header><!-- svc/menu {"location":"header"} /--></header>' },
  response: FrameWriteResponseSchema,
  errors: [
    'precondition_failed',
    'frame_url_not_supported',
    'frame_ref_required',
    'frame_not_found',
    'frame_html_required',
    'invalid_slug',
    'frame_ref_conflict',
    'frame_charset_unsupported',
    'frame_too_large',
    'frame_unreadable',
    'site_quota_exceeded',
    'unfiltered_html_required',
    'slug_taken',
    'engine_not_transactional',
    'internal_unavailable',
  ],
  async handle(call) {
    const { db, site, params, body, setEtag } = call
    assertNoUrl(body)
    const write = await markupWrite(call)
    await prepareRename(db, site, params.ref, write)
    const { change, ...written } = await writeFrame(call, { ...write, ref: params.ref }, (tx) =>
      replaceFrame(tx, site, params.ref, write),
    )
    if (!body.dry_run) setEtag(versionOfFrame(written.frame))
    const present = (effects?: Effects) =>
      presentFrameWrite(site, {
        ...written,
        effects,
        updated: true,
        ignored: ignoredFields(body),
      })
    return body.dry_run ? present() : new WithEffects(change, present)
  },
})
