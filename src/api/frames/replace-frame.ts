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
  async handle({ db, executor, site, caller, params, body, now }) {
    assertNoUrl(body)
    const write = frameWrite(body, caller.user.id, now())
    const { change, ...written } = await db[body.dry_run ? 'rehearse' : 'transaction']((tx) =>
      replaceFrame(tx, site, params.ref ?? '', write),
    )
    const effects = body.dry_run ? undefined : await executor.apply(site, change)
    return presentWrite(site, { ...written, effects, updated: true, ignored: ignoredFields(body) })
  },
})
