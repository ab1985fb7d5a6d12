import { expect, it } from 'vitest'
import { readRows } from '../../src/db/sql.ts'
import { emptyDatabase } from '../support/database.ts'
import { connectionsOf, openTestDatabase } from '../support/open-database.ts'
import { use } from '../support/use.ts'

const database = await use(emptyDatabase())
const timings = { db: { acquireTimeoutMs: 200 } }
// In packets, whatever the setting of the run is.
const db = await use(openTestDatabase({ url: database.url, poolSize: 2, isBatched: true, timings }))
const CONNECTION = 'SELECT CONNECTION_ID() AS id'

it('reads that run at the same time share a connection, which is free again after them', async () => {
  const ids = await db.together((one) =>
    Promise.all(
      [1, 2, 3].map(async () => (await readRows<{ id: number }>(one, CONNECTION, {}))[0]?.id),
    ),
  )
  expect(new Set(ids).size).toBe(1)
  expect(connectionsOf(db).used).toBe(0)
})

it('reads that got no connection leave none behind', async () => {
  const holding = db.together((one) => readRows(one, 'SELECT SLEEP(0.6)', {}))
  await db.together(async (one) => {
    const read = () =>
      readRows(one, CONNECTION, {}).then(
        () => 'read',
        () => 'none',
      )
    const again = async () => [await read(), await read(), await read(), await read()]
    const results = await Promise.all([again(), again(), again()])
    expect(results.flat()).toContain('none')
    expect(results.flat()).toContain('read')
  })
  await holding
  expect(connectionsOf(db).used).toBe(0)
  expect(await db.together((one) => readRows(one, 'SELECT 1 AS one', {}))).toEqual([{ one: 1 }])
})
