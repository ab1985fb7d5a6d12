import { beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { readRows } from '../../src/db/sql.ts'
import type { ValidatedRead } from '../../src/db/validated-reads.ts'
import { emptyDatabase } from '../support/database.ts'
import { openTestDatabase } from '../support/open-database.ts'
import { sqlOf, statementsOf } from '../support/statements.ts'
import { use } from '../support/use.ts'

const database = await use(emptyDatabase())
const db = await use(openTestDatabase({ url: database.url, poolSize: 4 }))
await db.sql.raw(
  `CREATE TABLE things (id INT PRIMARY KEY, name VARCHAR(50), text LONGTEXT, time DATETIME, amount DECIMAL(9,2))
    CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci`,
)

type Thing = { id: number; name: string | null; text?: string | null }
const insert = (...things: object[]) => db.sql('things').insert(things)
beforeEach(async () => {
  db.cache.clear()
  await db.sql('things').delete()
  await insert(
    { id: 1, name: 'one', text: 'Ä“quoted” \\ \' "', time: '2031-01-02 03:04:05' },
    { id: 2 },
  )
})

/** Reads through `validated` and returns the rows, and whether they were read again. */
async function read(
  reading: ValidatedRead<Database, readonly object[]>,
): Promise<{ rows: readonly object[]; isNew: boolean }> {
  let isNew = false
  const counted: typeof reading = async (db, markVolatile) => {
    isNew = true
    // A single statement is not validated.
    await readRows(db, 'SELECT 1 AS one', {})
    return reading(db, markVolatile)
  }
  const rows = await db.validated(String(reading), counted, () => 100)
  return { rows, isNew }
}

const all: ValidatedRead<Database, Thing[]> = (db) => readRows(db, 'SELECT * FROM things', {})
const named: ValidatedRead<Database, Thing[]> = (db) =>
  sqlOf(db)('things').where({ name: 'one' }).orWhereIn('id', [2, 3]).orderBy('name', 'desc')

describe('a validated read', () => {
  it.each([
    ['of an SQL text', all],
    ['of the query builder', named],
    [
      'of several statements',
      async (db: Database) => [
        ...(await all(db, (value) => value)),
        ...(await named(db, (value) => value)),
      ],
    ],
    [
      'of a union',
      (db: Database) =>
        readRows<Thing>(db, 'SELECT id, name FROM things UNION ALL SELECT :id, text FROM things', {
          id: 9,
        }),
    ],
    [
      'of a recursive statement',
      (db: Database) =>
        readRows<Thing>(
          db,
          'WITH RECURSIVE below (id) AS (SELECT 1 UNION SELECT things.id FROM things JOIN below ON things.id = below.id + 1) SELECT id FROM below',
          {},
        ),
    ],
    ['with a limit', (db: Database) => sqlOf(db)('things').orderBy('id').limit(1)],
    ['with an aggregate', (db: Database) => sqlOf(db)('things').count({ count: '*' }).max('text')],
    ['without rows', (db: Database) => sqlOf(db)('things').where({ id: 99 })],
  ])('%s is kept, and validated with one statement', async (_, reading) => {
    const first = await read(reading)
    expect(first.isNew).toBe(true)
    let second = first
    const statements = await statementsOf(db, async () => {
      second = await read(reading)
    })
    expect(second).toEqual({ rows: first.rows, isNew: false })
    expect(statements).toHaveLength(1)
  })

  it.each([
    ['a change of a value', { name: 'One' }],
    ['an added accent', { name: 'oné' }],
    ['a trailing space', { name: 'one ' }],
    ['an empty text instead of NULL', { amount: 0 }],
    ['a change that the collation ignores', { text: 'ä“QUOTED” \\ \' "' }],
    ['a changed time', { time: '2031-01-02 03:04:06' }],
    ['a swap of two columns', { name: 'Ä“quoted” \\ \' "', text: 'one' }],
  ])('is read again after %s', async (_, change) => {
    await read(all)
    await db.sql('things').where({ id: 1 }).update(change)
    const { rows, isNew } = await read(all)
    expect(isNew).toBe(true)
    expect(rows).toEqual(await db.sql('things'))
    expect((await read(all)).isNew).toBe(false)
  })

  it('is read again after rows were added or deleted, also equal ones', async () => {
    const names: ValidatedRead<Database, object[]> = (db) => sqlOf(db)('things').select('name')
    await insert({ id: 3, name: 'same' })
    for (const id of [4, 5, 6, 7]) {
      await read(names)
      await insert({ id, name: 'same' })
      const { rows, isNew } = await read(names)
      expect([rows.length, isNew]).toEqual([id, true])
    }
    await db.sql('things').where({ id: 7 }).delete()
    expect((await read(names)).rows).toHaveLength(6)
  })

  it('is validated without a limit that it does not reach, and read again when there are more rows', async () => {
    const some: ValidatedRead<Database, object[]> = (db) =>
      readRows(db, 'SELECT id, name FROM things ORDER BY id LIMIT :most', { most: 3 })
    const textOf = ({ text = '' }): string => text
    const validate = async () => (await statementsOf(db, () => read(some), textOf)).join('\n')
    await read(some)
    expect(await validate()).not.toContain('LIMIT 3')
    await insert({ id: 3 }, { id: 4 })
    const { rows, isNew } = await read(some)
    expect([rows.length, isNew]).toEqual([3, true])
    expect(await validate()).toContain('LIMIT 3')
    expect((await read(some)).isNew).toBe(false)
  })

  it('is not confused by a NULL that changes its column', async () => {
    await read(all)
    await db.sql('things').where({ id: 2 }).update({ name: 'x' })
    await read(all)
    await db.sql('things').where({ id: 2 }).update({ name: null, text: 'x' })
    expect((await read(all)).isNew).toBe(true)
  })

  it.each<[string, ValidatedRead<Database, object[]>]>([
    [
      'reads the clock',
      async (db, markVolatile) => [markVolatile(new Date()), await sqlOf(db)('things')],
    ],
    ['reads the clock of the database', async (db) => readRows(db, 'SELECT NOW(6) AS now', {})],
    ['locks rows', async (db) => sqlOf(db)('things').forUpdate()],
    [
      'writes',
      async (db) => {
        await db.write({}, (tx) => sqlOf(tx)('things').where({ id: 2 }).update({ name: 'two' }))
        return sqlOf(db)('things')
      },
    ],
    ['opens a snapshot', async (db) => db.snapshot((snapshot) => sqlOf(snapshot)('things'))],
    [
      'reads two columns with one name',
      async (db) => readRows(db, 'SELECT id, 1 AS id FROM things', {}),
    ],
    [
      'reads a value with the separator',
      async (db) => readRows(db, "SELECT 'a\u0001b' AS text", {}),
    ],
    ['sends one statement', async () => []],
  ])('is not kept if it %s', async (_, reading) => {
    await read(reading)
    expect((await read(reading)).isNew).toBe(true)
  })

  it('is not kept if its result is large', async () => {
    const reading = () =>
      db.validated(
        'large',
        (db) => sqlOf(db)('things'),
        () => 10 ** 6,
      )
    await reading()
    expect(await statementsOf(db, reading)).toHaveLength(1)
    expect(db.cache.size).toBe(0)
  })

  it('fails like a read if its table is gone, and keeps nothing of a failed read', async () => {
    await db.sql.raw('CREATE TABLE gone (id INT)')
    const gone: ValidatedRead<Database, object[]> = (db) => sqlOf(db)('gone')
    await read(gone)
    await db.sql.raw('DROP TABLE gone')
    await expect(read(gone)).rejects.toMatchObject({ code: 'ER_NO_SUCH_TABLE' })
    await db.sql.raw('CREATE TABLE gone (id INT)')
    expect(await read(gone)).toEqual({ rows: [], isNew: true })
  })

  it('records concurrent reads separately', async () => {
    const of = (id: number) => () =>
      db.validated(
        `thing ${id}`,
        async (db) => [
          ...(await sqlOf(db)('things').where({ id })),
          ...(await sqlOf(db)('things').where({ id }).select('id')),
        ],
        () => 100,
      )
    await Promise.all([of(1)(), of(2)()])
    await db.sql('things').where({ id: 2 }).update({ name: 'changed' })
    const statements = await statementsOf(db, async () => {
      expect(await of(1)()).toMatchObject([{ name: 'one' }, { id: 1 }])
      expect(await of(2)()).toMatchObject([{ name: 'changed' }, { id: 2 }])
    })
    expect(statements).toHaveLength(4)
  })
})
