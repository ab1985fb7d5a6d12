import { beforeEach, expect, it } from 'vitest'
import { openDatabase } from '../../src/db/database.ts'
import { runStatement } from '../../src/db/sql.ts'
import type { Tx } from '../../src/db/transaction.ts'
import { createLog } from '../../src/host/log.ts'
import { emptyDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { sqlOf } from '../support/statements.ts'
import { FAST, withTimings } from '../support/timings.ts'
import { use } from '../support/use.ts'

const database = await use(emptyDatabase())
const log = createLog('silent')
const open = (isBatched: boolean) =>
  use(openDatabase({ url: database.url, poolSize: 4, log, isBatched, timings: FAST }))
const db = await open(true)
const single = await open(false)
/** Sees what is committed. */
const other = await open(true)
await sqlOf(other).raw(
  'CREATE TABLE things (id int AUTO_INCREMENT PRIMARY KEY, name varchar(40) UNIQUE, text longtext) ENGINE = InnoDB',
)
beforeEach(() => sqlOf(other)('things').truncate())

/** Whether an UPDATE is running, which waits for a lock. */
const isUpdating = async (): Promise<boolean> => {
  const [rows] = await sqlOf(other).raw(
    "SELECT 1 FROM information_schema.processlist WHERE db = DATABASE() AND info LIKE 'UPDATE things SET text = ''''%'",
  )
  return rows.length > 0
}

const INSERT = 'INSERT INTO things (name, text) VALUES (:name, :text)'
const insert = (tx: Tx, name: string, text = '') => runStatement(tx, INSERT, { name, text })
const insertLater = (tx: Tx, name: string, text = ''): void => tx.later(INSERT, { name, text })
const namesIn = (): Promise<string[]> => sqlOf(other)('things').orderBy('id').pluck('name')

it.each([true, false])(
  'a transaction whose statement fails after its work has ended is rolled back, so that the next one does not commit it (batched: %s)',
  async (isBatched) => {
    const own = await use(
      openDatabase({
        url: database.url,
        poolSize: 2,
        log,
        isBatched,
        timings: withTimings({ db: { lockWaitSeconds: 1 } }, FAST),
      }),
    )
    await sqlOf(other)('things').insert({ name: 'locked' })
    await other.write({}, async (holder) => {
      await runStatement(holder, "UPDATE things SET text = 'locked' WHERE name = 'locked'", {})
      // The work ends while its statement waits for the lock.
      const failing = own.write({}, async (tx) => {
        insertLater(tx, 'unpublished')
        const waiting = runStatement(tx, "UPDATE things SET text = '' WHERE name = 'locked'", {})
        waiting.catch(() => {})
        await eventually(async () => expect(await isUpdating()).toBe(true))
        throw new Error('stopped')
      })
      await expect(failing).rejects.toThrow('stopped')
    })
    await own.write({}, (tx) => insert(tx, 'next'))
    expect(await namesIn()).toEqual(['locked', 'next'])
  },
)

it('a dry run waits for statements that were sent because they are many', async () => {
  const text = 'x'.repeat(100_000)
  const writing = db.write({ dryRun: true }, async (tx) => {
    for (let index = 0; index < 12; index += 1) insertLater(tx, `name ${index}`, text)
    insertLater(tx, 'name 0')
    await new Promise((resolve) => setImmediate(resolve))
  })
  await expect(writing).rejects.toMatchObject({ code: 'ER_DUP_ENTRY' })
  expect(await namesIn()).toEqual([])
})

it('a statement with long texts keeps its expressions', async () => {
  const now = { toSqlString: () => 'UPPER(REPEAT("a", 3))' }
  const rows = Array.from({ length: 3 }, (_, index) => [
    `n${index}`,
    index === 1 ? now : 'y'.repeat(60_000),
  ])
  for (const one of [db, single])
    await one.write({}, (tx) => {
      tx.later('DELETE FROM things')
      tx.later('INSERT INTO things (name, text) VALUES :rows', { rows: [...rows, ['n3', now]] })
    })
  expect(await sqlOf(other)('things').whereIn('name', ['n1', 'n3']).pluck('text')).toEqual([
    'AAA',
    'AAA',
  ])
})

it('the error of a statement reaches its own caller without the texts of the others', async () => {
  const failing = db.write({}, async (tx) => {
    insertLater(tx, 'a')
    insertLater(tx, 'a')
    for (let index = 0; index < 20; index += 1) insertLater(tx, `b${index}`)
  })
  const error = await failing.catch((reason: Error) => reason.message)
  expect(String(error).match(/INSERT INTO things/g)).toHaveLength(1)
})
