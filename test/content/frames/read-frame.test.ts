import { beforeEach, describe, expect, it } from 'vitest'
import { bindPage } from '../../../src/content/frames/frame-pages.ts'
import { recordOption } from '../../../src/content/frames/option-names.ts'
import { getFrame, readFrame, readFrames } from '../../../src/content/frames/read-frame.ts'
import type { FrameName } from '../../../src/content/frames/registry.ts'
import { createDb, type Db } from '../../../src/db/database.ts'
import { deleteOptions } from '../../../src/wordpress/options/write-options.ts'
import { readPostMetaOf, setPostsMeta } from '../../../src/wordpress/postmeta.ts'
import { useNetwork } from '../../support/network.ts'
import { createSiteFixture } from '../../support/site-fixture.ts'
import { beforeStatements, statementsOf } from '../../support/statements.ts'

const network = await useNetwork()
const site = await network.site(2)
beforeEach(() => network.db.cache.clear())

const fixture = createSiteFixture(network.db, site)
const create = async (slug: string): Promise<string> => {
  await fixture.frame(slug, `<p>${slug}</p>`)
  return fixture.idOf(slug)
}
const remove = (ref: string) => fixture.removeFrame(ref)

/** A connection with an empty cache that calls `happen` before the statement that reads the frame. */
function interruptedBy(happen: () => Promise<unknown>): Db {
  const { sender, cache } = network.db
  cache.clear()
  const interrupted = beforeStatements(sender, async (statement) => {
    if (statement.sql.includes('UNION ALL')) await happen()
  })
  return createDb(interrupted, network.db)
}

describe('a frame that is deleted while it is read', () => {
  it('is not found, instead of being read as empty', async () => {
    for (const by of ['id', 'slug']) {
      const id = await create(`gone-by-${by}`)
      const read = getFrame(
        interruptedBy(() => remove(id)),
        site,
        by === 'id' ? id : 'gone-by-slug',
      )
      await expect(read).rejects.toMatchObject({ code: 'frame_not_found' })
    }
  })

  it('is not found if another frame gets its slug meanwhile', async () => {
    await create('taken')
    const read = getFrame(
      interruptedBy(async () => {
        await remove('taken')
        await create('taken')
      }),
      site,
      'taken',
    )
    await expect(read).rejects.toMatchObject({ code: 'frame_not_found' })
  })
})

it('a read of frames omits frames that were deleted since their names were read', async () => {
  const names: FrameName[] = []
  for (const slug of ['kept-1', 'deleted', 'kept-2']) names.push({ id: await create(slug), slug })
  await remove('deleted')
  const read = await readFrames(network.db, site, names)
  expect(read.map(({ record }) => record.html)).toEqual(['<p>kept-1</p>', '<p>kept-2</p>'])
  const [, deleted] = names
  await expect(readFrame(network.db, site, deleted as FrameName)).rejects.toMatchObject({
    code: 'frame_not_found',
  })
})

it('a read of frames reads a listed frame without a record as an empty frame', async () => {
  const id = await create('lost')
  await network.db.write({}, (tx) => deleteOptions(tx, site, [recordOption(id)]))
  const { record, meta } = await getFrame(network.db, site, 'lost')
  expect([record.slug, record.html, meta.bytes]).toEqual(['lost', '', 0])
  expect(await readFrames(network.db, site, [{ id, slug: 'lost' }])).toHaveLength(1)
})

const registryRow = () =>
  network.db.sql(site.tables.options).where({ option_name: 'svc_frames' }).first()

it.each([false, true])(
  'an assignment changes and restores the registry, so that a cluster detects a concurrent deletion on another node (clear: %s)',
  async (clear) => {
    const { db } = network
    const slug = `bound-${clear}`
    await fixture.frame(slug, 'x')
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
  for (const slug of ['one', 'two']) await fixture.frame(slug, 'x')
  const bind = (ref: string, clear: boolean) =>
    db.write({}, (tx) => bindPage(tx, site, { ref, pageId: 8, clear, bake: false }))
  const assigned = () => readPostMetaOf(db, site, 8, '_svc_frame')
  const { frame } = await bind('one', false)
  await bind('two', true)
  expect(await assigned()).toBe(frame.id)
  await bind('one', true)
  expect(await assigned()).toBeUndefined()
  const gone = new Map([[8, 'feedfeedfeedfeed']])
  await db.write({}, (tx) => setPostsMeta(tx, site, '_svc_frame', gone))
  await bind('two', true)
  expect(await assigned()).toBeUndefined()
})
