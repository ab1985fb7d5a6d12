import type { Effects } from '../../effects.ts'
import { createFrame } from '../../frames/create-frame.ts'
import { versionOfFrame } from '../../frames/frame-version.ts'
import { defineEndpoint, WithEffects } from '../endpoint.ts'
import { MAX_LARGE_BODY_BYTES } from '../request-body.ts'
import {
  assertNoUrl,
  ignoredFields,
  markupWrite,
  NewFrameBodySchema,
  writeFrame,
} from './frame-request.ts'
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
  async handle(call) {
    const { site, body, setEtag } = call
    assertNoUrl(body)
    const write = await markupWrite(call)
    const { change, ...written } = await writeFrame(call, write, (tx) =>
      createFrame(tx, site, write),
    )
    if (!body.dry_run) setEtag(versionOfFrame(written.frame))
    const present = (effects?: Effects) =>
      presentFrameWrite(site, {
        ...written,
        effects,
        updated: false,
        ignored: ignoredFields(body),
      })
    return body.dry_run ? present() : new WithEffects(change, present)
  },
})
