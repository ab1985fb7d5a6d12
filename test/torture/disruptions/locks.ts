import { setTimeout as sleep } from 'node:timers/promises'
import { type Connection, createConnection } from 'mysql2/promise'
import { connectionSettings } from '../../../src/db/connection.ts'
import { NETWORK_DATABASE, type TortureFixture } from '../support/torture-fixture.ts'
import type { Disruption } from './disruption.ts'

/** Locks the rows that every write needs, for longer than the lock wait timeout. */
export const lockedRows: Disruption = {
  name: 'row locks outlast the lock wait timeout',
  lasts: 12_000,
  takesLong: true,
  spares: 'reads',
  inflict: async (fixture) => {
    const holder = await connect(fixture)
    const { options, termTaxonomy } = fixture.site.tables
    await holder.query('START TRANSACTION')
    await holder.query(`SELECT option_id FROM ${options} FOR UPDATE`)
    await holder.query(`SELECT term_id FROM ${termTaxonomy} FOR UPDATE`)
    return () => holder.end().then(() => undefined)
  },
}

/** Locks all tables as a backup does. */
export const backup: Disruption = {
  name: 'a backup locks all tables',
  lasts: 12_000,
  takesLong: true,
  spares: 'reads',
  inflict: async (fixture) => {
    const holder = await connect(fixture)
    await holder.query('FLUSH TABLES WITH READ LOCK')
    return () => holder.end().then(() => undefined)
  },
}

/** Locks the same rows in the opposite order, repeatedly. */
export const deadlocks: Disruption = {
  name: 'deadlocks are forced',
  inflict: async (fixture) => {
    let over = false
    const { options, posts, termTaxonomy } = fixture.site.tables
    const rivals = [
      [`UPDATE ${posts} SET ping_status = 'closed'`, `SELECT option_id FROM ${options} FOR UPDATE`],
      [
        `SELECT option_id FROM ${options} WHERE option_name LIKE 'theme\\_mods%' FOR UPDATE`,
        `UPDATE ${termTaxonomy} SET description = ''`,
      ],
    ].map(async ([first = '', second = '']) => {
      const rival = await connect(fixture)
      while (!over) {
        await rival.query('START TRANSACTION')
        await rival.query(first).catch(() => {})
        await sleep(20)
        await rival.query(second).catch(() => {})
        await rival.query('ROLLBACK')
        await sleep(20)
      }
      await rival.end()
    })
    const before = await deadlocksOf(fixture)
    return async () => {
      over = true
      await Promise.all(rivals)
      return `${(await deadlocksOf(fixture)) - before} deadlocks`
    }
  },
}

function connect({ server }: TortureFixture): Promise<Connection> {
  return createConnection({
    ...connectionSettings(`${server.adminUrl}${NETWORK_DATABASE}`),
  } as Parameters<typeof createConnection>[0])
}

async function deadlocksOf({ db }: TortureFixture): Promise<number> {
  const [[metric]] = await db.sql.raw(
    "SELECT count AS count FROM information_schema.innodb_metrics WHERE name = 'lock_deadlocks'",
  )
  return Number(metric?.count)
}
