import { expect, it } from 'vitest'
import { recordEdits } from '../../src/changes/record-edits.ts'
import { useFront } from '../support/front.ts'
import { makeDue, pendingWork } from '../support/work-rows.ts'

const SHOP = 'http://net.test/shop/'

/**
 * Columns have the character set latin1 and contain UTF-8, and a page is edited in wp-admin.
 * Right: no page says `Ãœber`. The one that was true stays, and one that is no longer public disappears all the same.
 */
it('pages of tables with UTF-8 in latin1 columns stay as they were, and private ones go', async () => {
  const front = await useFront({ timings: { db: { tablesKnownMs: 0 } } })
  const { network, executor } = front
  const { db, globals } = network
  const { posts } = (await network.site(2)).tables
  await front.frame(2, 'page', '<h1><!-- svc/data {"source":"page.title"} /--></h1>')
  await front.assign(2, 'page', [7, 8])
  const edited = async () => {
    const recorded = await recordEdits({ db, globals }, 2)
    if (recorded) await executor.apply(recorded.site, recorded.change)
  }
  await edited()
  const before = (await front.ask(`${SHOP}about-us/`)).body
  expect(before).toContain('<h1>')
  await db.sql(posts).where({ ID: 7 }).update({ post_title: 'Über' })
  await db.sql(posts).where({ ID: 8 }).update({ post_status: 'private' })
  for (const type of ['blob NOT NULL', 'text CHARACTER SET latin1 NOT NULL'])
    await db.sql.raw(`ALTER TABLE ?? MODIFY post_title ${type}`, [posts])
  await edited()
  expect((await front.ask(`${SHOP}about-us/`)).body).toBe(before)
  expect((await front.ask(`${SHOP}fr/a-propos/`)).status).toBe(404)
  const errors = (await pendingWork(front.network, 2)).map(({ error }) => error)
  expect(errors.join()).toContain(`"${posts}" contains UTF-8`)
  for (const type of ['blob NOT NULL', 'text CHARACTER SET utf8mb4 NOT NULL'])
    await db.sql.raw(`ALTER TABLE ?? MODIFY post_title ${type}`, [posts])
  await makeDue(front.network)
  await executor.finish(2)
  expect((await front.ask(`${SHOP}about-us/`)).body).toContain('<h1>Über</h1>')
})
