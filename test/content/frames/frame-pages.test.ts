import { expect, it } from 'vitest'
import { createFrame } from '../../../src/content/frames/create-frame.ts'
import { bindPage } from '../../../src/content/frames/frame-pages.ts'
import { readPostMetaOf, setPostMeta } from '../../../src/wordpress/postmeta.ts'
import { useNetwork } from '../../support/network.ts'
import { statementsOf } from '../../support/statements.ts'

const network = await useNetwork()
const site = await network.site(2)

const registryRow = () =>
  network.db.sql(site.tables.options).where({ option_name: 'svc_frames' }).first()

it.each([false, true])(
  'an assignment changes and restores the registry, so that a cluster detects a concurrent deletion on another node (clear: %s)',
  async (clear) => {
    const { db } = network
    const write = { userId: 1, now: '2026-01-02 03:04:05', bake: false }
    const slug = `bound-${clear}`
    await db.write({}, (tx) => createFrame(tx, site, { ...write, slug, html: 'x' }))
    const before = await registryRow()
    const statements = await statementsOf(db, () =>
      db.write({}, (tx) => bindPage(tx, site, { ref: slug, pageId: 7, clear, bake: false })),
    )
    const writes = statements.filter((sql) => sql.startsWith('UPDATE :options: SET autoload'))
    expect(writes).toHaveLength(2)
    expect(await registryRow()).toEqual(before)
  },
)

it('an assignment removes this frame or a deleted one from a page, but no other frame', async () => {
  const { db } = network
  const write = { userId: 1, now: '2026-01-02 03:04:05', bake: false, html: 'x' }
  for (const slug of ['one', 'two'])
    await db.write({}, (tx) => createFrame(tx, site, { ...write, slug }))
  const bind = (ref: string, clear: boolean) =>
    db.write({}, (tx) => bindPage(tx, site, { ref, pageId: 8, clear, bake: false }))
  const assigned = () => readPostMetaOf(db, site, 8, '_svc_frame')
  const { frame } = await bind('one', false)
  await bind('two', true)
  expect(await assigned()).toBe(frame.id)
  await bind('one', true)
  expect(await assigned()).toBeUndefined()
  await db.write({}, (tx) => setPostMeta(tx, site, 8, '_svc_frame', 'feedfeedfeedfeed'))
  await bind('two', true)
  expect(await assigned()).toBeUndefined()
})
