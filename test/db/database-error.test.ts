import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Database, openDatabase } from '../../src/db/database.ts'
import {
  isCharsetMismatch,
  isDatabaseUnavailable,
  isMissingTable,
  isRetryable,
} from '../../src/db/database-error.ts'
import { createLog } from '../../src/log.ts'
import { emptyDatabase, type TestDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'

const log = createLog('silent')

let database: TestDatabase
let db: Database
beforeAll(async () => {
  database = await emptyDatabase()
  db = openDatabase({ url: database.url, poolSize: 4, log })
  await db.sql.raw('CREATE TABLE words (word varchar(9) CHARACTER SET utf8mb3 PRIMARY KEY)')
  await db.sql('words').insert({ word: 'taken' })
})
afterAll(async () => {
  await db.close()
  await database.drop()
})

const errorOf = (work: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(work).then(
    () => Promise.reject(new Error('did not fail')),
    (error: unknown) => error,
  )

/** What each question says of an error. */
const kindsOf = (error: unknown): string[] =>
  Object.entries({
    isRetryable,
    isCharsetMismatch,
    isMissingTable,
    isDatabaseUnavailable,
  })
    .filter(([, is]) => is(error))
    .map(([name]) => name)

/** The connections that sleep in this database. */
async function sleepers(): Promise<number[]> {
  const [rows] = await db.sql.raw(
    "SELECT id FROM information_schema.processlist WHERE info LIKE 'SELECT SLEEP%' AND db = DATABASE()",
  )
  return rows.map(({ id }: { id: number }) => id)
}

/** Ends what a connection is doing from another one, as an operator or a failing server would. */
async function killWhile(work: PromiseLike<unknown>, how: 'KILL' | 'KILL QUERY'): Promise<unknown> {
  const failing = errorOf(work)
  const id = await eventually(async () => {
    const ids = await sleepers()
    expect(ids).toHaveLength(1)
    return ids[0]
  })
  await db.sql.raw(`${how} ${id}`)
  const error = await failing
  // The client knows before the list does: the next one would find this one there.
  await eventually(async () => expect(await sleepers()).toEqual([]))
  return error
}

describe('what the database says', () => {
  it('is told apart', async () => {
    expect(kindsOf(await errorOf(db.sql('words').insert({ word: 'taken' })))).toEqual([])
    expect(kindsOf(await errorOf(db.sql('words').insert({ word: '😀' })))).toEqual([
      'isCharsetMismatch',
    ])
    expect(kindsOf(await errorOf(db.sql('nowhere').select()))).toEqual(['isMissingTable'])
    expect(kindsOf(await errorOf(db.sql.raw('SELEKT 1')))).toEqual([])
    expect(kindsOf(await errorOf(db.sql('words').insert({ word: 'x'.repeat(10) })))).toEqual([])
  })

  it('may be repeated after a lock time-out', async () => {
    const waited = db.write({}, async (tx) => {
      await tx.sql('words').where({ word: 'taken' }).forUpdate()
      return errorOf(
        db.sql.transaction(async (other) => {
          await other.raw('SET SESSION innodb_lock_wait_timeout = 1')
          await other('words').where({ word: 'taken' }).forUpdate()
        }),
      )
    })
    expect(kindsOf(await waited)).toEqual(['isRetryable', 'isDatabaseUnavailable'])
  })

  it('is nothing of the kind in an error of another sort', () => {
    for (const error of [undefined, null, 'ECONNREFUSED', 1213, new Error('no'), {}]) {
      expect(kindsOf(error)).toEqual([])
    }
  })
})

describe('a database that is away', () => {
  const unavailable = ['isDatabaseUnavailable']

  it('is known by a connection that is killed in the middle of a statement', async () => {
    const killed = await killWhile(db.sql.raw('SELECT SLEEP(30)'), 'KILL')
    expect(kindsOf(killed)).toEqual(unavailable)
  })

  it('is known by a connection that is killed in the middle of a transaction', async () => {
    const work = vi.fn()
    const killed = await killWhile(
      db.write({}, async (tx) => {
        work()
        await tx.sql.raw('SELECT SLEEP(30)')
      }),
      'KILL',
    )
    expect(kindsOf(killed)).toEqual(unavailable)
    expect(work).toHaveBeenCalledOnce()
  })

  it('is known by a statement that is ended for it', async () => {
    const ended = await killWhile(
      // SLEEP() alone says 1 when it is ended.
      db.sql.raw('SELECT SLEEP(30) FROM words WHERE SLEEP(30) = 0'),
      'KILL QUERY',
    )
    expect(kindsOf(ended)).toEqual(unavailable)
  })

  it('is known by a node that lost its cluster as it committed', async () => {
    const signal =
      "SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = 1180, MESSAGE_TEXT = 'Error during COMMIT'"
    expect(kindsOf(await errorOf(db.sql.raw(signal)))).toEqual(unavailable)
  })

  it('is back for the next statement, whatever became of the connections', async () => {
    const pool = openDatabase({ url: database.url, poolSize: 1, log })
    const [[{ id }]] = await pool.sql.raw('SELECT CONNECTION_ID() AS id')
    await db.sql.raw(`KILL ${id}`)
    await eventually(async () => expect(await pool.sql('words')).toHaveLength(1))
    await pool.close()
  })

  it.each([
    ['refuses connections', 'mysql://nobody@127.0.0.1:9/none'],
    ['has no address', 'mysql://nobody@database.invalid/none'],
    ['has no socket', 'mysql://nobody@localhost/none?socketPath=/nowhere/mysqld.sock'],
  ])('is known by a server that %s', async (_how, url) => {
    const pool = openDatabase({ url, poolSize: 1, log })
    expect(kindsOf(await errorOf(pool.sql.raw('SELECT 1')))).toEqual(unavailable)
    await pool.close()
  })

  it('is not taken for one whose password is wrong', async () => {
    const url = new URL(database.url)
    url.password = 'wrong'
    const pool = openDatabase({ url: url.href, poolSize: 1, log })
    expect(kindsOf(await errorOf(pool.sql.raw('SELECT 1')))).toEqual([])
    await pool.close()
  })

  it('is known by a pool that has no connection to give', async () => {
    const pool = openDatabase({ url: database.url, poolSize: 1, log, acquireTimeoutMs: 300 })
    const starved = pool.write({}, () => errorOf(pool.sql.raw('SELECT 1')))
    expect(kindsOf(await starved)).toEqual(unavailable)
    await pool.close()
  })
})
