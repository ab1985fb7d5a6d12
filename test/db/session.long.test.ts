import { describe, expect, it } from 'vitest'
import { isDatabaseUnavailable } from '../../src/db/database-error.ts'
import { emptyDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { openTestDatabase } from '../support/open-database.ts'
import { sqlOf } from '../support/statements.ts'
import { use } from '../support/use.ts'

const database = await use(emptyDatabase())
const timings = { db: { lockWaitSeconds: 1 } }
const db = await use(openTestDatabase({ url: database.url, poolSize: 4, timings }))
await sqlOf(db).raw(
  "CREATE TABLE posts (id int PRIMARY KEY, title varchar(5), day datetime NOT NULL DEFAULT '0000-00-00 00:00:00')",
)

describe('a session', () => {
  it('reads, compares, copies and writes zero dates, which the default mode of MySQL rejects', async () => {
    const day = '0000-00-00 00:00:00'
    await sqlOf(db)('posts').insert([{ id: 1 }, { id: 2, day }])
    await sqlOf(db).raw('INSERT INTO posts SELECT id + 2, title, day FROM posts')
    await sqlOf(db)('posts').where({ id: 1 }).update({ title: 'a', day })
    expect(await sqlOf(db)('posts').where({ day }).pluck('id')).toEqual([1, 2, 3, 4])
    expect(await sqlOf(db)('posts').distinct('day').pluck('day')).toEqual([day])
  })

  it('follows rows that are nested deeper than a server does by default', async () => {
    const [[{ count }]] = await sqlOf(db).raw(
      'WITH RECURSIVE lineage (n) AS (SELECT 1 UNION SELECT n + 1 FROM lineage WHERE n < 2000) SELECT COUNT(*) AS count FROM lineage',
    )
    expect(count).toBe(2000)
  })

  it('of a worker releases its locks when the worker is stopped within a transaction', async () => {
    await sqlOf(db)('posts').insert({ id: 10 })
    const stopped = db.write({ isWork: true }, async (tx) => {
      await sqlOf(tx)('posts').where({ id: 10 }).update({ title: 'lost' })
      await eventually(() => sqlOf(db)('posts').where({ id: 10 }).forUpdate().noWait())
      await sqlOf(tx)('posts').where({ id: 10 }).update({ title: 'late' })
    })
    expect(isDatabaseUnavailable(await stopped.catch((error: unknown) => error))).toBe(true)
    expect(await sqlOf(db)('posts').where({ id: 10 }).pluck('title')).toEqual([null])
    // The next transaction gets another connection.
    await db.write({ isWork: true }, (tx) =>
      sqlOf(tx)('posts').where({ id: 10 }).update({ title: 'b' }),
    )
  })
})

await db.sql.raw('CREATE TABLE row_locked (name varchar(20) PRIMARY KEY, value int NOT NULL)')
await db.sql.raw('CREATE TABLE locked LIKE row_locked')
await db.sql('row_locked').insert({ name: 'a', value: 0 })

/** Writes to a table that another connection locks until the write has failed. */
async function writeUnder(lock: string, table: string, blogId: number): Promise<unknown> {
  return db.sql.transaction(async (trx) => {
    await trx.raw(lock)
    const failed = await db
      .write({ site: { blogId } }, (tx) => sqlOf(tx)(table).insert({ name: 'a', value: 1 }))
      .then(() => undefined)
      .catch((error: unknown) => error)
    await trx.raw('UNLOCK TABLES')
    return failed
  })
}

it.concurrent('a statement fails if a row is locked for longer than the lock wait', async () => {
  const lock = 'SELECT * FROM row_locked FOR UPDATE'
  expect(await writeUnder(lock, 'row_locked', 1)).toMatchObject({ errno: 1205 })
})

it.concurrent('a statement fails if a table is locked for longer than the lock wait', async () => {
  expect(await writeUnder('LOCK TABLES locked READ', 'locked', 2)).toMatchObject({ errno: 1205 })
})
