import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { KeyedMutex } from '../../src/concurrency/keyed-mutex.ts'
import { listCopies, readRecord } from '../../src/publishing/copy-records.ts'
import { describeCopy, publishPage } from '../../src/publishing/publish-page.ts'
import { readCopy } from '../../src/publishing/static-copy.ts'
import { StaticPathError } from '../../src/publishing/static-path.ts'

const SHOP = 'http://net.test/shop/'
const HIDDEN = { reason: 'page_not_public', message: 'Hidden.' } as const

let staticDir: string
let clock: number
const context = { mutex: new KeyedMutex() }
beforeEach(async () => {
  staticDir = await mkdtemp(join(tmpdir(), 'wp-frames-publish-'))
  clock = Date.now() - 1_000_000
})
afterEach(() => rm(staticDir, { recursive: true }))

const copyOf = (page: number) => ({ staticDir, site: 2, page })
const folder = (path: string) => join(staticDir, 'net.test/shop', path)
/** The time of a new build. */
function tick(): number {
  clock += 10
  return clock
}
const publish = (page: number, path: string, html: string, builtAt = tick()) =>
  publishPage(
    copyOf(page),
    SHOP + path,
    { html, sourceFingerprint: `of ${html}` },
    builtAt,
    context,
  )
const hide = (page: number, path: string, builtAt = tick()) =>
  publishPage(copyOf(page), SHOP + path, HIDDEN, builtAt, context)

describe('publishing a page', () => {
  it('writes its copy and the compressed forms', async () => {
    expect(await publish(7, 'about-us/', '<p>é</p>')).toEqual({
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
    expect((await readdir(folder('about-us'))).sort()).toEqual([
      '.page.json',
      'index.html',
      'index.html.br',
      'index.html.gz',
    ])
  })

  it('leaves an identical copy unchanged', async () => {
    await publish(7, 'about-us/', 'a')
    const before = await stat(join(folder('about-us'), 'index.html'))
    expect(await publish(7, 'about-us/', 'a')).toMatchObject({
      published: true,
      was_published: true,
      was_url: `${SHOP}about-us/`,
      changed: false,
      removed: false,
    })
    const after = await stat(join(folder('about-us'), 'index.html'))
    expect([after.ino, after.mtimeMs]).toEqual([before.ino, before.mtimeMs])
  })

  it('replaces a different copy', async () => {
    await publish(7, 'about-us/', 'a')
    expect(await publish(7, 'about-us/', 'b')).toMatchObject({ was_published: true, changed: true })
    expect((await readCopy(staticDir, folder('about-us')))?.html.toString()).toBe('b')
  })

  it('replaces stale compressed forms after a crash, even if the HTML is the same', async () => {
    await publish(7, 'about-us/', 'a')
    await writeFile(join(folder('about-us'), 'index.html.gz'), 'of another copy')
    expect((await readCopy(staticDir, folder('about-us')))?.gzip).toBeUndefined()
    expect(await publish(7, 'about-us/', 'a')).toMatchObject({ changed: true })
    const copy = await readCopy(staticDir, folder('about-us'))
    expect(gunzipSync(copy?.gzip ?? '').toString()).toBe('a')
  })

  it('removes the copy at its former URL, but not that of another page which has this URL now', async () => {
    await publish(7, 'about-us/', 'seven')
    await publish(10, 'about-us/team/', 'ten')
    // The page and its child have new URLs, and a new page has the former slug.
    expect(await publish(10, 'we/team/', 'ten')).toMatchObject({
      published: true,
      url: `${SHOP}we/team/`,
      was_published: true,
      was_url: `${SHOP}about-us/team/`,
      removed: true,
      changed: true,
    })
    expect(existsSync(folder('about-us/team'))).toBe(false)
    await publish(99, 'about-us/', 'new')
    expect(await publish(7, 'we/', 'seven')).toMatchObject({ was_published: false, removed: false })
    expect((await readCopy(staticDir, folder('about-us')))?.html.toString()).toBe('new')
    expect([...(await listCopies(staticDir, 2))].sort()).toEqual([
      [10, `${SHOP}we/team/`],
      [7, `${SHOP}we/`],
      [99, `${SHOP}about-us/`],
    ])
  })

  it('removes the copy of a page that is not public, and empty folders', async () => {
    await publish(10, 'about-us/team/', 'ten')
    await publish(7, 'about-us/', 'seven')
    expect(await hide(7, '?page_id=7')).toEqual({
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
    await hide(10, 'about-us/team/')
    expect(await readdir(staticDir)).toEqual(['.pages'])
    expect(await hide(10, 'about-us/team/')).toMatchObject({ was_published: false, changed: false })
    expect(await listCopies(staticDir, 2)).toEqual(new Map())
  })

  it('writes nothing if the URL cannot be mapped to a file', async () => {
    await publish(7, 'about-us/', 'a')
    for (const path of [
      '?page_id=7',
      '../docs/',
      '%2e%2e/',
      '.page.json/',
      `${'a'.repeat(256)}/`,
    ]) {
      expect(await publish(7, path, 'b')).toMatchObject({
        published: false,
        reason: 'page_not_public',
      })
    }
    expect(await readdir(staticDir)).toEqual(['.pages'])
  })

  it('adopts a copy without an owner, which may come from a backup', async () => {
    await mkdir(folder('about-us'), { recursive: true })
    await writeFile(join(folder('about-us'), 'index.html'), 'a')
    expect(await publish(7, 'about-us/', 'a')).toMatchObject({ was_published: true, changed: true })
    expect((await readCopy(staticDir, folder('about-us')))?.owner?.page).toBe(7)
  })

  it('refuses to follow a symbolic link out of the folder', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'wp-frames-outside-'))
    await mkdir(join(staticDir, 'net.test'))
    await symlink(outside, folder(''))
    await expect(publish(7, 'about-us/', 'a')).rejects.toThrow(StaticPathError)
    expect(await readdir(outside)).toEqual([])
    await rm(outside, { recursive: true })
  })

  it('does not count an old copy as the new one after a failed write', async () => {
    await publish(7, 'about-us/', 'old')
    // Blocks the first file of the copy: everything after the record fails, as after a crash.
    await rm(join(folder('about-us'), '.page.json'))
    await mkdir(join(folder('about-us'), '.page.json'))
    await expect(publish(7, 'about-us/', 'new')).rejects.toThrow()
    expect((await readCopy(staticDir, folder('about-us')))?.html.toString()).toBe('old')
    expect(await readRecord(copyOf(7))).toEqual({ url: `${SHOP}about-us/`, built_at: clock })
    await rm(join(folder('about-us'), '.page.json'), { recursive: true })
    await publish(7, 'about-us/', 'new')
    expect((await readRecord(copyOf(7)))?.made_of).toBe('of new')
  })

  it('replaces a damaged record', async () => {
    await publish(7, 'about-us/', 'a')
    await writeFile(join(staticDir, '.pages/2/7.json'), '{"url": "http')
    expect(await publish(7, 'about-us/', 'b')).toMatchObject({ was_published: true, changed: true })
  })
})

describe('a later build', () => {
  it('is not overwritten by an earlier build', async () => {
    const early = tick()
    const late = tick()
    await publish(7, 'about-us/', 'late', late)
    expect(await publish(7, 'about-us/', 'early', early)).toMatchObject({
      published: true,
      changed: false,
      reason: 'later_build',
      message: expect.stringContaining('started later'),
    })
    expect((await readCopy(staticDir, folder('about-us')))?.html.toString()).toBe('late')
  })

  it('is not overwritten if it removed the copy or never wrote one', async () => {
    const early = tick()
    const late = tick()
    await hide(7, 'about-us/', late)
    expect(await publish(7, 'about-us/', 'early', early)).toMatchObject({ published: false })
    expect(existsSync(folder('about-us'))).toBe(false)
  })

  it('is the one with the later time, except times in the future', async () => {
    await publish(7, 'about-us/', 'from a wrong clock', Date.now() + 1_000_000)
    expect(await publish(7, 'about-us/', 'now', Date.now())).toMatchObject({ changed: true })
    expect((await readRecord(copyOf(7)))?.url).toBe(`${SHOP}about-us/`)
  })

  it('wins among concurrent builds, with a complete copy', async () => {
    const times = Array.from({ length: 20 }, (_, at) => clock + ((at * 7) % 20))
    await Promise.all(times.map((time) => publish(7, 'about-us/', `${time}`, time)))
    const copy = await readCopy(staticDir, folder('about-us'))
    expect(copy?.html.toString()).toBe(`${clock + 19}`)
    expect(gunzipSync(copy?.gzip ?? '').toString()).toBe(`${clock + 19}`)
    expect(brotliDecompressSync(copy?.brotli ?? '').toString()).toBe(`${clock + 19}`)
  })
})

describe('describeCopy', () => {
  it('describes a copy without changing it', async () => {
    expect(await describeCopy(copyOf(7), `${SHOP}about-us/`, 'Unchanged.')).toMatchObject({
      published: false,
      was_published: false,
      message: 'Unchanged.',
    })
    await publish(7, 'about-us/', 'abc')
    expect(await describeCopy(copyOf(7), undefined, 'Unchanged.')).toEqual({
      published: true,
      url: `${SHOP}about-us/`,
      bytes: 3,
      reason: null,
      message: 'Unchanged.',
      was_published: true,
      was_url: `${SHOP}about-us/`,
      removed: false,
      changed: false,
    })
  })
})
