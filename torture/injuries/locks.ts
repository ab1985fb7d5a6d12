import { setTimeout as sleep } from 'node:timers/promises'
import { type Connection, createConnection } from 'mysql2/promise'
import { connectionSettings } from '../../src/db/connection.ts'
import { NETWORK_DATABASE, type Stage } from '../support/stage.ts'
import type { Injury } from './injury.ts'

/** Somebody holds the rows that every write needs, for longer than anybody waits. */
export const heldLocks: Injury = {
  name: 'locks are held until those who wait time out',
  lasts: 12_000,
  takesLong: true,
  spares: 'reads',
  inflict: async (stage) => {
    const holder = await connect(stage)
    const { options, termTaxonomy } = stage.site.tables
    await holder.query('START TRANSACTION')
    await holder.query(`SELECT option_id FROM ${options} FOR UPDATE`)
    await holder.query(`SELECT term_id FROM ${termTaxonomy} FOR UPDATE`)
    return () => holder.end().then(() => undefined)
  },
}

/** A backup holds all tables. */
export const backup: Injury = {
  name: 'a backup locks all tables',
  lasts: 12_000,
  takesLong: true,
  spares: 'reads',
  inflict: async (stage) => {
    const holder = await connect(stage)
    await holder.query('FLUSH TABLES WITH READ LOCK')
    return () => holder.end().then(() => undefined)
  },
}

/** Somebody takes the same rows in the contrary order, again and again. */
export const deadlocks: Injury = {
  name: 'deadlocks are forced',
  inflict: async (stage) => {
    let over = false
    const { options, posts, termTaxonomy } = stage.site.tables
    const rivals = [
      [`UPDATE ${posts} SET ping_status = 'closed'`, `SELECT option_id FROM ${options} FOR UPDATE`],
      [
        `SELECT option_id FROM ${options} WHERE option_name LIKE 'theme\\_mods%' FOR UPDATE`,
        `UPDATE ${termTaxonomy} SET description = ''`,
      ],
    ].map(async ([first = '', second = '']) => {
      const rival = await connect(stage)
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
    const before = await deadlocksOf(stage)
    return async () => {
      over = true
      await Promise.all(rivals)
      return `${(await deadlocksOf(stage)) - before} deadlocks`
    }
  },
}

function connect({ server }: Stage): Promise<Connection> {
  return createConnection({
    ...connectionSettings(`${server.adminUrl}${NETWORK_DATABASE}`),
  } as Parameters<typeof createConnection>[0])
}

async function deadlocksOf({ db }: Stage): Promise<number> {
  const [[status]] = await db.sql.raw("SHOW GLOBAL STATUS LIKE 'Innodb_deadlocks'")
  return Number(status?.Value)
}
