import { AppError } from '../../errors.ts'
import { versionOfFrame } from '../../frames/expected-frame.ts'
import { presentFrame } from '../../frames/present-frame.ts'
import { renameFrame } from '../../frames/rename-frame.ts'
import { defineEndpoint } from '../endpoint.ts'
import {
  assertNoUrl,
  type FrameBody,
  FrameBodySchema,
  frameWrite,
  ignoredFields,
} from './frame-body.ts'
import { presentRename } from './present-write.ts'

/** Contract, section 4.1.5. */
export const patchFrame = defineEndpoint({
  method: 'patch',
  path: '/frames/:ref',
  summary: 'Rename a frame, in the frames that embed it too',
  body: FrameBodySchema,
  async handle({ db, executor, site, caller, params, body, now, expected, tellVersion }) {
    assertNoUrl(body)
    assertRename(body)
    const write = { ...frameWrite({ body, caller, now, expected }), slug: body.slug }
    const { frame, renamed, change, graph } = await db[body.dry_run ? 'rehearse' : 'transaction'](
      (tx) => renameFrame(tx, site, params.ref ?? '', write),
    )
    if (!body.dry_run) tellVersion(versionOfFrame(frame))
    const effects = body.dry_run ? undefined : await executor.apply(site, change)
    const warnings = ignoredFields(body)
    return {
      success: true,
      ...(effects ? {} : { dry_run: true, applied: false }),
      site_id: site.blogId,
      frame: presentFrame({ id: frame.id, slug: frame.record.slug, meta: frame.meta, graph }),
      renamed: presentRename(renamed),
      ...(warnings.length > 0 ? { warnings } : {}),
      ...(effects ? { bake: effects.bake, rebaked: effects.rebaked } : {}),
    }
  },
})

/** @throws AppError `gone` for a body that only sets defaults, `nothing_to_update` for one without a slug */
function assertRename({ slug, default: standard, is_default: isStandard }: FrameBody): void {
  if (slug !== undefined) return
  if (standard !== undefined || isStandard !== undefined) throw frameDefaultsGone()
  throw new AppError(
    'nothing_to_update',
    'Only the slug of a frame can be changed here. Send it in "slug"; replace the markup with PUT.',
  )
}

/** The answer for everything about default frames (contract, section 4.1.9). */
export function frameDefaultsGone(): AppError {
  return new AppError(
    'gone',
    'Frames have no types and no defaults any more. Put a frame on each page with POST /frames/{ref}/assign.',
  )
}
