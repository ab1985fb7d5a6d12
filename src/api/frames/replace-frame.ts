import { versionOfFrame } from '../../frames/expected-frame.ts'
import { replaceFrame } from '../../frames/replace-frame.ts'
import { defineEndpoint } from '../endpoint.ts'
import { assertNoUrl, FrameBodySchema, frameWrite, ignoredFields } from './frame-body.ts'
import { presentWrite } from './present-write.ts'

/** Contract, section 4.1.4. */
export const putFrame = defineEndpoint({
  method: 'put',
  path: '/frames/:ref',
  summary: "Replace a frame's markup",
  body: FrameBodySchema,
  async handle({ db, executor, site, caller, params, body, now, expected, tellVersion }) {
    assertNoUrl(body)
    const write = frameWrite({ body, caller, now, expected })
    const { change, ...written } = await db[body.dry_run ? 'rehearse' : 'transaction']((tx) =>
      replaceFrame(tx, site, params.ref ?? '', write),
    )
    if (!body.dry_run) tellVersion(versionOfFrame(written.frame))
    const effects = body.dry_run ? undefined : await executor.apply(site, change)
    return presentWrite(site, { ...written, effects, updated: true, ignored: ignoredFields(body) })
  },
})
