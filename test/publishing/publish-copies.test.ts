import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { StaticEffect } from '../../src/effects.ts'
import { readCopyRecords, storeCopyRecords } from '../../src/publishing/copies-table.ts'
import type { WantedCopy } from '../../src/publishing/copy-states.ts'
import { readCopy } from '../../src/publishing/static-copy.ts'
import { describeCopies, failedEffect } from '../../src/publishing/static-effects.ts'
import { StaticPathError } from '../../src/publishing/static-path.ts'
import {
  copyFiles,
  createPublishingFixture,
  HIDDEN,
  hidden,
  type PublishingFixture,
  SHOP,
  shown,
  sourceOf,
} from './publishing-fixture.ts'

let shop: PublishingFixture
let version = 0
beforeAll(async () => {
  shop = await createPublishingFixture()
})
afterEach(() => shop.clear())
afterAll(() => shop.stop())

const folder = (path: string) => shop.folder(path)
const nextVersion = () => ++version
/** Publishes one page; throws its error. */
async function publish(wanted: WantedCopy, at = nextVersion()): Promise<StaticEffect> {
  const { effects, errors } = await shop.publish(at, [wanted])
  const error = errors.get(wanted.page)
  if (error) throw error
  return effects.get(wanted.page) as StaticEffect
}
const htmlAt = async (path: string) =>
  (await readCopy(shop.staticDir, folder(path)))?.html.toString()
const recordOf = async (page: number) => (await shop.records()).get(page)

describe('publishing a page', () => {
  it('writes its copy, the compressed forms, and a record', async () => {
    expect(await publish(shown(7, 'about-us/', '<p>é</p>'))).toEqual({
      published: true,
      url: `${SHOP}about-us/`,
      bytes: 9,
      reason: null,
      message: 'The copy was written.',
      was_published: false,
      was_url: null,
      removed: false,
      changed: true,
    })
    const read = (name: string) => readFile(join(folder('about-us'), name))
    expect((await read('index.html')).toString()).toBe('<p>é</p>')
    expect(gunzipSync(await read('index.html.gz')).toString()).toBe('<p>é</p>')
    expect(brotliDecompressSync(await read('index.html.br')).toString()).toBe('<p>é</p>')
    expect(JSON.parse((await read('.page.json')).toString())).toEqual({
      site: 2,
      page: 7,
      url: `${SHOP}about-us/`,
    })
    expect(await shop.files()).toEqual(copyFiles('net.test/shop/about-us'))
    const sizes = await Promise.all(
      ['', '.gz', '.br'].map(async (end) => (await read(`index.html${end}`)).length),
    )
    const { mtimeMs } = await stat(join(folder('about-us'), 'index.html'))
    expect(await recordOf(7)).toEqual({
      page: 7,
      url: `${SHOP}about-us/`,
      version,
      source: sourceOf('<p>é</p>'),
      pageModified: '2026-01-02 03:04:05',
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      fileTime: Math.round(mtimeMs * 1000),
      htmlBytes: 9,
      bytes: sizes.reduce((sum, size) => sum + size),
    })
  })

  it('leaves an identical copy unchanged, and records of what it was built', async () => {
    await publish(shown(7, 'about-us/', 'a'))
    const before = await stat(join(folder('about-us'), 'index.html'))
    const again = {
      ...shown(7, 'about-us/', 'a'),
      pageModified: '2026-02-03 04:05:06',
      publication: { html: 'a', sourceFingerprint: 'other' },
    }
    expect(await publish(again)).toMatchObject({
      published: true,
      was_published: true,
      was_url: `${SHOP}about-us/`,
      message: 'The copy was up to date.',
      bytes: 1,
      changed: false,
      removed: false,
    })
    const after = await stat(join(folder('about-us'), 'index.html'))
    expect([after.ino, after.mtimeMs]).toEqual([before.ino, before.mtimeMs])
    expect(await recordOf(7)).toMatchObject({
      version,
      source: 'other',
      pageModified: '2026-02-03 04:05:06',
    })
  })

  it('replaces a different copy, and keeps its owner file', async () => {
    await publish(shown(7, 'about-us/', 'a'))
    const { ino } = await stat(join(folder('about-us'), '.page.json'))
    expect(await publish(shown(7, 'about-us/', 'b'))).toMatchObject({
      was_published: true,
      changed: true,
    })
    expect(await htmlAt('about-us')).toBe('b')
    expect((await stat(join(folder('about-us'), '.page.json'))).ino).toBe(ino)
  })

  it('replaces a copy that was changed or removed by others', async () => {
    await publish(shown(7, 'about-us/', 'a'))
    await writeFile(join(folder('about-us'), 'index.html'), 'x')
    expect(await publish(shown(7, 'about-us/', 'a'))).toMatchObject({
      was_published: true,
      changed: true,
    })
    await rm(folder('about-us'), { recursive: true })
    expect(await publish(shown(7, 'about-us/', 'a'))).toMatchObject({
      was_published: false,
      changed: true,
    })
    expect(await htmlAt('about-us')).toBe('a')
    expect((await readCopy(shop.staticDir, folder('about-us')))?.gzip).toBeDefined()
  })

  it('removes the copy at its former URL, but not that of another page which has this URL now', async () => {
    await publish(shown(7, 'about-us/', 'seven'))
    await publish(shown(10, 'about-us/team/', 'ten'))
    // The page and its child have new URLs, and a new page has the former slug.
    expect(await publish(shown(10, 'we/team/', 'ten'))).toMatchObject({
      published: true,
      url: `${SHOP}we/team/`,
      message: `The copy was written. The one at ${SHOP}about-us/team/ was removed.`,
      was_published: true,
      was_url: `${SHOP}about-us/team/`,
      removed: true,
      changed: true,
    })
    expect(existsSync(folder('about-us/team'))).toBe(false)
    await publish(shown(99, 'about-us/', 'new'))
    expect(await publish(shown(7, 'we/', 'seven'))).toMatchObject({
      was_published: false,
      removed: false,
    })
    expect(await htmlAt('about-us')).toBe('new')
    expect([...(await shop.records()).values()].map(({ page, url }) => [page, url])).toEqual([
      [7, `${SHOP}we/`],
      [10, `${SHOP}we/team/`],
      [99, `${SHOP}about-us/`],
    ])
  })

  it('exchanges the URLs of two pages in one claim', async () => {
    await shop.publish(nextVersion(), [shown(7, 'a/', 'seven'), shown(8, 'b/', 'eight')])
    await shop.publish(nextVersion(), [shown(7, 'b/', 'seven'), shown(8, 'a/', 'eight')])
    expect([await htmlAt('a'), await htmlAt('b')]).toEqual(['eight', 'seven'])
    expect((await readCopy(shop.staticDir, folder('a')))?.owner?.page).toBe(8)
  })

  it('gives the copy its exact URL if only the slash at the end changes', async () => {
    await publish(shown(7, 'about-us/', 'a'))
    expect(await publish(shown(7, 'about-us', 'a'))).toMatchObject({
      published: true,
      url: `${SHOP}about-us`,
      removed: false,
      changed: true,
    })
    expect((await readCopy(shop.staticDir, folder('about-us')))?.owner?.url).toBe(`${SHOP}about-us`)
  })

  it('removes the copy of a page that is not public, and empty folders', async () => {
    await shop.publish(nextVersion(), [
      shown(10, 'about-us/team/', 'ten'),
      shown(7, 'about-us/', '7'),
    ])
    expect(await publish(hidden(7, '?page_id=7'))).toEqual({
      published: false,
      url: null,
      bytes: 0,
      ...HIDDEN,
      was_published: true,
      was_url: `${SHOP}about-us/`,
      removed: true,
      changed: true,
    })
    expect(await readdir(folder('about-us'))).toEqual(['team'])
    await publish(hidden(10, 'about-us/team/'))
    expect((await readdir(shop.staticDir)).sort()).toEqual(['.published', '.work'])
    expect(await publish(hidden(10, 'about-us/team/'))).toMatchObject({
      was_published: false,
      changed: false,
    })
    expect(await shop.records()).toEqual(new Map())
  })

  it('writes nothing if the URL cannot be mapped to a file', async () => {
    await publish(shown(7, 'about-us/', 'a'))
    const long = `${'a'.repeat(256)}/`
    for (const path of ['?page_id=7', '../docs/', '%2e%2e/', '.page.json/', long]) {
      expect(await publish(shown(7, path, 'b'))).toMatchObject({
        published: false,
        reason: 'page_not_public',
        message: "The page's URL cannot be mapped to a file.",
      })
    }
    expect((await readdir(shop.staticDir)).sort()).toEqual(['.published', '.work'])
  })

  it('adopts a copy without an owner, which may come from a backup', async () => {
    await mkdir(folder('about-us'), { recursive: true })
    await writeFile(join(folder('about-us'), 'index.html'), 'a')
    expect(await publish(shown(7, 'about-us/', 'a'))).toMatchObject({
      was_published: true,
      changed: true,
    })
    expect((await readCopy(shop.staticDir, folder('about-us')))?.owner?.page).toBe(7)
  })

  it('takes a URL over from another page', async () => {
    await publish(shown(7, 'about-us/', 'seven'))
    expect(await publish(shown(8, 'about-us/', 'eight'))).toMatchObject({ was_published: false })
    expect((await readCopy(shop.staticDir, folder('about-us')))?.owner?.page).toBe(8)
    // Page 7 is hidden only afterwards, for example after a failure.
    expect(await publish(hidden(7, 'about-us/'))).toMatchObject({ removed: false })
    expect(await htmlAt('about-us')).toBe('eight')
  })

  it('keeps two sites apart that publish at the same time', async () => {
    const other = await shop.network.site(1)
    const pages = Array.from({ length: 60 }, (_, index) => index + 1)
    const mine = pages.map((page) => shown(page, `p${page}/`, `shop ${page}`))
    const others = pages.map((page) => ({
      ...shown(page, '', `main ${page}`),
      url: `http://net.test/p${page}/`,
    }))
    await Promise.all([shop.publish(3, mine), shop.publish(5, others, { site: other })])
    expect(await shop.files()).toHaveLength(2 * 60 * 4)
    expect([(await shop.records()).size, (await shop.records(other)).size]).toEqual([60, 60])
    expect(await readFile(join(shop.staticDir, 'net.test/p9/index.html'), 'utf8')).toBe('main 9')
    expect(await htmlAt('p9')).toBe('shop 9')
    // One removes all copies while the other writes into the same parent folders.
    await Promise.all([
      shop.publish(
        4,
        mine.map(({ page }) => hidden(page, `p${page}/`)),
      ),
      shop.publish(
        6,
        others.map((one) => ({ ...one, url: one.url.replace('/p', '/shop/sub/p') })),
        { site: other },
      ),
    ])
    expect(await shop.files()).toHaveLength(60 * 4)
  })
})

describe('a later build', () => {
  it('is not overwritten by an earlier one', async () => {
    const early = nextVersion()
    await publish(shown(7, 'about-us/', 'late'))
    expect(await publish(shown(7, 'about-us/', 'early'), early)).toMatchObject({
      published: true,
      url: `${SHOP}about-us/`,
      bytes: 4,
      changed: false,
      reason: 'later_build',
      message: expect.stringContaining('started later'),
    })
    expect(await publish(hidden(7, 'about-us/'), early)).toMatchObject({ reason: 'later_build' })
    expect(await publish(shown(7, 'about-us/', 'late'), early)).toMatchObject({
      published: true,
      reason: null,
      message: 'The copy was up to date.',
    })
    expect(await htmlAt('about-us')).toBe('late')
    expect((await recordOf(7))?.version).toBe(version)
  })

  it('keeps its record if an earlier one is completed afterwards', async () => {
    const early = nextVersion()
    const late = nextVersion()
    const { db } = shop.network
    await publish(shown(7, 'about-us/', 'late'), late)
    const record = await recordOf(7)
    const older = { page: 7, url: `${SHOP}x/`, version: early, bytes: 1 }
    await db.write({}, (tx) => storeCopyRecords(tx, shop.site, [older]))
    expect(await readCopyRecords(db, shop.site, [7])).toEqual(new Map([[7, record]]))
  })
})

describe('a failure', () => {
  it('on a symbolic link that leads out of the folder concerns one page', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'wp-frames-outside-'))
    await mkdir(folder(''), { recursive: true })
    await symlink(outside, folder('out'))
    await writeFile(join(outside, 'index.html'), 'outside')
    const { effects, errors } = await shop.publish(nextVersion(), [
      shown(7, 'out/', 'a'),
      shown(8, 'out/deeper/still/', 'a'),
      shown(9, 'in/', 'a'),
      hidden(10, 'out/'),
    ])
    expect([...errors.keys()]).toEqual([10, 7, 8])
    for (const error of errors.values()) expect(error).toBeInstanceOf(StaticPathError)
    expect([...effects.keys()]).toEqual([9])
    expect(await readdir(outside)).toEqual(['index.html'])
    await rm(outside, { recursive: true })
  })

  it('does not count an old copy as the new one', async () => {
    await publish(shown(7, 'about-us/', 'old'))
    // Blocks the HTML file of the copy.
    await rm(join(folder('about-us'), 'index.html'))
    await mkdir(join(folder('about-us'), 'index.html'))
    const { errors } = await shop.publish(nextVersion(), [
      shown(7, 'about-us/', 'new'),
      shown(8, 'other/', 'new'),
    ])
    expect([...errors]).toEqual([[7, expect.objectContaining({ code: 'EISDIR' })]])
    expect(await htmlAt('other')).toBe('new')
    const record = await recordOf(7)
    expect(record).toMatchObject({ url: `${SHOP}about-us/`, version })
    expect(record).not.toHaveProperty('digest')
    await rm(join(folder('about-us'), 'index.html'), { recursive: true })
    await publish(shown(7, 'about-us/', 'new'))
    expect((await recordOf(7))?.source).toBe('of new')
  })

  it('of the disk ends the claim: all further pages fail with it', async () => {
    const { claim, path } = await shop.openClaim()
    // Writes of the second page go to a device that is always full.
    await symlink('/dev/full', join(path, '2.index.html.gz'))
    const copies = Array.from({ length: 120 }, (_, index) => ({
      page: index + 1,
      location: folder(`p${index + 1}`),
      html: 'x',
      url: SHOP,
      version: 1,
      digest: '',
      owner: '{}',
      replacedBytes: 0,
    }))
    const written = await claim.write(copies)
    expect(written.get(1)).toMatchObject({ htmlBytes: 1 })
    for (const page of [2, 3, 50, 51, 120])
      expect(written.get(page)).toMatchObject({ code: 'ENOSPC' })
    expect(await htmlAt('p1')).toBe('x')
    expect(await htmlAt('p3')).toBeUndefined()
    await claim.end()
  })
})

describe('describeCopies', () => {
  it('describes copies without changing them', async () => {
    const { db } = shop.network
    const describe = async () =>
      (await describeCopies(db, shop.site, shop.copies, [7], 'Unchanged.')).get(7)
    expect(await describe()).toMatchObject({
      published: false,
      was_published: false,
      message: 'Unchanged.',
    })
    await publish(shown(7, 'about-us/', 'abc'))
    const described = {
      published: true,
      url: `${SHOP}about-us/`,
      bytes: 3,
      reason: null,
      message: 'Unchanged.',
      was_published: true,
      was_url: `${SHOP}about-us/`,
      removed: false,
      changed: false,
    }
    expect(await describe()).toEqual(described)
    expect(failedEffect(await describe(), 'Failed.')).toEqual({
      ...described,
      reason: 'failed',
      message: 'Failed.',
    })
    expect(failedEffect(undefined, 'Failed.')).toMatchObject({ published: false, reason: 'failed' })
    await writeFile(
      join(folder('about-us'), '.page.json'),
      JSON.stringify({ site: 2, page: 8, url: `${SHOP}about-us/` }),
    )
    expect(await describe()).toMatchObject({ published: false })
  })
})
