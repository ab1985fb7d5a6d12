import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { MARKER } from '../../../src/build/publishing/network-marker.ts'
import { bakedOption } from '../../../src/content/frames/option-names.ts'
import { readRegistry } from '../../../src/content/frames/registry.ts'
import { workOn } from '../../../src/content/work/work.ts'
import { pagesTable } from '../../../src/content/work/work-tables.ts'
import { useFront } from '../../support/front.ts'
import { statementsOf } from '../../support/statements.ts'
import { LOOKS_AFTER_SLICES } from '../../support/timings.ts'

const SLUGS = Array.from({ length: 6 }, (_, index) => `frame-${index + 1}`)

/** The page on each frame. */
const pages = new Map<string, number>()

const front = await useFront({ timings: LOOKS_AFTER_SLICES })
const shop = await front.network.site(2)
const posts = front.network.db.sql(shop.tables.posts)
const { ID: _, ...model } = await posts.clone().where({ ID: 15 }).first()
for (const slug of SLUGS) {
  const [id = 0] = await posts.clone().insert({ ...model, post_name: slug, post_parent: 0 })
  pages.set(slug, id)
  await front.frame(2, slug, `<p>${slug}</p>`)
  await front.assign(2, slug, [id])
}

const copyOf = (slug: string) => join(front.staticDir, 'net.test/shop', slug, 'index.html')
const published = () => SLUGS.filter((slug) => existsSync(copyOf(slug)))
const recordOf = (slug: string) =>
  front.network.db
    .sql(pagesTable(front.network.globals))
    .where({ blog_id: 2, page_id: pages.get(slug) })
const idOf = async (slug: string) => (await readRegistry(front.network.db, shop)).get(slug).id
const edit = (slug: string, columns: Record<string, string>) =>
  front.network.db
    .sql(shop.tables.posts)
    .where({ ID: pages.get(slug) })
    .update(columns)

/** Slugs of the frames that a call processes and skips. */
async function rebake(limit: number): Promise<[taken: string[], skipped: readonly string[]]> {
  const { rebaked } = await front.executor.rebake(shop, { work: workOn('all'), limit })
  return [rebaked.frames.map(({ slug }) => slug), rebaked.skipped ?? []]
}

describe('a call with a limit, if all frames are baked', () => {
  // A call of a test before must not be continued.
  beforeEach(() => rebake(SLUGS.length))

  it('continues with the frames whose pages are not published, until all are', async () => {
    expect(published()).toEqual(SLUGS)
    for (const name of await readdir(front.staticDir))
      if (name !== MARKER) await rm(join(front.staticDir, name), { recursive: true })
    for (const slug of SLUGS) await recordOf(slug).delete()
    expect(await rebake(4)).toEqual([SLUGS.slice(0, 4), SLUGS.slice(4)])
    expect(published()).toEqual(SLUGS.slice(0, 4))
    await rebake(4)
    expect(published()).toEqual(SLUGS)
  })

  it.each<[string, (slug: string) => Promise<unknown>]>([
    ['that is being written', (slug) => recordOf(slug).update({ digest: null })],
    ['without a record', (slug) => recordOf(slug).delete()],
    ['of former markup of the frame', (slug) => recordOf(slug).update({ source: 'another' })],
    [
      'at a former URL of the page',
      (slug) => recordOf(slug).update({ url: 'http://net.test/old/' }),
    ],
    [
      'of a page that was edited in WordPress',
      (slug) => recordOf(slug).update({ page_modified: '2020-01-01 00:00:00' }),
    ],
  ])('takes first a frame whose page has a copy %s', async (_, plant) => {
    await plant('frame-5')
    expect((await rebake(2))[0]).toEqual(['frame-1', 'frame-5'])
    expect((await rebake(2))[0]).toEqual(['frame-2', 'frame-3'])
    expect(published()).toEqual(SLUGS)
  })

  it('takes frames with a stale baked copy first', async () => {
    await Promise.all(['frame-2', 'frame-3'].map((slug) => recordOf(slug).delete()))
    for (const slug of ['frame-5', 'frame-6'])
      await front.network.db
        .sql(shop.tables.options)
        .where({ option_name: bakedOption(await idOf(slug)) })
        .delete()
    expect((await rebake(3))[0]).toEqual(['frame-2', 'frame-5', 'frame-6'])
    expect((await rebake(3))[0]).toEqual(['frame-1', 'frame-3', 'frame-4'])
    expect(published()).toEqual(SLUGS)
  })

  it('reads the records of the copies, and no file', async () => {
    const { copies } = front.executor
    if (copies === undefined) throw new Error('no folder')
    const find = vi.spyOn(copies, 'check').mockRejectedValue(new Error('a file was read'))
    onTestFinished(() => find.mockRestore())
    await recordOf('frame-4').update({ source: 'another' })
    await recordOf('frame-6').delete()
    expect((await rebake(2))[0]).toEqual(['frame-4', 'frame-6'])
  })

  it('asks for the addresses of many pages at once', async () => {
    const sent: number[] = []
    for (const draft of [['frame-2'], SLUGS.slice(1)]) {
      const counts: number[] = []
      // How often the request looks depends on the time.
      for (let run = 0; run < 3; run += 1) {
        for (const slug of draft) await recordOf(slug).update({ source: 'another' })
        for (const slug of draft) await edit(slug, { post_name: 'about-us' })
        counts.push((await statementsOf(front.network.db, () => rebake(5))).length)
        for (const slug of draft) await edit(slug, { post_name: slug })
        await rebake(6)
      }
      sent.push(Math.min(...counts))
    }
    const [one = 0, five = 0] = sent
    expect(Math.abs(five - one)).toBeLessThanOrEqual(3)
  })

  it.each([
    ['a draft', { post_status: 'draft' }],
    ['behind a password', { post_password: 'secret' }],
    ['a page whose URL leads to another page', { post_name: 'about-us' }],
    ['a page whose URL cannot be mapped to a file', { post_name: 'index.html' }],
  ])('waits for no copy of a page that can have none: %s', async (_, columns) => {
    await edit('frame-4', columns)
    await rebake(6)
    expect((await rebake(2))[0]).toEqual(['frame-1', 'frame-2'])
    await edit('frame-4', { post_status: 'publish', post_password: '', post_name: 'frame-4' })
    expect((await rebake(2))[0]).toEqual(['frame-3', 'frame-4'])
  })
})
