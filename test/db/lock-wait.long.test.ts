import { expect, it } from 'vitest'
import { createLog } from '../../src/host/log.ts'
import { emptyDatabase } from '../support/database.ts'
import { openTestDatabase } from '../support/open-database.ts'
import { sqlOf } from '../support/statements.ts'
import { use } from '../support/use.ts'

const database = await use(emptyDatabase())
const log = createLog('silent')
const db = await use(
  openTestDatabase({
    url: database.url,
    poolSize: 4,
    log,
    timings: { db: { lockWaitSeconds: 1 } },
  }),
)
const holder = await use(openTestDatabase({ url: database.url, poolSize: 4 }))
await db.sql.raw('CREATE TABLE row_locked (name varchar(20) PRIMARY KEY, value int NOT NULL)')
await db.sql.raw('CREATE TABLE locked LIKE row_locked')
await db.sql('row_locked').insert({ name: 'a', value: 0 })

/** Writes to a table that another connection locks until the write has failed. */
async function writeUnder(lock: string, table: string, blogId: number): Promise<unknown> {
  return holder.sql.transaction(async (trx) => {
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
