import { setImmediate as nextMacrotask } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { recordOption } from '../../src/frames/option-names.ts'
import { use } from '../support/use.ts'
import { createExecutorFixture } from './executor-fixture.ts'

const shop = await use(createExecutorFixture())
await shop.frame('card', 'x')
await shop.frame('page', '<h1 data-op-bind="page.title">x</h1><!-- svc/frame {"name":"card"} /-->')
await shop.assign('page', [10])
await shop.setOption(recordOption(await shop.idOf('page')), 'a:5:{s:4:"slug";s:4:"pa')

/** Unhandled rejections: one of them would end the process. */
const unhandled: unknown[] = []
const note = (reason: unknown): void => void unhandled.push(reason)
let others: NodeJS.UnhandledRejectionListener[] = []
beforeEach(() => {
  others = process.listeners('unhandledRejection')
  process.removeAllListeners('unhandledRejection').on('unhandledRejection', note)
})
afterEach(() => {
  process.off('unhandledRejection', note)
  for (const listener of others) process.on('unhandledRejection', listener)
})

/** The event is emitted once the microtasks are done: in the first macrotask after the one that rejected, at the latest. */
const assertHandled = async (): Promise<void> => {
  await nextMacrotask()
  await nextMacrotask()
  expect(unhandled).toEqual([])
}

it('rendering a page on a damaged frame fails with frame_unreadable and no unhandled rejection', async () => {
  await shop.network.db
    .sql(shop.site.tables.options)
    .where('option_name', 'like', '%_baked')
    .delete()
  await expect(shop.render(10)).rejects.toMatchObject({ code: 'frame_unreadable' })
  await assertHandled()
})

it('a write of a frame that a damaged frame embeds reports the failed build', async () => {
  const effects = await shop.frame('card', 'new')
  expect(effects).toMatchObject({ bake: { status: 'ok' }, rebaked: { status: 'failed' } })
  await assertHandled()
})
