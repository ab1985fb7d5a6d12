import { describe, expect, it } from 'vitest'
import { useFramesApi } from '../../support/frames-api.ts'
import { pagesOf } from '../../support/pages-of.ts'
import { countReads } from '../../support/statements.ts'
import { putWork } from '../../support/work-rows.ts'

const frames = await useFramesApi()
await frames.send('post', '/frames', {
  slug: 'article',
  html: '<h1 data-op-bind="page.title"></h1>',
})
await frames.send('post', '/frames/article/assign', { page: 7 })
await frames.send('post', '/frames/article/assign', { page: 10 })
const all: { id: number; title: string; status: string; lang: string | null }[] = (
  await read('limit=200')
).pages

async function read(query = '') {
  const { status, body } = await frames.send('get', `/pages?${query}`)
  expect({ query, status }).toEqual({ query, status: 200 })
  return body
}

const idsOf = ({ pages }: { pages: { id: number }[] }) => pages.map(({ id }) => id)

describe('GET /pages', () => {
  it('lists every page once, in pages', async () => {
    const { posts } = (await frames.network.site(2)).tables
    const stored: number[] = await frames.network.db
      .sql(posts)
      .where({ post_type: 'page' })
      .whereNotIn('post_status', ['trash', 'auto-draft'])
      .orderBy('ID')
      .pluck('ID')
    const pages = await pagesOf((after) => read(`limit=3&after=${after || 0}`))
    for (const page of pages) expect(page.total).toBe(stored.length)
    expect(pages.flatMap(idsOf)).toEqual(stored)
    expect(all.map(({ id }) => id)).toEqual(stored)
  })

  it('describes a page as the data source does', async () => {
    const [page] = (await read('search=7')).pages.filter(({ id }: { id: number }) => id === 7)
    const { body } = await frames.send('get', '/data/pages')
    const row = body.items.find(({ id }: { id: number }) => id === 7)
    expect(page).toMatchObject({
      id: 7,
      title: row.title,
      url: row.url,
      status: 'publish',
      protected: false,
      frame: { slug: 'article' },
      static: { state: 'written', url: row.url, error: null },
    })
    expect(page.translations[page.lang]).toBe(7)
  })

  it('says who edited a page last in WordPress, with the names that the caller may see', async () => {
    const { db, site } = frames.network
    const { posts, postmeta } = (await site(2)).tables
    const stored = await db.sql(posts).where({ ID: 7 }).first('post_modified_gmt')
    const meta = { post_id: 7, meta_key: '_edit_last' }
    const edited = async (value: string) => {
      await db.sql(postmeta).where(meta).delete()
      await db.sql(postmeta).insert({ ...meta, meta_value: value })
      const { pages, names } = await read('search=7')
      const { edited_by, edited_at_gmt } = pages.find(({ id }: { id: number }) => id === 7)
      return { edited_by, edited_at_gmt, names }
    }
    expect(await edited('2')).toEqual({
      edited_by: 2,
      edited_at_gmt: stored?.post_modified_gmt,
      names: { users: { 2: expect.any(String) } },
    })
    for (const nobody of ['1e309', '0', 'x'])
      expect(await edited(nobody)).toMatchObject({ edited_by: null, names: { users: {} } })
    await db.sql(postmeta).where(meta).delete()
  })

  it('searches titles, slugs and ids, and takes the text literally', async () => {
    const { posts } = (await frames.network.site(2)).tables
    const row = () => frames.network.db.sql(posts).where({ ID: 10 })
    const [{ post_title: title }] = await row().select('post_title')
    await row().update({ post_title: 'Tom &amp; Jerry 100%_' })
    expect(idsOf(await read('search=tom%20%26%20je'))).toEqual([10])
    expect(idsOf(await read('search=100%25_'))).toEqual([10])
    expect(idsOf(await read('search=1%25%25%25'))).toEqual([])
    expect(idsOf(await read('search=%27%20OR%201%3D1%20--%20'))).toEqual([])
    await row().update({ post_title: title })
    const [{ post_name: slug }] = await row().select('post_name')
    await row().update({ post_name: '%d0%be-%d0%ba%d0%be%d0%bc%d0%b0%d0%bd%d0%b4%d0%b5' })
    expect(idsOf(await read(`search=${encodeURIComponent('Команд')}`))).toEqual([10])
    expect(idsOf(await read('search=%25D0%25BA%25D0%25BE%25D0%25BC'))).toEqual([10])
    await row().update({ post_name: slug })
    expect(idsOf(await read('search=10'))).toContain(10)
  })

  it('filters by frame and language', async () => {
    expect(idsOf(await read('frame=article'))).toEqual([7, 10])
    const french = await read('lang=fr&limit=200')
    expect(idsOf(french)).toEqual(all.filter(({ lang }) => lang === 'fr').map(({ id }) => id))
    expect(french.total).toBeGreaterThan(0)
    expect(idsOf(await read('frame=article&lang=fr'))).toEqual([])
  })

  it('filters by the frame that counts if a page has several', async () => {
    const { postmeta } = (await frames.network.site(2)).tables
    const key = { post_id: 7, meta_key: '_svc_frame' }
    const rows = () => frames.network.db.sql(postmeta).where(key)
    const [{ meta_id, meta_value }] = await rows().select('meta_id', 'meta_value')
    await frames.network.db.sql(postmeta).insert({ ...key, meta_value })
    await rows().where({ meta_id }).update({ meta_value: 'other' })
    expect(await read('frame=article')).toMatchObject({ total: 1, pages: [{ id: 10 }] })
    const { pages } = await read('search=7')
    expect(pages.find(({ id }: { id: number }) => id === 7).frame.id).toBe('other')
    await rows().where({ meta_id }).update({ meta_value })
    await rows().whereNot({ meta_id }).delete()
    expect(idsOf(await read('frame=article'))).toEqual([7, 10])
  })

  it('finds pages without a frame', async () => {
    const without = await read('without_frame=1&limit=200')
    expect(idsOf(without)).toEqual(idsOf({ pages: all }).filter((id) => id !== 7 && id !== 10))
    expect(without.total).toBe(without.pages.length)
    const { body } = await frames.send('get', '/pages?without_frame=1&frame=article')
    expect(body.code).toBe('rest_invalid_param')
  })

  it('finds a page with the pages below it', async () => {
    const below = await read('below=about-us&limit=200')
    expect(below.pages.map(({ path }: { path: string }) => path)).toContain('about-us/team')
    expect(below.pages.length).toBeLessThan(all.length)
    for (const { path } of below.pages) expect(path).toMatch(/^about-us(?:\/|$)/)
  })

  it('says what becomes of the static copies', async () => {
    const states = async () =>
      Object.fromEntries(
        (await read('limit=200')).pages.map(
          ({ id, static: { state, error } }: { id: number; static: Record<string, string> }) => [
            id,
            error === null ? state : `${state}: ${error}`,
          ],
        ),
      )
    const other = all.find(({ id }) => id !== 7 && id !== 10)?.id ?? 0
    expect(await states()).toMatchObject({ 7: 'written', 10: 'written', [other]: 'none' })
    await putWork(frames.network, 2, [
      { name: '7', tries: 2, due: 200, error: 'The disk is full.' },
      { kind: 'menus', due: 200 },
    ])
    expect(await states()).toMatchObject({
      7: 'failing: The disk is full.',
      10: 'pending',
      [other]: 'none',
    })
    await putWork(frames.network, 2, [])
  })

  it('says that the frame of a page is missing', async () => {
    const { postmeta } = (await frames.network.site(2)).tables
    const row = () => frames.network.db.sql(postmeta).where({ post_id: 10, meta_key: '_svc_frame' })
    const [{ meta_value: id }] = await row().select('meta_value')
    await row().update({ meta_value: 'article' })
    const { pages } = await read('search=10')
    expect(pages.find((page: { id: number }) => page.id === 10).frame).toEqual({
      id: 'article',
      slug: null,
    })
    await row().update({ meta_value: id })
  })

  it('takes as many reads for many pages as for one', async () => {
    const count = (limit: number) => countReads(frames.network.db, () => read(`limit=${limit}`))
    expect(Math.abs((await count(200)) - (await count(1)))).toBeLessThanOrEqual(1)
  })
})
