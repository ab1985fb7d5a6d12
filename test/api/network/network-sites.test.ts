import { describe, expect, it } from 'vitest'
import { FEED } from '../../../src/changes/feed/feed-state.ts'
import { useApi } from '../../support/api.ts'
import { addSites } from '../../support/many-sites.ts'
import { pagesOf } from '../../support/pages-of.ts'
import { countReads, statementsOf } from '../../support/statements.ts'
import { taskRow } from '../../support/tasks.ts'
import { buildElsewhere, endElsewhere, putWork } from '../../support/work-rows.ts'

const { network, api } = await useApi()

async function read(query = '') {
  const { status, body } = await (await api.as('admin')).get(`/network/sites?${query}`)
  expect({ query, status }).toEqual({ query, status: 200 })
  return body
}

type Site = { site_id: number; state: string; installed: boolean; version: number }
const NONE = { pages: 0, frames: 0, purges: 0 }
const NO_WORK = { pending: NONE, running: NONE, failing: NONE, oldest: null }

describe('GET /network/sites', () => {
  it('lists every site in any state', async () => {
    const stored: number[] = await network.db
      .sql(network.globals.blogs)
      .orderBy('blog_id')
      .pluck('blog_id')
    const { sites, total, feed } = await read()
    expect(sites.map(({ site_id }: Site) => site_id)).toEqual(stored)
    expect([total, feed]).toEqual([stored.length, null])
    const states = Object.fromEntries(sites.map(({ site_id, state }: Site) => [site_id, state]))
    expect(states).toMatchObject({ 1: 'live', 5: 'archived', 6: 'deleted', 7: 'spam' })
  })

  it('reports the frames, the version and the work of each site', async () => {
    const site = async () => (await read('search=net.test/shop')).sites[0]
    const before = await site()
    expect(before).toMatchObject({ site_id: 2, installed: true, work: NO_WORK })
    await (await api.as('alice')).post('/site/2/frames').send({ slug: 'seen', html: '<p></p>' })
    await (await api.as('alice')).post('/site/2/frames/seen/assign').send({ page: 7 })
    await buildElsewhere(network, 2)
    await putWork(network, 2, [
      { name: '7', due: -1 },
      { name: '8', since: -900, tries: 2, due: 200, error: 'The disk is full.' },
      { kind: 'menus' },
    ])
    const after = await site()
    expect(after).toMatchObject({
      frames: before.frames + 1,
      work: {
        pending: { pages: 2, frames: 1, purges: 0 },
        running: { pages: 1, frames: 0, purges: 0 },
        failing: { pages: 1, frames: 0, purges: 0 },
      },
    })
    expect(after.version).toBeGreaterThan(before.version)
    expect(after.work.oldest.age_s).toBeGreaterThanOrEqual(900)
    const { sites } = await read('limit=1&after=2')
    expect(sites).toMatchObject([{ site_id: 3, work: NO_WORK }])
    await putWork(network, 2, [])
    await endElsewhere(network, 2)
  })

  it('reports the feed', async () => {
    const row = () => taskRow(network, FEED)
    const due_at = network.db.sql.raw('NOW(6) - INTERVAL 1 MINUTE')
    await row().insert({ name: FEED, due_at, error: 'The binlog is gone.' })
    const { feed } = await read()
    expect(feed).toMatchObject({
      healthy: false,
      lag_ms: null,
      error: { message: 'The binlog is gone.' },
    })
    await row().delete()
  })

  it('gives all sites in pages, each with the number of all, and reads no rows of other pages', async () => {
    const { sites: all, total } = await read('limit=200')
    const pages = await pagesOf((after) => read(`limit=3&after=${after || 0}`))
    for (const page of pages) expect(page.total).toBe(total)
    expect(pages.flatMap(({ sites }) => sites)).toEqual(all)
    const statements = await statementsOf(network.db, () => read('limit=3&after=1'))
    const ofBlogs = statements.filter((text) => /select .*\bdomain\b.* from /i.test(text))
    expect(ofBlogs.length).toBeGreaterThan(0)
    for (const text of ofBlogs) expect(text).toContain('LIMIT')
  })

  it('takes as many reads for a hundred sites as for a few', async () => {
    const count = () => countReads(network.db, () => read('limit=200'))
    const few = await count()
    const added = await addSites(network, 100)
    try {
      expect(await count()).toBe(few)
    } finally {
      await added.remove()
    }
  })

  it('reports a site without tables', async () => {
    const row = { blog_id: 900, site_id: 1, domain: 'gone.test', path: '/' }
    const dates = { registered: '2026-01-01 00:00:00', last_updated: '2026-01-01 00:00:00' }
    const table = () => network.db.sql(network.globals.blogs)
    await table().insert({ ...row, ...dates })
    const { sites } = await read('search=gone.test')
    expect(sites).toMatchObject([{ site_id: 900, installed: false, frames: null, title: '' }])
    await table().where({ blog_id: 900 }).delete()
  })
})
