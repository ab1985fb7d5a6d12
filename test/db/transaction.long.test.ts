import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Tx } from '../../src/db/transaction.ts'
import { createLog } from '../../src/host/log.ts'
import { emptyDatabase } from '../support/database.ts'
import { openTestDatabase } from '../support/open-database.ts'
import { sqlOf } from '../support/statements.ts'
import { use } from '../support/use.ts'

const log = { ...createLog('silent'), error: vi.fn() }

const database = await use(emptyDatabase())
const db = await use(openTestDatabase({ url: database.url, poolSize: 4, log }))
await db.sql.raw('CREATE TABLE rows_of_a_test (name varchar(20) PRIMARY KEY, value int NOT NULL)')
beforeEach(async () => {
  log.error.mockClear()
  await db.sql('rows_of_a_test').delete()
  await db.sql('rows_of_a_test').insert([
    { name: 'a', value: 0 },
    { name: 'b', value: 0 },
  ])
})

const values = async (): Promise<Record<string, number>> => {
  const rows = await db.sql('rows_of_a_test').orderBy('name')
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}
const increment = (tx: Tx, name: string) =>
  sqlOf(tx)('rows_of_a_test').where({ name }).increment('value', 1)

/** A promise and the function that resolves it. */
function gate(): { passed: Promise<void>; open: () => void } {
  let open = (): void => {}
  const passed = new Promise<void>((resolve) => {
    open = resolve
  })
  return { passed, open }
}

/** An error like the driver's. */
const driverError = (errno: number): Error => Object.assign(new Error('from the driver'), { errno })

describe('write', () => {
  it('refuses statements of code that goes on after the work has failed', async () => {
    const { passed, open } = gate()
    const late: { sent?: Promise<void> } = {}
    const failing = db.write({}, (tx) => {
      late.sent = passed.then(() =>
        tx.later("UPDATE rows_of_a_test SET value = 9 WHERE name = 'a'"),
      )
      throw new Error('expected')
    })
    await expect(failing).rejects.toThrow('expected')
    open()
    await expect(late.sent).rejects.toThrow('the transaction has ended')
    await db.write({}, (tx) => increment(tx, 'b'))
    expect(await values()).toEqual({ a: 0, b: 1 })
  })

  it('retries after a lock timeout, without the changes of the first attempt', async () => {
    const locked = gate()
    const release = gate()
    const holder = db.write({ site: { blogId: 1 } }, async (tx) => {
      await increment(tx, 'b')
      locked.open()
      await release.passed
    })
    await locked.passed
    let attempts = 0
    await db.write({ site: { blogId: 2 } }, async (tx) => {
      attempts += 1
      if (attempts === 1) await sqlOf(tx).raw('SET SESSION innodb_lock_wait_timeout = 1')
      else {
        await sqlOf(tx).raw('SET SESSION innodb_lock_wait_timeout = 30')
        release.open()
      }
      await increment(tx, 'a')
      await increment(tx, 'b')
    })
    await holder
    expect(attempts).toBe(2)
    expect(await values()).toEqual({ a: 1, b: 2 })
  })

  it.each([1213, 1205, 3101, 1020])('fails after six attempts: %i', async (errno) => {
    const work = vi.fn(() => Promise.reject(driverError(errno)))
    await expect(db.write({}, work)).rejects.toMatchObject({ errno })
    expect(work).toHaveBeenCalledTimes(6)
  })

  it('does not retry after other errors', async () => {
    const work = vi.fn((tx: Tx) => sqlOf(tx).raw('SELECT * FROM nowhere'))
    await expect(db.write({}, work)).rejects.toMatchObject({ errno: 1146 })
    expect(work).toHaveBeenCalledOnce()
  })
})

describe('afterCommit', () => {
  it('runs effects in order, after the changes are visible', async () => {
    const seen: unknown[] = []
    await db.write({}, async (tx) => {
      tx.afterCommit(async () => void seen.push(['first', (await values()).a]))
      tx.afterCommit(async () => void seen.push(['second']))
      await increment(tx, 'a')
      seen.push(['work', (await values()).a])
    })
    expect(seen).toEqual([['work', 0], ['first', 1], ['second']])
  })

  it('logs a failed effect, runs the others and keeps the write', async () => {
    const seen: string[] = []
    const result = await db.write({}, async (tx) => {
      tx.afterCommit(() => Promise.reject(new Error('the cache is away')))
      tx.afterCommit(async () => void seen.push('second'))
      await increment(tx, 'a')
      return 'done'
    })
    expect(result).toBe('done')
    expect(seen).toEqual(['second'])
    expect((await values()).a).toBe(1)
    expect(log.error).toHaveBeenCalledExactlyOnceWith(
      { err: expect.objectContaining({ message: 'the cache is away' }) },
      expect.any(String),
    )
  })

  it('does not retry a committed write if an effect throws', async () => {
    const effect = vi.fn((): Promise<void> => {
      throw driverError(1213)
    })
    await db.write({}, async (tx) => {
      tx.afterCommit(effect)
      await increment(tx, 'a')
    })
    expect(effect).toHaveBeenCalledOnce()
    expect((await values()).a).toBe(1)
    expect(log.error).toHaveBeenCalledOnce()
  })
})

it('snapshot sees the rows as they were at its first read', async () => {
  const seen = await db.snapshot(async (one) => {
    const sql = sqlOf(one)
    const read = () => sql('rows_of_a_test').where({ name: 'a' }).first()
    const before = await read()
    await db.write({}, (tx) => increment(tx, 'a'))
    return [before, await read()]
  })
  expect(seen).toEqual([
    { name: 'a', value: 0 },
    { name: 'a', value: 0 },
  ])
  expect(await values()).toEqual({ a: 1, b: 0 })
})
