import { afterEach, describe, expect, it } from 'vitest'
import {
  type CopyRecord,
  deleteCopyRecords,
  listCopyRecords,
  listCopyUrls,
  listSitesWithCopies,
  readCopyRecords,
  storeCopyRecords,
  sumCopyBytes,
} from '../../../src/build/publishing/copies-table.ts'
import { pagesTable } from '../../../src/content/work/work-tables.ts'
import { useNetwork } from '../../support/network.ts'
import { statementsOf } from '../../support/statements.ts'

const network = await useNetwork()
afterEach(() => network.db.sql(pagesTable(network.globals)).delete())

const siteOf = (blogId: number) => ({ blogId, globals: network.globals })
const SHOP = 2
const store = (records: readonly CopyRecord[], blogId = SHOP) =>
  network.db.write({}, (tx) => storeCopyRecords(tx, siteOf(blogId), records))
const read = async (page: number) =>
  (await readCopyRecords(network.db, siteOf(SHOP), [page])).get(page)

const announced = (page: number, version = 5): CopyRecord => ({
  page,
  url: `http://net.test/é/${page}/`,
  version,
  bytes: 0,
})
const complete = (page: number, version = 5): CopyRecord => ({
  ...announced(page, version),
  source: 'a'.repeat(64),
  pageModified: '2026-01-02 03:04:05',
  digest: 'b'.repeat(64),
  fileTime: 1_790_000_000_123_456,
  htmlBytes: 4_000_000_000,
  bytes: 4_100_000_000,
})

describe('a stored record', () => {
  it('is read as it was stored, with and without files', async () => {
    await store([complete(7), announced(8)])
    expect(await read(7)).toEqual(complete(7))
    expect(await read(8)).toEqual(announced(8))
    expect(await read(9)).toBeUndefined()
    expect(await listCopyRecords(network.db, siteOf(SHOP))).toEqual([complete(7), announced(8)])
    expect(await listCopyUrls(network.db, siteOf(SHOP))).toEqual(
      new Map([7, 8].map((page) => [page, `http://net.test/é/${page}/`])),
    )
  })

  it('is replaced by one of the same or a newer version, in all columns', async () => {
    await store([complete(7)])
    await store([announced(7)])
    expect(await read(7)).toEqual(announced(7))
    await store([complete(7, 6)])
    expect(await read(7)).toEqual(complete(7, 6))
  })

  it('is not replaced or deleted by an older version', async () => {
    await store([complete(7)])
    await store([{ ...announced(7, 4), url: 'http://net.test/old/' }])
    await network.db.write({}, (tx) => deleteCopyRecords(tx, siteOf(SHOP), [7], 4))
    expect(await read(7)).toEqual(complete(7))
    await network.db.write({}, (tx) => deleteCopyRecords(tx, siteOf(SHOP), [6, 7], 5))
    expect(await read(7)).toBeUndefined()
  })
})

const sizeOf = async (blogId: number) => {
  let size = 0
  await network.db.write({}, (tx) =>
    sumCopyBytes(tx, siteOf(blogId), (bytes) => {
      size = bytes
    }),
  )
  return size
}

it('the table of copies lists the sites with copies, and the size of each', async () => {
  expect(await listSitesWithCopies(network.db, network.globals)).toEqual([])
  expect(await sizeOf(SHOP)).toBe(0)
  await store([{ ...announced(7), bytes: 100 }, complete(8)])
  await store([{ ...announced(7), bytes: 30 }], 11)
  expect(await listSitesWithCopies(network.db, network.globals)).toEqual([2, 11])
  expect(await sizeOf(SHOP)).toBe(4_100_000_100)
  expect(await sizeOf(11)).toBe(30)
})

it('the table of copies needs few statements for thousands of pages', async () => {
  const pages = Array.from({ length: 6000 }, (_, index) => 6000 - index)
  const statements = await statementsOf(network.db, async () => {
    await store(pages.map((page) => complete(page)))
    expect((await readCopyRecords(network.db, siteOf(SHOP), pages)).size).toBe(6000)
  })
  expect(statements.filter((text) => text.startsWith('INSERT'))).toHaveLength(6)
  expect(statements.filter((text) => text.startsWith('SELECT'))).toHaveLength(2)
})
