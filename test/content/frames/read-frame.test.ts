import { beforeEach, describe, expect, it } from 'vitest'
import { createFrame } from '../../../src/content/frames/create-frame.ts'
import { deleteFrame } from '../../../src/content/frames/delete-frame.ts'
import { recordOption } from '../../../src/content/frames/option-names.ts'
import { getFrame, readFrame, readFrames } from '../../../src/content/frames/read-frame.ts'
import type { FrameName } from '../../../src/content/frames/registry.ts'
import { createDb, type Db } from '../../../src/db/database.ts'
import { deleteOptions } from '../../../src/wordpress/options/write-options.ts'
import { useNetwork } from '../../support/network.ts'
import { beforeStatements } from '../../support/statements.ts'

const network = await useNetwork()
const site = await network.site(2)
beforeEach(() => network.db.cache.clear())

const create = async (slug: string): Promise<string> => {
  const write = { slug, html: `<p>${slug}</p>`, userId: 1, now: '2026-01-02 03:04:05', bake: false }
  return (await network.db.write({}, (tx) => createFrame(tx, site, write))).frame.id
}
const remove = (ref: string) =>
  network.db.write({}, (tx) => deleteFrame(tx, site, ref, { bake: false }))

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
