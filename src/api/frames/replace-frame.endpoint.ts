import { versionOfFrame } from '../../frames/frame-version.ts'
import { prepareRename } from '../../frames/rename-frame.ts'
import { replaceFrame } from '../../frames/replace-frame.ts'
import { defineEndpoint } from '../endpoint.ts'
import { FRAME_EFFECTS } from '../fields.ts'
import { MAX_LARGE_BODY_BYTES } from '../request-body.ts'
import {
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
  effects: FRAME_EFFECTS,
  async prepare(call) {
    const { db, site, params } = call
    const write = await markupWrite(call)
    await prepareRename(db, site, params.ref, write)
    return write
  },
  async write(tx, call, write) {
    const { site, params, body } = call
    const writing = replaceFrame(tx, site, params.ref, write)
    const { change, ...written } = await writeFrame(
      tx,
      call,
      { ...write, ref: params.ref },
      writing,
    )
    return {
      body: presentFrameWrite(site, { ...written, updated: true, ignored: ignoredFields(body) }),
      change,
      version: versionOfFrame(written.frame),
    }
  },
})
