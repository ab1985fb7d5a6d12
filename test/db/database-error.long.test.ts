import { once } from 'node:events'
import { createConnection } from 'mysql2'
import { describe, expect, it, vi } from 'vitest'
import {
  isCharsetMismatch,
  isDatabaseUnavailable,
  isMissingTable,
  isRetryable,
} from '../../src/db/database-error.ts'
import { emptyDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { openTestDatabase } from '../support/open-database.ts'
import { sqlOf } from '../support/statements.ts'
import { use } from '../support/use.ts'

const database = await use(emptyDatabase())
const db = await use(openTestDatabase({ url: database.url, poolSize: 4 }))
await sqlOf(db).raw('CREATE TABLE tags (tag varchar(9) CHARACTER SET utf8mb3 PRIMARY KEY)')
await sqlOf(db)('tags').insert({ tag: 'taken' })

const errorOf = (work: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(work).then(
    () => Promise.reject(new Error('did not fail')),
    (error: unknown) => error,
  )

/** The names of the checks that match an error. */
const kindsOf = (error: unknown): string[] =>
  Object.entries({
    isRetryable,
    isCharsetMismatch,
    isMissingTable,
    isDatabaseUnavailable,
  })
    .filter(([, is]) => is(error))
    .map(([name]) => name)

/** The connections that run SLEEP in this database. */
async function sleepers(): Promise<number[]> {
  const [rows] = await sqlOf(db).raw(
    "SELECT id AS id FROM information_schema.processlist WHERE info LIKE 'SELECT SLEEP%' AND db = DATABASE()",
  )
  return rows.map(({ id }: { id: number }) => id)
}

/** Kills a connection or its statement from another connection, like an operator or a failing server. */
async function killWhile(work: PromiseLike<unknown>, how: 'KILL' | 'KILL QUERY'): Promise<unknown> {
  const failing = errorOf(work)
  const id = await eventually(async () => {
    const ids = await sleepers()
    expect(ids).toHaveLength(1)
    return ids[0]
  })
  await sqlOf(db).raw(`${how} ${id}`)
  const error = await failing
  // The client is notified before the process list changes: the next test would otherwise find this connection.
  await eventually(async () => expect(await sleepers()).toEqual([]))
  return error
}

describe('a database error', () => {
  it('is classified', async () => {
    expect(kindsOf(await errorOf(sqlOf(db)('tags').insert({ tag: 'taken' })))).toEqual([])
    expect(kindsOf(await errorOf(sqlOf(db)('tags').insert({ tag: '😀' })))).toEqual([
      'isCharsetMismatch',
    ])
    expect(kindsOf(await errorOf(sqlOf(db)('nowhere').select()))).toEqual(['isMissingTable'])
    expect(kindsOf(await errorOf(sqlOf(db).raw('SELEKT 1')))).toEqual([])
    expect(kindsOf(await errorOf(sqlOf(db)('tags').insert({ tag: 'x'.repeat(10) })))).toEqual([])
  })

  it.each([
    ['it waits for a lock for too long', 1205, true],
    ['it is the victim of a deadlock', 1213, true],
    ['a node of a Group Replication rejects the commit', 3101, true],
    ['a row has changed since the snapshot was opened', 1020, true],
    ['a node loses its cluster during a commit', 1180, false],
  ])('is temporary if %s', async (_how, number, isRetried) => {
    const signal = `SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = ${number}, MESSAGE_TEXT = 'rolled back'`
    expect(kindsOf(await errorOf(sqlOf(db).raw(signal)))).toEqual([
      ...(isRetried ? ['isRetryable'] : []),
      'isDatabaseUnavailable',
    ])
  })

  it('is not detected in other errors', () => {
    for (const error of [undefined, null, 'ECONNREFUSED', 1213, new Error('no'), {}]) {
      expect(kindsOf(error)).toEqual([])
    }
  })
})

describe('an unavailable database', () => {
  const unavailable = ['isDatabaseUnavailable']

  it('is detected if a connection is killed during a transaction', async () => {
    const work = vi.fn()
    const killed = await killWhile(
      db.write({}, async (tx) => {
        work()
        await sqlOf(tx).raw('SELECT SLEEP(30)')
      }),
      'KILL',
    )
    expect(kindsOf(killed)).toEqual(unavailable)
    expect(work).toHaveBeenCalledOnce()
  })

  it('is detected if a statement is killed', async () => {
    const ended = await killWhile(
      // SLEEP() alone returns 1 when it is killed.
      sqlOf(db).raw('SELECT SLEEP(30) FROM tags WHERE SLEEP(30) = 0'),
      'KILL QUERY',
    )
    expect(kindsOf(ended)).toEqual(unavailable)
  })

  it('recovers for the next statement with new connections', async () => {
    const pool = openTestDatabase({ url: database.url })
    const [[{ id }]] = await sqlOf(pool).raw('SELECT CONNECTION_ID() AS id')
    await sqlOf(db).raw(`KILL ${id}`)
    await eventually(async () => expect(await sqlOf(pool)('tags')).toHaveLength(1))
    await pool.close()
  })

  it.each([
    ['refuses connections', 'mysql://nobody@127.0.0.1:9/none'],
    ['has no address', 'mysql://nobody@database.invalid/none'],
    ['has no socket', 'mysql://nobody@localhost/none?socketPath=/nowhere/mysqld.sock'],
  ])('is detected if a server %s', async (_how, url) => {
    const pool = openTestDatabase({ url })
    expect(kindsOf(await errorOf(sqlOf(pool).raw('SELECT 1')))).toEqual(unavailable)
    await pool.close()
  })

  it('is not detected if the password is wrong', async () => {
    const url = new URL(database.url)
    url.password = 'wrong'
    const pool = openTestDatabase({ url: url.href })
    expect(kindsOf(await errorOf(sqlOf(pool).raw('SELECT 1')))).toEqual([])
    await pool.close()
  })

  it('is detected if the pool has no free connection', async () => {
    const timings = { db: { acquireTimeoutMs: 300 } }
    const pool = openTestDatabase({ url: database.url, timings })
    const sleeping = sqlOf(pool).raw('SELECT SLEEP(1)').then()
    const starved = errorOf(sqlOf(pool).raw('SELECT 1'))
    await sleeping
    expect(kindsOf(await starved)).toEqual(unavailable)
    await pool.close()
  })
})

it('takes what a server says while it ends an idle connection for a lost connection', async () => {
  const idle = createConnection(database.url)
  await new Promise<void>((connected) => idle.connect(() => connected()))
  const failed = once(idle, 'error')
  // MySQL's error 4031, which no statement has asked for: its length, its number among the packets, and an ERR packet.
  const message = Buffer.from('\u00ff\u00bf\u000f#HY000The client was disconnected', 'latin1')
  Reflect.get(idle, 'stream').emit(
    'data',
    Buffer.concat([Buffer.from([message.length, 0, 0, 0]), message]),
  )
  const [error] = await failed
  expect(error.message).toContain('disconnected')
  expect(kindsOf(error)).toEqual(['isDatabaseUnavailable'])
  idle.destroy()
})
