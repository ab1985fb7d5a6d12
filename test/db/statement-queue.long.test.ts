import fc from 'fast-check'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { joinTransaction } from '../../src/db/database.ts'
import { isDatabaseUnavailable } from '../../src/db/database-error.ts'
import { readRows, runStatement } from '../../src/db/sql.ts'
import type { Tx, WriteOptions } from '../../src/db/transaction.ts'
import { emptyDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { openTestDatabase, type SqlDatabase } from '../support/open-database.ts'
import { startPacketRelay } from '../support/packets.ts'
import { runsOf } from '../support/runs-of.ts'
import { sqlOf } from '../support/statements.ts'
import { use } from '../support/use.ts'

/** Long for an ordinary statement, in milliseconds. */
const REPLY_TIMEOUT_MS = 2000

const database = await use(emptyDatabase())
const relay = await use(startPacketRelay(database.url))
const open = (url: string, isBatched: boolean): Promise<SqlDatabase> =>
  use(
    openTestDatabase({
      url,
      poolSize: 4,
      isBatched,
      timings: { db: { replyTimeoutMs: REPLY_TIMEOUT_MS } },
    }),
  )
const db = await open(relay.url, true)
const single = await open(relay.url, false)
/** Sees what is committed and locked. */
const other = await open(database.url, true)
await other.sql.raw(
  'CREATE TABLE things (id int AUTO_INCREMENT PRIMARY KEY, name varchar(40) UNIQUE, text longtext) ENGINE = InnoDB',
)
beforeEach(async () => {
  await other.sql('things').truncate()
  // Opens the connections, which sends statements of its own.
  for (const one of [db, single]) await one.write({}, (tx) => readRows(tx, 'SELECT 1', {}))
})

const INSERT = 'INSERT INTO things (name, text) VALUES (:name, :text)'
const insert = (tx: Tx, name: string, text = '') => runStatement(tx, INSERT, { name, text })
const insertLater = (tx: Tx, name: string, text = ''): void => tx.later(INSERT, { name, text })
const readNames = (tx: Tx) => readRows<{ name: string }>(tx, 'SELECT name FROM things', {})
const namesIn = (from: SqlDatabase): Promise<string[]> =>
  from.sql('things').orderBy('id').pluck('name')
/** Fails if a transaction has locked a row, or the end of the table. */
const assertUnlocked = async (): Promise<void> => {
  await other.sql.transaction((trx) => trx('things').forUpdate().noWait())
  // In two statements: a statement that reads both views fails while a test next to this one sends an emoji.
  const [transactions] = await other.sql.raw(
    'SELECT trx_mysql_thread_id AS id FROM information_schema.innodb_trx',
  )
  const [connections] = await other.sql.raw(
    'SELECT id AS id FROM information_schema.processlist WHERE db = DATABASE()',
  )
  const own = new Set(connections.map(({ id }: { id: unknown }) => Number(id)))
  expect(transactions.filter(({ id }: { id: unknown }) => own.has(Number(id)))).toEqual([])
}

const codeOf = (error: unknown): string =>
  String((error as { code?: unknown }).code ?? (error as Error).message)
const codeOfFailure = (work: Promise<unknown>): Promise<string> =>
  work.then(() => 'succeeded', codeOf)
const statementsOf = async (from: SqlDatabase, work: (tx: Tx) => Promise<unknown>) => {
  const packets = await relay.packetsOf(() => from.write({}, work))
  return packets.map(({ statements }) => statements.map((text) => text.replace(/ .*/s, '')))
}

describe('the statements of a transaction', () => {
  const work = async (tx: Tx): Promise<void> => {
    insertLater(tx, 'a')
    await Promise.all([insert(tx, 'b'), readNames(tx)])
    insertLater(tx, 'c')
    await sqlOf(tx)('things').where({ name: 'a' }).update({ text: 'changed' })
    insertLater(tx, 'd')
  }

  it('that are sent at the same time travel together, with those that wait', async () => {
    expect(await statementsOf(db, work)).toEqual([
      ['BEGIN', 'INSERT', 'INSERT', 'SELECT'],
      ['INSERT', 'update'],
      ['INSERT', 'COMMIT'],
    ])
    expect(await namesIn(other)).toEqual(['a', 'b', 'c', 'd'])
  })

  it('are sent one by one, in the same order, if the database is not batched', async () => {
    expect(await statementsOf(single, work)).toEqual(
      ['BEGIN', 'INSERT', 'INSERT', 'SELECT', 'INSERT', 'update', 'INSERT', 'COMMIT'].map((one) => [
        one,
      ]),
    )
    expect(await namesIn(other)).toEqual(['a', 'b', 'c', 'd'])
  })

  it('get the replies that belong to them', async () => {
    await db.write({}, async (tx) => {
      const written: number[] = []
      tx.later(
        INSERT,
        { name: 'a', text: '' },
        { onResult: ({ insertId }) => written.push(insertId) },
      )
      const replies = await Promise.all([
        insert(tx, 'b'),
        readNames(tx),
        readRows(tx, 'SELECT id FROM things WHERE 1 = 0', {}),
        runStatement(tx, "UPDATE things SET text = 'x'", {}),
        sqlOf(tx)('things').where({ name: 'b' }).first('id', 'name'),
        sqlOf(tx)('things').where({ name: 'b' }).delete(),
      ])
      expect(replies).toEqual([
        expect.objectContaining({ affectedRows: 1, insertId: 2 }),
        [{ name: 'a' }, { name: 'b' }],
        [],
        expect.objectContaining({ affectedRows: 2 }),
        { id: 2, name: 'b' },
        1,
      ])
      expect(written).toEqual([1])
    })
  })

  it('that end with a comment do not swallow the next one', async () => {
    await db.write({}, (tx) =>
      Promise.all([
        runStatement(tx, "INSERT INTO things (name) VALUES ('a') -- the first", {}),
        runStatement(tx, "INSERT INTO things (name) VALUES ('b') # the second", {}),
        readNames(tx),
      ]),
    )
    expect(await namesIn(other)).toEqual(['a', 'b'])
  })
})

describe.each([
  ['in packets', db],
  ['one by one', single],
])('statements that wait, sent %s,', (_how, own) => {
  it.each<[string, (tx: Tx) => Promise<unknown>]>([
    ['with the commit', async () => {}],
    ['with a read', readNames],
    ['with a write', (tx) => insert(tx, 'c')],
    ['by a flush', (tx) => tx.flush()],
    ['by a stream', (tx) => sqlOf(tx)('things').stream().toArray()],
    ['alone, because they are long', async (tx) => insertLater(tx, 'c', 'x'.repeat(150_000))],
    ['with a read whose error is caught', (tx) => readNames(tx).catch(() => [])],
    ['by a flush whose error is caught', (tx) => tx.flush().catch(() => {})],
  ])('fail the transaction if they fail when they are sent %s', async (_when, next) => {
    const failing = own.write({}, async (tx) => {
      await insert(tx, 'a')
      insertLater(tx, 'b')
      insertLater(tx, 'a')
      await next(tx)
      insertLater(tx, 'later')
    })
    expect(await codeOfFailure(failing)).toBe('ER_DUP_ENTRY')
    expect(await namesIn(other)).toEqual([])
    await assertUnlocked()
    await own.write({}, async (tx) => insertLater(tx, 'next'))
    expect(await namesIn(other)).toEqual(['next'])
  })

  it.each([
    ['long, so that it is bound', 'x'.repeat(150_000)],
    ['short', 'x'],
  ])('fail the transaction if the driver refuses a value: %s', async (_how, text) => {
    const wrong = { name: ['a', Object.create(null)], text } as never
    const failing = own.write({}, async (tx) => {
      insertLater(tx, 'b')
      tx.later('INSERT INTO things (name, text) VALUES (:name, :text)', wrong)
    })
    expect(await codeOfFailure(failing)).not.toBe('succeeded')
    expect(await namesIn(other)).toEqual([])
    await assertUnlocked()
  })

  it('fail with the error that explains it', async () => {
    const failing = own.write({}, async (tx) => {
      const explain = (error: unknown) => new Error(`the name is taken: ${codeOf(error)}`)
      for (const name of ['a', 'a', 'a']) tx.later(INSERT, { name, text: '' }, { explain })
    })
    await expect(failing).rejects.toThrow('the name is taken: ER_DUP_ENTRY')
  })

  it('run before a stream, which sees them', async () => {
    const names = await own.write({}, async (tx) => {
      insertLater(tx, 'a')
      const rows = await sqlOf(tx)('things').stream().toArray()
      return rows.map(({ name }) => name)
    })
    expect(names).toEqual(['a'])
  })

  it('are rolled back by a dry run, which reports their error', async () => {
    const result = await own.write({ dryRun: true }, async (tx) => {
      insertLater(tx, 'a')
      const names = await readNames(tx)
      insertLater(tx, 'b')
      return names
    })
    expect(result).toEqual([{ name: 'a' }])
    const failing = own.write({ dryRun: true }, async (tx) => {
      for (const name of ['c', 'c']) insertLater(tx, name)
    })
    expect(await codeOfFailure(failing)).toBe('ER_DUP_ENTRY')
    expect(await namesIn(other)).toEqual([])
    await assertUnlocked()
  })

  it('belong to the transaction that is joined', async () => {
    const within = (options: WriteOptions, fails: boolean) =>
      own.write(options, async (tx) => {
        const joined = joinTransaction(own, tx)
        await joined.write({}, async (inner) => insertLater(inner, 'a'))
        if (fails) await joined.write({}, async (inner) => insertLater(inner, 'a'))
        return readNames(tx)
      })
    expect(await codeOfFailure(within({}, true))).toBe('ER_DUP_ENTRY')
    expect(await within({ dryRun: true }, false)).toEqual([{ name: 'a' }])
    expect(await namesIn(other)).toEqual([])
    await within({}, false)
    expect(await namesIn(other)).toEqual(['a'])
  })

  it('are sent again after a deadlock, and effects follow once', async () => {
    await other.write({}, async (tx) => {
      insertLater(tx, 'a')
      insertLater(tx, 'b')
    })
    const change = (tx: Tx, name: string): void =>
      tx.later('UPDATE things SET text = CONCAT(text, :name) WHERE name = :name', { name })
    let [attempts, changed, arrived] = [0, 0, (): void => {}]
    const effects: number[] = []
    const both = new Promise<void>((done) => {
      arrived = done
    })
    const cross = (blogId: number, [first, second]: readonly [string, string]) =>
      own.write({ site: { blogId } }, async (tx) => {
        attempts += 1
        tx.afterCommit(async () => void effects.push(blogId))
        change(tx, first)
        await tx.flush()
        changed += 1
        if (changed === 2) arrived()
        await both
        change(tx, second)
      })
    await Promise.all([cross(1, ['a', 'b']), cross(2, ['b', 'a'])])
    expect(attempts).toBe(3)
    expect(effects.sort()).toEqual([1, 2])
    expect(await other.sql('things').orderBy('id').pluck('text')).toEqual(['aa', 'bb'])
  })
})

it('a packet whose connection is lost fails as a whole, and stores nothing', async () => {
  let id = 0
  const failing = db.write({}, async (tx) => {
    insertLater(tx, 'a')
    const [one] = await readRows<{ id: number }>(tx, 'SELECT CONNECTION_ID() AS id', {})
    id = one?.id ?? 0
    insertLater(tx, 'b')
    const killed = other.sql.raw(`DO SLEEP(0.3)`).then(() => other.sql.raw(`KILL ${id}`))
    const replies = await Promise.allSettled([
      insert(tx, 'c'),
      readRows(tx, 'SELECT SLEEP(30)', {}),
      insert(tx, 'd'),
    ])
    await killed
    expect(replies.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
    for (const reply of replies.slice(1))
      expect(isDatabaseUnavailable((reply as PromiseRejectedResult).reason)).toBe(true)
    insertLater(tx, 'e')
  })
  expect(isDatabaseUnavailable(await failing.catch((error: unknown) => error))).toBe(true)
  await db.write({}, (tx) => insert(tx, 'next'))
  expect(await namesIn(other)).toEqual(['next'])
})

it('the time limit for a reply counts for each statement of a packet', async () => {
  const seconds = (REPLY_TIMEOUT_MS * 0.4) / 1000
  const sleep = (tx: Tx, duration: number) =>
    readRows(tx, 'SELECT SLEEP(:duration) AS slept', { duration })
  const startedAt = performance.now()
  await db.write({}, (tx) => Promise.all([1, 2, 3, 4].map(() => sleep(tx, seconds))))
  expect(performance.now() - startedAt).toBeGreaterThan(REPLY_TIMEOUT_MS * 1.5)
  const failing = db.write({}, (tx) =>
    Promise.all([sleep(tx, 0), sleep(tx, (REPLY_TIMEOUT_MS * 3) / 1000)]),
  )
  expect(await codeOfFailure(failing)).toBe('ETIMEDOUT')
})

type Step =
  | { readonly kind: 'later' | 'insert'; readonly name: string; readonly isLong: boolean }
  | { readonly kind: 'read' | 'fail' | 'change' | 'lock' | 'flush' }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('later' as const, 'insert' as const),
      name: fc.constantFrom(...'abcdefghijklmnop'),
      isLong: fc.constantFrom(false, false, false, true),
    }),
  },
  fc.record({ kind: fc.constantFrom('read', 'fail', 'change', 'lock', 'flush') }),
)

const RUN: Readonly<Record<Step['kind'], (tx: Tx, step: Step) => Promise<unknown>>> = {
  later: async (tx, one) => {
    const row = { name: nameOf(one), text: textOf(one) }
    insertLater(tx, row.name, row.text)
  },
  insert: async (tx, one) => {
    const { affectedRows } = await insert(tx, nameOf(one), textOf(one))
    return affectedRows
  },
  read: (tx) =>
    readRows(
      tx,
      'SELECT name, LENGTH(text) AS size, text = :changed AS changed FROM things ORDER BY id',
      {
        changed: 'changed',
      },
    ),
  fail: (tx) => readRows(tx, 'SELECT * FROM nowhere', {}),
  change: (tx) => sqlOf(tx)('things').whereIn('name', ['a', 'b', 'c']).update({ text: 'changed' }),
  lock: (tx) => sqlOf(tx)('things').orderBy('id').limit(2).select('name').forUpdate(),
  flush: (tx) => tx.flush(),
}
const nameOf = (one: Step): string => ('name' in one ? one.name : '')
const textOf = (one: Step): string => ('isLong' in one && one.isLong ? 'x'.repeat(140_000) : '')

const FAILED_BEFORE_FLUSH: Step[][] = [
  [{ kind: 'insert', name: 'a', isLong: false }],
  [{ kind: 'insert', name: 'a', isLong: false }, { kind: 'flush' }, { kind: 'read' }],
]

/** But for the ids: an `INSERT` that fails after rows is sent twice, and each attempt uses one. */
it('the same statements have the same results in packets and one by one', async () => {
  const runOn = async (own: SqlDatabase, groups: readonly (readonly Step[])[], isDry: boolean) => {
    await other.sql('things').delete()
    const results: unknown[] = []
    const outcome = await codeOfFailure(
      own.write({ dryRun: isDry }, async (tx) => {
        for (const group of groups) {
          const replies = await Promise.allSettled(group.map((one) => RUN[one.kind](tx, one)))
          for (const reply of replies)
            results.push(reply.status === 'rejected' ? codeOf(reply.reason) : reply.value)
        }
      }),
    )
    const rows = await other.sql('things').orderBy('id').select('name', 'text')
    return { results, outcome, rows }
  }
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { maxLength: 8 }),
      fc.boolean(),
      async (groups, isDry) => {
        expect(await runOn(db, groups, isDry)).toEqual(await runOn(single, groups, isDry))
      },
    ),
    { numRuns: runsOf(150), examples: [[FAILED_BEFORE_FLUSH, false]] },
  )
})

it('the BEGIN of a snapshot ends the one before, and the last one ends soon', async () => {
  const read = () => db.snapshot((one) => readRows(one, 'SELECT COUNT(*) FROM things', {}))
  await read()
  const packets = await relay.packetsOf(async () => {
    await read()
    await read()
  })
  expect(
    packets.map(({ statements }) => statements.map((text) => text.replace(/ .*/s, ''))),
  ).toEqual([
    ['BEGIN', 'SELECT'],
    ['BEGIN', 'SELECT'],
  ])
  await vi.waitFor(assertUnlocked, { timeout: 30_000, interval: 250 })
})

it('a snapshot that fails before its first read leaves none open', async () => {
  for (const own of [db, single]) {
    await own.snapshot((one) => readRows(one, 'SELECT 1', {}))
    await own.snapshot((one) => readRows(one, 'SELECT COUNT(*) FROM things', {}))
    await own.snapshot(() => Promise.reject(new Error('no'))).catch(() => {})
  }
  // The server keeps this list for a tenth of a second after each look at it.
  await vi.waitFor(assertUnlocked, { timeout: 30_000, interval: 250 })
})

/** Whether an UPDATE is running, which waits for a lock. */
const isUpdating = async (): Promise<boolean> => {
  const [rows] = await other.sql.raw(
    "SELECT 1 FROM information_schema.processlist WHERE db = DATABASE() AND info LIKE 'UPDATE things SET text = ''''%'",
  )
  return rows.length > 0
}

it.each([true, false])(
  'a transaction whose statement fails after its work has ended is rolled back, so that the next one does not commit it (batched: %s)',
  async (isBatched) => {
    const timings = { db: { lockWaitSeconds: 1 } }
    const own = await use(openTestDatabase({ url: database.url, poolSize: 2, isBatched, timings }))
    await other.sql('things').insert({ name: 'locked' })
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
    expect(await namesIn(other)).toEqual(['locked', 'next'])
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
  expect(await namesIn(other)).toEqual([])
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
  expect(await other.sql('things').whereIn('name', ['n1', 'n3']).pluck('text')).toEqual([
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
