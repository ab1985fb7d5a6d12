import { existsSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { createLog, type Log } from '../../src/log.ts'
import { NetworkIdentities } from '../../src/publishing/network-identity.ts'
import { adoptOlderLayout } from '../../src/publishing/older-layout.ts'
import { MARKER, StaticFolder } from '../../src/publishing/static-folder.ts'
import {
  copyFiles,
  createPublishingFixture,
  hidden,
  type PublishingFixture,
  SHOP,
  shown,
} from './publishing-fixture.ts'

let shop: PublishingFixture
beforeAll(async () => {
  shop = await createPublishingFixture()
})
afterEach(() => shop.clear())
afterAll(() => shop.stop())

/** The folder as an older version left it: two copies, the record of a page without a copy, and leftovers. */
async function createOlderLayout(): Promise<void> {
  const record = async (site: number, page: number, text: string) => {
    const folder = join(shop.staticDir, '.pages', `${site}`)
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, `${page}.json`), text)
  }
  for (const page of [7, 8]) {
    const url = `${SHOP}p${page}/`
    await mkdir(shop.folder(`p${page}`), { recursive: true })
    await writeFile(join(shop.folder(`p${page}`), 'index.html'), `<p>${page}</p>`)
    await writeFile(
      join(shop.folder(`p${page}`), '.page.json'),
      JSON.stringify({ site: 2, page, url }),
    )
    const size = page === 7 ? { made_of: 'ab'.repeat(32), bytes: 123 } : {}
    await record(2, page, JSON.stringify({ url, built_at: Date.now(), ...size }))
  }
  await record(2, 9, JSON.stringify({ url: null, built_at: 1 }))
  await record(2, 10, '{"url": "http')
  await record(4, 2, JSON.stringify({ url: 'http://brand.test/', built_at: 1 }))
  await writeFile(join(shop.staticDir, '.pages/2/.lock-7'), '')
  await writeFile(join(shop.staticDir, '.pages/2/content-version'), '1')
}

const adopt = () => adoptOlderLayout(shop.network.db, shop.network.globals, shop.staticDir)
const ADOPTED = [
  { page: 7, url: `${SHOP}p7/`, version: 0, source: 'ab'.repeat(32), bytes: 123 },
  { page: 8, url: `${SHOP}p8/`, version: 0, bytes: 0 },
]

it('becomes records in the database', async () => {
  await createOlderLayout()
  expect(await adopt()).toBe(3)
  expect([...(await shop.records()).values()]).toEqual(ADOPTED)
  expect((await shop.records(await shop.network.site(4))).size).toBe(1)
  expect((await readdir(shop.staticDir)).sort()).toEqual(['.work', 'net.test'])
  expect(await readdir(join(shop.staticDir, '.work'))).toEqual([])
  expect(await adopt()).toBeUndefined()
})

it('has copies that the next build replaces or removes', async () => {
  await createOlderLayout()
  await adopt()
  const { effects } = await shop.publish(1, [shown(7, 'moved/', '<p>7</p>'), hidden(8, 'p8/')])
  expect(effects.get(7)).toMatchObject({ was_url: `${SHOP}p7/`, removed: true, published: true })
  expect(effects.get(8)).toMatchObject({ was_url: `${SHOP}p8/`, removed: true, published: false })
  expect(await shop.files()).toEqual(copyFiles('net.test/shop/moved'))
})

it('is adopted once by two processes, and does not replace later records', async () => {
  await createOlderLayout()
  await shop.publish(3, [shown(8, 'p8/', '<p>8</p>')])
  const later = (await shop.records()).get(8)
  await Promise.all([adopt(), adopt()])
  expect([...(await shop.records()).values()]).toEqual([ADOPTED[0], later])
  expect(existsSync(join(shop.staticDir, '.pages'))).toBe(false)
})

it('is adopted before the first publication, and only if the folder is the right one', async () => {
  const lines: unknown[] = []
  const log = { ...createLog('silent'), info: (fields: unknown) => lines.push(fields) }
  const { db, globals } = shop.network
  const open = () =>
    new StaticFolder({
      ...{ db, globals, staticDir: shop.staticDir, log: log as unknown as Log },
      identities: new NetworkIdentities(db, globals),
    })
  await open().assertPresent()
  await createOlderLayout()
  await shop.network.db.sql.raw('RENAME TABLE ?? TO ??', ['wp_svc_copies', 'away'].map(prefixed))
  const folder = open()
  await expect(folder.assertPresent()).rejects.toThrow()
  expect(existsSync(join(shop.staticDir, '.pages/2/7.json'))).toBe(true)
  await shop.network.db.sql.raw('RENAME TABLE ?? TO ??', ['away', 'wp_svc_copies'].map(prefixed))
  await folder.assertPresent()
  expect((await shop.records()).size).toBe(2)
  expect(lines).toEqual([{ folder: shop.staticDir, hasCopies: false }, { records: 3 }])
  expect(existsSync(join(shop.staticDir, MARKER))).toBe(true)
})

const prefixed = (table: string): string => table.replace('wp_', shop.network.globals.basePrefix)
