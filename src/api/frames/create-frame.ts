import { createFrame } from '../../frames/create-frame.ts'
import { defineEndpoint } from '../endpoint.ts'
import { assertNoUrl, FrameBodySchema, frameWrite, ignoredFields } from './frame-body.ts'
import { presentWrite } from './present-write.ts'

/** Contract, section 4.1.2. */
export const postFrame = defineEndpoint({
  method: 'post',
  path: '/frames',
  summary: 'Make a frame',
  body: FrameBodySchema,
  async handle({ db, executor, site, caller, body, now }) {
    assertNoUrl(body)
    const write = frameWrite(body, caller.user.id, now())
    const { change, ...written } = await db[body.dry_run ? 'rehearse' : 'transaction']((tx) =>
      createFrame(tx, site, write),
    )
    const effects = body.dry_run ? undefined : await executor.apply(site, change)
    return presentWrite(site, { ...written, effects, updated: false, ignored: ignoredFields(body) })
  },
})
