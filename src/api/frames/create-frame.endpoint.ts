import { createFrame } from '../../frames/create-frame.ts'
import { versionOfFrame } from '../../frames/frame-version.ts'
import { defineEndpoint } from '../endpoint.ts'
import { FRAME_EFFECTS } from '../fields.ts'
import { MAX_LARGE_BODY_BYTES } from '../request-body.ts'
import { ignoredFields, markupWrite, NewFrameBodySchema, writeFrame } from './frame-request.ts'
import { FrameWriteResponseSchema, presentFrameWrite } from './frame-response.ts'

export const createFrameEndpoint = defineEndpoint({
  name: 'createFrame',
  isOfContract: true,
  method: 'post',
  path: '/frames',
  summary: 'Create a frame',
  body: NewFrameBodySchema,
  maxBodyBytes: MAX_LARGE_BODY_BYTES,
  example: { slug: 'hello', html: '<h1><!-- svc/data {"source":"site.title"} /--></h1>' },
  response: FrameWriteResponseSchema.omit({ renamed: true }),
  errors: [
    'precondition_failed',
    'frame_url_not_supported',
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
  prepare: markupWrite,
  async write(tx, call, write) {
    const { site, body } = call
    const { change, ...written } = await writeFrame(tx, call, write, createFrame(tx, site, write))
    return {
      body: presentFrameWrite(site, { ...written, updated: false, ignored: ignoredFields(body) }),
      change,
      version: versionOfFrame(written.frame),
    }
  },
})
