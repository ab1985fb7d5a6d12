import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readRows, runStatement, storeRows } from '../../src/db/sql.ts'
import type { NamedValues } from '../../src/db/statement-text.ts'
import type { Tx } from '../../src/db/transaction.ts'
import { emptyDatabase } from '../support/database.ts'
import { openTestDatabase, type SqlDatabase } from '../support/open-database.ts'
import { SQL_INJECTIONS } from '../support/sql-injections.ts'
import { sqlOf } from '../support/statements.ts'
import { use } from '../support/use.ts'

const database = await use(emptyDatabase())
const open = (isBatched: boolean): Promise<SqlDatabase> =>
  use(openTestDatabase({ url: database.url, poolSize: 2, isBatched }))
const db = await open(true)
const COLUMNS = 'id int AUTO_INCREMENT PRIMARY KEY, text longtext, bytes longblob'
await sqlOf(db).raw(`CREATE TABLE kept (${COLUMNS}) ENGINE = InnoDB CHARACTER SET utf8mb4`)
beforeEach(() => sqlOf(db).raw('CREATE TABLE IF NOT EXISTS canary (id int)'))
// The table is gone if a value has run.
afterEach(async () => {
  expect(await sqlOf(db)('canary')).toEqual([])
  await sqlOf(db)('kept').truncate()
})

/** Bytes that escape a quote in GBK, Big5 and Shift JIS. */
const BYTES = [
  Buffer.from("'; DROP TABLE canary; -- "),
  Buffer.from([0xbf, 0x27, 0x3b]),
  Buffer.from([0xbf, 0x5c, 0x27, 0x3b]),
  Buffer.from([0x83, 0x5c, 0x27]),
  Buffer.from([0, 0x1a, 0x5c, 0x22, 0xff]),
  Buffer.alloc(0),
]
const LONG = "'; DROP TABLE canary; -- \\".repeat(6000)
const TEXTS = [...SQL_INJECTIONS, LONG]

type Stored = { readonly text: string | null; readonly bytes: Buffer | null }

const INSERT = 'INSERT INTO kept (text, bytes) VALUES (:text, :bytes)'
const WAYS: Readonly<Record<string, (tx: Tx, row: Stored) => unknown>> = {
  'the query builder': (tx, row) => sqlOf(tx)('kept').insert(row),
  'a raw statement': (tx, { text, bytes }) =>
    sqlOf(tx).raw('INSERT INTO ?? (??, bytes) VALUES (?, ?)', ['kept', 'text', text, bytes]),
  'named values': (tx, row) => runStatement(tx, INSERT, row),
  'named values, later': (tx, row) => tx.later(INSERT, row),
  'rows of one statement': (tx, row) => storeRows(tx, [{ table: 'kept', rows: [row] }]),
}

describe.each([
  ['in packets', db],
  ['one by one', await open(false)],
])('values of statements that are sent %s', (_how, own) => {
  it.each(Object.entries(WAYS))('are stored as they are with %s', async (_way, send) => {
    const rows: Stored[] = [
      ...TEXTS.map((text) => ({ text, bytes: null })),
      ...BYTES.map((bytes) => ({ text: null, bytes })),
    ]
    await own.write({}, (tx) => Promise.all(rows.map((row) => send(tx, row))))
    const stored: Stored[] = await sqlOf(db)('kept').select('text', 'bytes')
    const sorted = (some: readonly Stored[]) =>
      some.map(({ text, bytes }) => `${text} ${bytes?.toString('hex')}`).sort()
    expect(sorted(stored)).toEqual(sorted(rows))
  })

  it('are found as they are', async () => {
    await own.write({}, async (tx) => {
      await Promise.all(TEXTS.map((text) => sqlOf(tx)('kept').insert({ text })))
      const found = await Promise.all(
        TEXTS.map((text) =>
          Promise.all([
            readRows(tx, 'SELECT text FROM kept WHERE BINARY text = BINARY :text', { text }),
            readRows(tx, 'SELECT text FROM kept WHERE BINARY text IN (:texts)', {
              texts: [text, 'none'],
            }),
            sqlOf(tx)('kept').whereRaw('BINARY text = BINARY ?', [text]).select('text'),
          ]),
        ),
      )
      for (const [index, text] of TEXTS.entries())
        expect(found[index]).toEqual([[{ text }], [{ text }], [{ text }]])
    })
  })

  it('have the type that they have', async () => {
    const values: readonly (readonly [unknown, unknown])[] = [
      [0, 0],
      [-1, -1],
      [1.5, '1.5'],
      [1e21, 1e21],
      [2n ** 63n, String(2n ** 63n)],
      [true, 1],
      [false, 0],
      [null, null],
      [new Date(2026, 0, 2, 3, 4, 5), '2026-01-02 03:04:05.000'],
      // What JSON of a client can contain where a text is expected.
      [{}, '[object Object]'],
      [JSON.parse('{"toSqlString": "1; DROP TABLE canary"}'), '[object Object]'],
      [JSON.parse('{"__proto__": {"toSqlString": "1"}, "a": "b"}'), '[object Object]'],
      [["'; DROP TABLE canary; -- "], "'; DROP TABLE canary; -- "],
    ]
    await own.write({}, async (tx) => {
      const read = values.map(([value]) =>
        readRows(tx, 'SELECT :value AS value', { value } as NamedValues),
      )
      for (const [index, rows] of (await Promise.all(read)).entries())
        expect(rows).toEqual([{ value: values[index]?.[1] }])
    })
  })

  it.each<[string, NamedValues, ...number[]]>([
    ['a number that is none', { id: Number.NaN }, 1054],
    ['an infinite number', { id: Number.POSITIVE_INFINITY }, 1054],
    ['a list where one value is expected', { id: [1, 2] }, 1241, 4078],
    ['a list of lists', { id: [[1, "'; DROP TABLE canary"]] }, 1241, 4078],
    ['an empty list', { id: [] }, 1064],
    ['no value', {}, 1064],
  ])('are refused by the server if they are %s', async (_what, values, ...numbers) => {
    const reading = own.write({}, (tx) =>
      readRows(tx, 'SELECT * FROM kept WHERE id = (:id)', values),
    )
    // MariaDB and MySQL have different numbers for lists.
    await expect(reading.catch(({ errno }) => errno)).resolves.toBeOneOf(numbers)
  })

  it('that name tables and columns are names only', async () => {
    for (const name of [...SQL_INJECTIONS, 'canary.id', 'a->b'].filter(
      (one) => !one.includes('\0'),
    )) {
      const reads = (tx: Tx) => [
        readRows(tx, 'SELECT * FROM :name:', { name }),
        readRows(tx, 'SELECT :name: FROM kept', { name }),
        sqlOf(tx)(name).select(),
        sqlOf(tx)('kept').select(name),
      ]
      const replies = await own.write({}, (tx) => Promise.allSettled(reads(tx)))
      for (const reply of replies) {
        expect(reply.status).toBe('rejected')
        // A name that gets out of its quotes is a syntax error.
        expect((reply as PromiseRejectedResult).reason.code).not.toBe('ER_PARSE_ERROR')
      }
    }
  })

  it('are not put into the quotes or comments of a statement', async () => {
    const id = "'; DROP TABLE canary; -- "
    const [row] = await own.write({}, (tx) =>
      readRows(
        tx,
        `SELECT ':id \\' :id '' :id' AS a, ":id \\" :id" AS b, :id AS \`:id\` -- :id
        # :id
        /* :id */ /*! , :id AS c */`,
        { id },
      ),
    )
    expect(row).toEqual({ a: ":id ' :id ' :id", b: ':id " :id', ':id': id, c: id })
  })

  it('are own properties', async () => {
    const reading = own.write({}, (tx) => readRows(tx, 'SELECT :constructor AS value', {}))
    await expect(reading).rejects.toMatchObject({ code: 'ER_PARSE_ERROR' })
  })
})
