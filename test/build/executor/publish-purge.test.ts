import { rename } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { workOn } from '../../../src/content/work/work.ts'
import { eventually } from '../../support/eventually.ts'
import { useFront } from '../../support/front.ts'
import { startPageCache } from '../../support/page-cache.ts'
import { use } from '../../support/use.ts'
import { makeDue, pendingWork } from '../../support/work-rows.ts'

const SHOP = 'http://net.test/shop/'

const cache = await use(startPageCache())
const front = await useFront({ pageCachePurge: [cache.base] })
for (const blogId of [1, 2, 3]) {
  await front.frame(blogId, 'page', '<!-- svc/menu {"location":"header"} /-->')
}

/** The URLs purged since the last call, without duplicates and trailing slashes. */
const purged = () => [
  ...new Set(
    cache.purged
      .splice(0)
      .sort()
      .map((line) => line.replace(/\/$/, '')),
  ),
]
const shop = () => front.network.site(2)

describe('page caches', () => {
  it('purge the pages that are bound to a frame or unbound', async () => {
    for (const clear of [false, true]) {
      const { republish } = await front.assign(2, 'page', [7, 8], { clear })
      const urls = [`${SHOP}about-us/`, `${SHOP}fr/a-propos/`]
      expect(republish).toEqual({
        status: 'ok',
        cache: {
          status: 'ok',
          scope: 'pages',
          pages: [7, 8],
          flushed: { urls: { status: 'ok', by: 'PURGE', urls, skipped: [] } },
        },
      })
      expect(purged()).toEqual(['PURGE net.test/shop/about-us', 'PURGE net.test/shop/fr/a-propos'])
    }
  })

  it('purge the pages of rebaked frames', async () => {
    await front.assign(2, 'page', [7, 8])
    purged()
    const change = { bake: true, work: workOn('menus') }
    const { rebaked } = await front.executor.apply(await shop(), change)
    expect(rebaked.cache).toMatchObject({
      status: 'ok',
      scope: 'pages',
      pages: [7, 8],
      flushed: { urls: { urls: [`${SHOP}about-us/`, `${SHOP}fr/a-propos/`] } },
    })
    expect(purged()).toHaveLength(2)
  })

  it('purge the former and the current URL of a page', async () => {
    const { posts } = (await shop()).tables
    const { sql } = front.network.db
    await sql(posts).where({ ID: 7 }).update({ post_name: 'we' })
    await front.assign(2, 'page', [7])
    expect(purged()).toEqual(['PURGE net.test/shop/about-us', 'PURGE net.test/shop/we'])
    await sql(posts).where({ ID: 7 }).update({ post_status: 'draft' })
    await front.assign(2, 'page', [7])
    expect(purged()).toEqual(['PURGE net.test/shop/we'])
    await sql(posts).where({ ID: 7 }).update({ post_status: 'publish', post_name: 'about-us' })
  })

  it('purge pages with plain permalinks', async () => {
    const [page] = (await front.assign(3, 'page', [2])).republish.cache.pages
    expect([page, purged()]).toEqual([2, ['PURGE net.test/docs/?page_id=2']])
  })

  it('get no PURGE for pages that no visitor could have seen, nor for other sites', async () => {
    await front.assign(2, 'page', [19])
    const { posts } = (await front.network.site(1)).tables
    await front.network.db.sql(posts).where({ ID: 2 }).update({ post_name: 'shop' })
    const { republish } = await front.assign(1, 'page', [2])
    expect(republish.cache).toMatchObject({ status: 'skipped', pages: [] })
    expect(purged()).toEqual([])
  })

  it('get no PURGE if nothing is to be built', async () => {
    const { rebaked, republish } = await front.assign(2, 'page', [7], { bake: false })
    expect([rebaked.cache.status, republish.cache.status]).toEqual(['skipped', 'skipped'])
    expect(purged()).toEqual([])
  })

  it('get PURGE without static copies too', async () => {
    const off = await useFront({ staticDir: undefined, pageCachePurge: [cache.base] })
    await off.frame(2, 'page', 'x')
    const { republish } = await off.assign(2, 'page', [7])
    expect(republish.cache).toMatchObject({ status: 'ok', pages: [7] })
    expect(purged()).toEqual(['PURGE net.test/shop/about-us'])
  })

  it('are not purged again and again while the folder of the static copies is missing', async () => {
    await front.assign(2, 'page', [8])
    purged()
    await rename(front.staticDir, `${front.staticDir}-away`)
    const { republish } = await front.assign(2, 'page', [8])
    expect(republish.status).toBe('failed')
    expect(purged()).toEqual(['PURGE net.test/shop/fr/a-propos'])
    await makeDue(front.network)
    front.executor.wake(2)
    await eventually(async () => {
      const [row] = await pendingWork(front.network)
      expect(row?.due_in).toBeGreaterThan(-60)
    })
    expect(purged()).toEqual([])
    await rename(`${front.staticDir}-away`, front.staticDir)
    await makeDue(front.network)
    await front.executor.finish(2)
  })

  it('that fail are reported and undo nothing', async () => {
    await cache.stop()
    const { republish, statics } = await front.assign(2, 'page', [13])
    expect(statics.get(13)).toMatchObject({ published: true })
    expect(republish).toMatchObject({
      status: 'ok',
      cache: {
        status: 'failed',
        pages: [13],
        flushed: { urls: { status: 'failed', by: 'PURGE', urls: [], skipped: [`${SHOP}legal/`] } },
      },
    })
  })

  it('are skipped if none is configured', async () => {
    const none = await useFront()
    await none.frame(2, 'page', 'x')
    const { republish } = await none.assign(2, 'page', [7])
    expect(republish.cache).toEqual({
      status: 'skipped',
      scope: 'pages',
      pages: [7],
      flushed: {
        urls: { status: 'skipped', by: 'none', urls: [], skipped: [`${SHOP}about-us/`] },
      },
    })
  })
})
