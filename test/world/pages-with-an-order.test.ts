import { describe, expect, it } from 'vitest'
import { findPostEdits } from '../../src/changes/seen-posts.ts'
import { useMenusApi } from '../support/menus-api.ts'
import { createSiteFixture } from '../support/site-fixture.ts'

/**
 * Editors set the page attribute "Order", or drag pages with Simple Page Ordering.
 * Right: WordPress 7.1, `wp_list_pages()`: `sort_column` is `menu_order, post_title`, and the collation of the column compares the titles.
 */
describe('pages with an order', async () => {
  const menus = await useMenusApi()
  const { db } = menus.network
  const site = await menus.network.site(3)
  const { posts } = site.tables
  const admin = await menus.api.as('admin')
  const docs = createSiteFixture(db, site)
  const page = async (title: string, menu_order: number, parent = 0) => {
    const slug = `p-${title.codePointAt(0)}-${menu_order}-${parent}`
    const id = await docs.page({ slug, title, parent })
    await db.sql(posts).where({ ID: id }).update({ menu_order })
    return id
  }
  const parent = await page('Parent', 50)
  for (const at of [parent, 0]) {
    await page('zebra', 51, at)
    await page('Über uns', 51, at)
    await page('Unter', 51, at)
    await page('apple', 52, at)
    await page('Äpfel', 52, at)
    await page('Last', 49, at)
    await page('First', -1, at)
  }
  const ORDERED = ['First', 'Last', 'Über uns', 'Unter', 'zebra', 'Äpfel', 'apple']
  const print = async (source: string): Promise<string[]> => {
    const html = `<!-- svc/repeat {"source":"${source}"} --><p data-op-bind="item.title">x</p><!-- /svc/repeat -->`
    const { body } = await admin
      .post('/site/3/preview')
      .send({ page: parent, assign: 'list', frames: [{ slug: 'list', html }] })
    return [...String(body.html).matchAll(/<p>([^<]*)<\/p>/g)].map(([, title = '']) => title)
  }
  await admin.post('/site/3/frames').send({ slug: 'list', html: 'x' })

  it('children are in its order', async () => {
    expect(await print('page.children')).toEqual(ORDERED)
  })

  it('so are the pages of the site, in frames and in the API', async () => {
    const { body } = await admin.get('/site/3/data/pages')
    const titles: string[] = body.items.map(({ title }: { title: string }) => title)
    expect(titles.slice(0, 2)).toEqual(['First', 'First'])
    expect(titles.filter((title) => ORDERED.includes(title))).toEqual(
      ORDERED.flatMap((title) => [title, title]),
    )
    expect(await print('pages')).toEqual(titles)
  })

  it('a changed order is an edit', async () => {
    const ids = new Set([parent])
    const listing = async () => (await findPostEdits(db, site, ids))[0]?.after?.listing
    const before = await listing()
    await db.sql(posts).where({ ID: parent }).update({ menu_order: 60 })
    expect(await listing()).not.toBe(before)
  })
})
