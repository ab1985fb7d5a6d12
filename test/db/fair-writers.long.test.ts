import { beforeEach, expect, it } from 'vitest'
import type { Tx } from '../../src/db/transaction.ts'
import { emptyDatabase } from '../support/database.ts'
import { connectionsOf, openTestDatabase } from '../support/open-database.ts'
import { sqlOf } from '../support/statements.ts'
import { use } from '../support/use.ts'

const POOL_SIZE = 4

const database = await use(emptyDatabase())
const timings = { db: { previewLockWaitSeconds: 1, previewStatementSeconds: 2 } }
const db = await use(openTestDatabase({ url: database.url, poolSize: POOL_SIZE, timings }))
const holder = await use(openTestDatabase({ url: database.url }))
await db.sql.raw('CREATE TABLE site_rows (site int PRIMARY KEY, value int NOT NULL)')
beforeEach(async () => {
  await db.sql('site_rows').delete()
  await db.sql('site_rows').insert([1, 2, 3].map((site) => ({ site, value: 0 })))
})

const write = (site: number) => (tx: Tx) =>
  sqlOf(tx)('site_rows').where({ site }).increment('value', 1)
const valueAt = async (site: number): Promise<number> =>
  (await db.sql('site_rows').where({ site }).first()).value

/** Runs this while another process has locked the row of site 3. */
async function whileLocked(work: () => Promise<void>): Promise<void> {
  await holder.write({}, async (tx) => {
    await sqlOf(tx)('site_rows').where({ site: 3 }).forUpdate()
    await work()
  })
}

it('the database serves reads and writes of other sites while many writers of one site wait for a row lock', async () => {
  let writers: Promise<unknown>[] = []
  await whileLocked(async () => {
    writers = Array.from({ length: 2 * POOL_SIZE }, () =>
      db.write({ site: { blogId: 3 } }, write(3)),
    )
    await db.ping()
    await db.write({ site: { blogId: 2 } }, write(2))
    expect(await db.write({ site: { blogId: 2 }, dryRun: true }, write(2))).toBe(1)
    await db.write({}, write(1))
    expect(await valueAt(2)).toBe(1)
    expect(connectionsOf(db).waiting).toBe(0)
  })
  await Promise.all(writers)
  expect(await valueAt(3)).toBe(2 * POOL_SIZE)
})

it('the database reserves connections for reads while writers of many sites wait', async () => {
  let writers: Promise<unknown>[] = []
  await whileLocked(async () => {
    writers = Array.from({ length: 2 * POOL_SIZE }, (_, blogId) =>
      db.write({ site: { blogId } }, write(3)),
    )
    expect(await valueAt(2)).toBe(0)
    expect(connectionsOf(db).used).toBeLessThan(POOL_SIZE)
    const { limit, used, waiting } = db.pools().writes ?? {}
    expect([used, waiting]).toEqual([limit, 2 * POOL_SIZE - Number(limit)])
  })
  await Promise.all(writers)
})

it('the database writes while previews of many sites wait, which end soon', async () => {
  let previews: Promise<unknown>[] = []
  await whileLocked(async () => {
    const startedAt = performance.now()
    previews = Array.from({ length: 2 * POOL_SIZE }, (_, blogId) =>
      db.write({ site: { blogId }, dryRun: true, isPreview: true }, write(3)),
    )
    const ends = Promise.race(previews)
    const writes = [0, 1, 2].map((blogId) => db.write({ site: { blogId } }, write(blogId || 1)))
    await Promise.race([Promise.all(writes), ends])
    expect(await Promise.all([1, 2].map(valueAt))).toEqual([2, 1])
    await expect(ends).rejects.toMatchObject({ errno: 1205 })
    expect(performance.now() - startedAt).toBeLessThan(8000)
  })
  await Promise.allSettled(previews)
})

it('the database ends a statement of a preview that runs for long', async () => {
  const startedAt = performance.now()
  await db
    .write({ dryRun: true, isPreview: true }, (tx) => sqlOf(tx).raw('SELECT SLEEP(12)'))
    .catch(({ errno }) => expect(errno).toBe(1969))
  expect(performance.now() - startedAt).toBeLessThan(8000)
})

it('the database rejects a writer if too many of its site wait', async () => {
  let writers: Promise<unknown>[] = []
  await whileLocked(async () => {
    writers = Array.from({ length: 150 }, () => db.write({ site: { blogId: 3 } }, write(3)))
    for (const writer of writers) writer.catch(() => {})
    await expect(writers.at(-1)).rejects.toMatchObject({
      code: 'service_busy',
      fields: { retry_after: expect.any(Number) },
    })
  })
  const outcomes = await Promise.allSettled(writers)
  const stored = outcomes.filter(({ status }) => status === 'fulfilled').length
  expect(await valueAt(3)).toBe(stored)
})

it('the database reads and writes on a single connection', async () => {
  const single = openTestDatabase({ url: database.url })
  await Promise.all(
    [1, 2, 3].flatMap((blogId) => [
      single.write({ site: { blogId } }, write(blogId)),
      single.ping(),
      single.write({ site: { blogId }, dryRun: true }, write(blogId)),
    ]),
  )
  expect(await Promise.all([1, 2, 3].map(valueAt))).toEqual([1, 1, 1])
  await single.close()
})

it('the database does not queue effects after a commit with the writes of the site', async () => {
  const seen: string[] = []
  await db.write({ site: { blogId: 1 } }, async (tx) => {
    tx.afterCommit(async () => {
      await db.write({ site: { blogId: 1 } }, write(1))
      seen.push('second write')
    })
    await write(1)(tx)
  })
  expect(seen).toEqual(['second write'])
})
