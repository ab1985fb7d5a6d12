import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { TouchedContent } from '../../../src/content/markup/inserts/insert-definition.ts'
import { recordChange } from '../../../src/content/work/record-work.ts'
import { workOn } from '../../../src/content/work/work.ts'
import { type TestFront, useFront } from '../../support/front.ts'

const SHOP = 'http://net.test/shop/'

const front = await useFront()
for (const blogId of [1, 2, 3, 4, 5])
  await front.frame(blogId, 'page', '<h1 data-op-bind="page.title"></h1>')

const copyAt = (path: string) =>
  front.copyAt(
    decodeURIComponent(
      path.startsWith('http') ? path.slice('http://'.length) : `net.test/shop/${path}`,
    ),
  )
const assign = (...args: Parameters<TestFront['assign']>) => front.assign(...args)
const staticOf = async (blogId: number, page: number, more = {}) =>
  (await assign(blogId, 'page', [page], more)).statics.get(page)

/** Edits a post as wp-admin does, without a change for the service. */
async function edit(blogId: number, id: number, columns: Record<string, unknown>): Promise<void> {
  const site = await front.network.site(blogId)
  await front.network.db.sql(site.tables.posts).where({ ID: id }).update(columns)
}
const touch = async (blogId: number, kind: TouchedContent) =>
  front.executor.apply(await front.network.site(blogId), {
    bake: true,
    work: workOn(kind),
  })

describe('a page that is bound to a frame', () => {
  it.each([
    [1, 2, 'http://net.test/sample-page/'],
    [2, 3, SHOP],
    [2, 4, `${SHOP}fr/accueil/`],
    [2, 5, `${SHOP}de/startseite/`],
    [2, 6, `${SHOP}ar/%d8%a7%d9%84%d8%b1%d8%a6%d9%8a%d8%b3%d9%8a%d8%a9/`],
    [2, 10, `${SHOP}about-us/team/`],
    [4, 2, 'http://brand.test/sample-page/'],
  ])('of site %i, page %i, gets a copy at %s', async (blogId, page, url) => {
    expect(await staticOf(blogId, page)).toEqual({
      published: true,
      url,
      bytes: Buffer.byteLength(copyAt(url) ?? ''),
      reason: null,
      message: 'The copy was written.',
      was_published: false,
      was_url: null,
      removed: false,
      changed: true,
    })
    expect(copyAt(url)).toMatch(/^<h1>.+<\/h1>$/)
  })

  it('is left unchanged without a build', async () => {
    const unbuilt = await assign(2, 'page', [13], { bake: false })
    expect(unbuilt.republish).toMatchObject({ status: 'skipped' })
    expect(unbuilt.statics.get(13)).toMatchObject({
      published: false,
      reason: null,
      message: 'Nothing was built because the request asked for no build.',
    })
    expect(copyAt('legal/')).toBeUndefined()
    await assign(2, 'page', [13])
    expect(await staticOf(2, 13, { bake: false })).toMatchObject({
      published: true,
      url: `${SHOP}legal/`,
      changed: false,
    })
  })
})

describe('a page has no copy', () => {
  const none = { published: false, url: null, bytes: 0, was_published: false, changed: false }

  it.each([
    ['a draft', 19],
    ['private', 20],
    ['planned', 21],
    ['behind a password', 22],
  ])('page_not_public: %s', async (_what, page) => {
    expect(await staticOf(2, page)).toMatchObject({ ...none, reason: 'page_not_public' })
  })

  it('frame_missing: on a deleted frame', async () => {
    const site = await front.network.site(2)
    await assign(2, 'page', [14])
    const { sql } = front.network.db
    const where = { post_id: 14, meta_key: '_svc_frame' }
    await sql(site.tables.postmeta).where(where).update({ meta_value: 'abcdef0123456789' })
    const change = { bake: true, work: workOn('page', [14]) }
    expect((await front.executor.apply(site, change)).statics.get(14)).toMatchObject({
      published: false,
      reason: 'frame_missing',
      was_url: `${SHOP}fr/mentions-legales/`,
      removed: true,
    })
  })

  it('plain_permalinks', async () => {
    expect(await staticOf(3, 2)).toMatchObject({ ...none, reason: 'plain_permalinks' })
  })

  it('page_not_public: on a closed site', async () => {
    expect(await staticOf(5, 2)).toMatchObject({ ...none, reason: 'page_not_public' })
    expect(existsSync(join(front.staticDir, 'net.test/archived'))).toBe(false)
  })

  it('disabled: without a folder for copies', async () => {
    const off = await useFront({ staticDir: undefined })
    await off.frame(2, 'page', 'x')
    const { statics } = await off.assign(2, 'page', [7, 19])
    expect(statics.get(7)).toMatchObject({ ...none, reason: 'disabled' })
  })

  it('page_not_public: if its URL leads to another site of the network', async () => {
    const shop = copyAt(SHOP)
    await edit(1, 2, { post_name: 'shop' })
    expect(await staticOf(1, 2)).toMatchObject({
      published: false,
      reason: 'page_not_public',
      was_url: 'http://net.test/sample-page/',
      removed: true,
    })
    expect(copyAt(SHOP)).toBe(shop)
    expect(shop).toBe('<h1>Home</h1>')
    await edit(1, 2, { post_name: 'sample-page' })
  })
})

describe('a page that was edited in WordPress', () => {
  it('has its copy moved with its site', async () => {
    await assign(2, 'page', [17])
    const before = copyAt('products/overview/')
    expect(before).toEqual(expect.any(String))
    const site = await front.network.site(2)
    const { sql } = front.network.db
    const home = (option_value: string) =>
      sql(site.tables.options).where({ option_name: 'home' }).update({ option_value })
    await home('http://shop.test')
    await touch(2, 'settings')
    expect(copyAt('http://shop.test/products/overview/')).toBe(before)
    expect(existsSync(join(front.staticDir, 'net.test/shop'))).toBe(false)
    await home('http://net.test/shop')
    await touch(2, 'settings')
    expect(existsSync(join(front.staticDir, 'shop.test'))).toBe(false)
    expect(copyAt('products/overview/')).toBe(before)
  })
})

it('a page that fails is a failure of the write that touched it, not of others in the same claim', async () => {
  const site = await front.network.site(2)
  const [about, contact] = [7, 8]
  await assign(2, 'page', [about, contact])
  // A folder cannot be replaced by a file.
  const obstructed = join(front.staticDir, 'net.test/shop/fr/a-propos/index.html')
  rmSync(obstructed)
  mkdirSync(join(obstructed, 'inside'), { recursive: true })
  const changes = []
  for (const page of [about, contact])
    changes.push(
      await front.network.db.write({ site }, (tx) =>
        recordChange(tx, site, { bake: true, work: workOn('page', [page]) }),
      ),
    )
  const effects = await Promise.all(changes.map((change) => front.executor.apply(site, change)))
  expect(effects.map(({ republish }) => republish.status)).toEqual(['ok', 'failed'])
  expect(effects[0]?.statics.get(about)).toMatchObject({ published: true, reason: null })
  rmSync(obstructed, { recursive: true })
})
