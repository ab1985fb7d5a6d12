import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { isDatabaseUnavailable } from '../../src/db/database-error.ts'
import { emptyDatabase } from '../support/database.ts'
import { connectionsOf, openTestDatabase } from '../support/open-database.ts'
import { startRelay } from '../support/relay.ts'
import { sqlOf } from '../support/statements.ts'
import { use } from '../support/use.ts'

/** Short, to keep the test fast, but long for an ordinary statement. In milliseconds. */
const REPLY_TIMEOUT_MS = 2000

const database = await use(emptyDatabase())
const relay = await use(startRelay(database.url))
const timings = { db: { replyTimeoutMs: REPLY_TIMEOUT_MS } }
const db = await use(openTestDatabase({ url: relay.url, poolSize: 2, timings }))

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'answered',
    (error: unknown) => error,
  )

it('the database fails statements without a reply, and recovers when the server replies again', async () => {
  await sqlOf(db).raw('CREATE TABLE things (name varchar(20) PRIMARY KEY) ENGINE = InnoDB')
  const insert = (name: string) => db.write({}, (tx) => sqlOf(tx)('things').insert({ name }))
  relay.block()
  const failures = await Promise.all([
    failureOf(db.ping()),
    failureOf(sqlOf(db).raw('SELECT ?', ['x'.repeat(100_000)])),
    failureOf(insert('silent')),
  ])
  expect(failures.map(isDatabaseUnavailable)).toEqual([true, true, true])
  expect(isDatabaseUnavailable(await failureOf(insert('still silent')))).toBe(true)
  relay.resume()
  await insert('served')
  expect(await sqlOf(db)('things').pluck('name')).toEqual(['served'])
  expect(connectionsOf(db)).toMatchObject({ used: 0, waiting: 0 })
})

it('the database rolls back a transaction if the server stops replying', async () => {
  const failure = await failureOf(
    db.write({}, async (tx) => {
      await sqlOf(tx)('things').insert({ name: 'half' })
      relay.block()
      await sqlOf(tx)('things').insert({ name: 'other half' })
    }),
  )
  relay.resume()
  expect(isDatabaseUnavailable(failure)).toBe(true)
  expect(await sqlOf(db)('things').pluck('name')).not.toContain('half')
})

it('the database fails a streamed statement whose rows stop', async () => {
  await sqlOf(db).raw('CREATE TABLE texts (text longtext) ENGINE = InnoDB')
  const texts = Array.from({ length: 64 }, () => ({ text: 'x'.repeat(250_000) }))
  for (const text of texts) await db.write({}, (tx) => sqlOf(tx)('texts').insert(text))
  let rows = 0
  const failure = await failureOf(
    (async () => {
      for await (const _ of sqlOf(db)('texts').stream()) {
        rows += 1
        if (rows === 1) relay.block()
      }
    })(),
  )
  relay.resume()
  expect(isDatabaseUnavailable(failure)).toBe(true)
  expect(rows).toBeLessThan(texts.length)
})

it('the database waits for a slow reader of a streamed statement', async () => {
  let rows = 0
  for await (const _ of sqlOf(db)('texts').stream()) {
    rows += 1
    if (rows === 1) await sleep(REPLY_TIMEOUT_MS * 1.5)
  }
  expect(rows).toBe(64)
})
