import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { findOrphanedCopies } from '../../../src/build/publishing/check-copies.ts'
import { assertNoFailure } from '../../../src/build/publishing/copy-failure.ts'
import type { OwnedCopy } from '../../../src/build/publishing/copy-store.ts'
import type { CopyOutcome, WantedCopy } from '../../../src/build/publishing/publish-copies.ts'
import { ROUND_BEGIN, SCRUB } from '../../../src/build/publishing/scrub-position.ts'
import { tasksTable } from '../../../src/db/tasks/tasks-table.ts'
import { useFolder } from '../../support/use.ts'
import { hidden, SHOP, shown, sourceOf, usePublishingFixture } from './publishing-fixture.ts'
import { filesOfCopy } from './test-target.ts'

const shop = await usePublishingFixture(true)
afterEach(() => shop.clear())

let version = 0
const folder = (path: string) => shop.folder(path)
const nextVersion = () => ++version
/** Publishes one page; throws its error. */
async function publish(wanted: WantedCopy): Promise<CopyOutcome> {
  const { outcomes, errors } = await shop.publish(nextVersion(), [wanted])
  assertNoFailure(errors)
  return outcomes.get(wanted.page) as CopyOutcome
}
const htmlAt = async (path: string) => (await shop.read(folder(path)))?.html
const recordOf = async (page: number) => (await shop.records()).get(page)

describe('publishing a page into a folder', () => {
  it('writes its copy, the compressed forms, and a record', async () => {
    expect(await publish(shown(7, 'about-us/', '<p>é</p>'))).toEqual({
      state: 'written',
      formerUrl: undefined,
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
    expect(await shop.files()).toEqual(filesOfCopy('net.test/shop/about-us'))
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

  it('keeps the owner file of a copy that is replaced', async () => {
    await publish(shown(7, 'about-us/', 'a'))
    const { ino } = await stat(join(folder('about-us'), '.page.json'))
    await publish(shown(7, 'about-us/', 'b'))
    expect((await stat(join(folder('about-us'), '.page.json'))).ino).toBe(ino)
  })

  it('removes empty folders with a copy', async () => {
    await publish(shown(10, 'about-us/team/', 'ten'))
    await publish(hidden(10, 'about-us/team/'))
    expect((await readdir(shop.staticDir)).sort()).toEqual(['.published', '.work'])
  })
})

it('a publication into a folder that has lost its numbers lets the scrub begin again: its own number would hide the loss', async () => {
  const { db, globals } = shop.network
  const scrub = () => db.sql(tasksTable(globals)).where({ name: SCRUB })
  await publish(shown(7, 'about-us/', 'a'))
  const state = JSON.stringify(ROUND_BEGIN)
  await scrub().update({ state })
  await publish(shown(7, 'about-us/', 'b'))
  expect(await scrub().pluck('state')).toEqual([state])
  for (const name of await readdir(shop.staticDir))
    await rm(join(shop.staticDir, name), { recursive: true })
  await publish(shown(8, 'services/', 'c'))
  expect((await scrub()).map((row) => JSON.parse(row.state))).toMatchObject([{ isUrgent: true }])
})

describe('a failure', () => {
  it('on a symbolic link that leads out of the folder concerns one page', async () => {
    const outside = await useFolder('outside')
    await mkdir(folder(''), { recursive: true })
    await symlink(outside, folder('out'))
    await writeFile(join(outside, 'index.html'), 'outside')
    const { outcomes, errors } = await shop.publish(nextVersion(), [
      shown(7, 'out/', 'a'),
      shown(8, 'out/deeper/still/', 'a'),
      shown(9, 'in/', 'a'),
      hidden(10, 'out/'),
    ])
    expect([...errors.keys()]).toEqual([10, 7, 8])
    expect(errors.get(7)).toMatchObject({
      code: 'unwritable',
      message: expect.stringMatching(
        /"net\.test\/shop\/out" .* A symbolic link leads out of the folder/,
      ),
    })
    expect(errors.get(10)).toMatchObject({ code: 'exposed', isOutage: false })
    expect([...outcomes].filter(([, { state }]) => state === 'written').map(([id]) => id)).toEqual([
      9,
    ])
    expect(await readdir(outside)).toEqual(['index.html'])
  })

  it('after the removal at a former URL tells where the page was, so that page caches lose it', async () => {
    await publish(shown(7, 'old/', 'a'))
    await mkdir(join(folder('new'), 'index.html'), { recursive: true })
    const { outcomes, errors } = await shop.publish(nextVersion(), [shown(7, 'new/', 'a')])
    expect([...errors.keys()]).toEqual([7])
    expect(outcomes.get(7)).toEqual({ state: 'failed', formerUrl: `${SHOP}old/` })
    expect(await htmlAt('old')).toBeUndefined()
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
    expect([...errors]).toEqual([
      [
        7,
        {
          code: 'unwritable',
          message: expect.stringContaining('"net.test/shop/about-us" cannot be written (EISDIR).'),
          reason: expect.stringContaining('EISDIR'),
          isTemporary: false,
          isOutage: false,
        },
      ],
    ])
    expect(await htmlAt('other')).toBe('new')
    const record = await recordOf(7)
    expect(record).toMatchObject({ url: `${SHOP}about-us/`, version })
    expect(record).not.toHaveProperty('digest')
    await rm(join(folder('about-us'), 'index.html'), { recursive: true })
    await publish(shown(7, 'about-us/', 'new'))
    expect((await recordOf(7))?.source).toBe('of new')
  })

  it('of the disk ends the publication: all further pages fail with it', async () => {
    const { publication, path } = await shop.openPublication()
    // Writes of the second page go to a device that is always full.
    await symlink('/dev/full', join(path, '2.index.html.gz'))
    const copies = Array.from({ length: 120 }, (_, index) => ({
      page: index + 1,
      location: folder(`p${index + 1}`),
      html: 'x',
      url: SHOP,
      version: 1,
      digest: '',
    }))
    const written = await publication.writer.write(copies)
    expect(written.get(1)).toMatchObject({ htmlBytes: 1 })
    for (const page of [2, 3, 50, 51, 120])
      expect(written.get(page)).toMatchObject({ code: 'unwritable', isOutage: true })
    expect(await htmlAt('p1')).toBe('x')
    expect(await htmlAt('p3')).toBeUndefined()
    await publication.writer.end()
  })
})

// Only root may read it, so that the tests, which root may run, look at what is found there.
it('what a file system keeps at the top of a volume is no copy', async () => {
  const { db, globals } = shop.network
  await publish(shown(7, 'a/', 'seven'))
  await shop.duplicate(folder('a'), join(shop.staticDir, 'lost+found'))
  const orphans: OwnedCopy[] = []
  for await (const orphan of findOrphanedCopies({ db, globals, copies: shop.copies }))
    orphans.push(orphan)
  expect(orphans).toEqual([])
})
