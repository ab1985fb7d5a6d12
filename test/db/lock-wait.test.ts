import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { createLog } from '../../src/log.ts'
import { emptyDatabase, type TestDatabase } from '../support/database.ts'

let database: TestDatabase
let db: Database
let holder: Database
beforeAll(async () => {
  database = await emptyDatabase()
  const log = createLog('silent')
  db = openDatabase({ url: database.url, poolSize: 4, log, lockWaitSeconds: 1 })
  holder = openDatabase({ url: database.url, poolSize: 4, log })
  await db.sql.raw('CREATE TABLE held (name varchar(20) PRIMARY KEY, value int NOT NULL)')
  await db.sql.raw('CREATE TABLE locked LIKE held')
  await db.sql('held').insert({ name: 'a', value: 0 })
})
afterAll(async () => {
  await holder.close()
  await db.close()
  await database.drop()
})

/** Writes to a table whose locks somebody holds until the write has failed. */
async function writeUnder(lock: string, table: string, blogId: number): Promise<unknown> {
  return holder.sql.transaction(async (trx) => {
    await trx.raw(lock)
    const failed = await db
      .write({ site: { blogId } }, (tx) => tx.sql(table).insert({ name: 'a', value: 1 }))
      .then(() => undefined)
      .catch((error: unknown) => error)
    await trx.raw('UNLOCK TABLES')
    return failed
  })
}

it.concurrent('gives up a row that is held for longer than a caller waits', async () => {
  const lock = 'SELECT * FROM held FOR UPDATE'
  expect(await writeUnder(lock, 'held', 1)).toMatchObject({ errno: 1205 })
})

it.concurrent('gives up a table that is held for longer than a caller waits', async () => {
  expect(await writeUnder('LOCK TABLES locked READ', 'locked', 2)).toMatchObject({ errno: 1205 })
})
