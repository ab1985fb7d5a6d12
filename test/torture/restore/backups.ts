import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createConnection, type RowDataPacket } from 'mysql2/promise'
import { MARKER } from '../../../src/build/publishing/network-marker.ts'
import { DatabaseServer } from '../support/database-server.ts'
import { NETWORK_DATABASE, type TortureFixture } from '../support/torture-fixture.ts'

/** Takes the database back to the moment of the backup. */
type Restore = () => Promise<void>

/** Makes a backup of a fixture's database. Its files are in `folder`, which is empty. */
export type Backup = (fixture: TortureFixture, folder: string) => Promise<Restore>

const BACKUP_DATABASE = 'backup'

/**
 * Copies tables as a dump does, and loads them as its client does: one table after the other, in the order of their names.
 * @param pauseMs pause after each table of the service while they are loaded
 */
export const dumpOf =
  (isIn: (table: string) => boolean, pauseMs = 0): Backup =>
  async ({ server, db }) => {
    const connection = await createConnection({ uri: server.adminUrl, multipleStatements: true })
    const [rows] = await connection.query<RowDataPacket[]>(`SHOW TABLES IN ${NETWORK_DATABASE}`)
    const tables = rows.map((row) => String(Object.values(row)[0])).filter(isIn)
    const copy = async (table: string, from: string, to: string) => {
      const [source, target] = [`${from}.\`${table}\``, `${to}.\`${table}\``]
      await connection.query(
        `DROP TABLE IF EXISTS ${target}; CREATE TABLE ${target} LIKE ${source}; INSERT INTO ${target} SELECT * FROM ${source}`,
      )
    }
    // Zero dates are valid in a WordPress database.
    await connection.query(`SET sql_mode = ''; CREATE DATABASE ${BACKUP_DATABASE}`)
    for (const table of tables) await copy(table, NETWORK_DATABASE, BACKUP_DATABASE)
    return async () => {
      for (const table of tables) {
        await copy(table, BACKUP_DATABASE, NETWORK_DATABASE)
        if (pauseMs > 0 && table.includes('_svc_')) await sleep(pauseMs)
      }
      await connection.end()
      db.cache.clear()
    }
  }

/** Copies the files of the server, and puts them back: its GTIDs go back too. */
export const filesOf: Backup = async ({ server, db }, folder) => {
  await server.stop()
  await cp(server.directory, folder, { recursive: true })
  await server.start()
  return async () => {
    await server.kill()
    await rm(server.directory, { recursive: true })
    await cp(folder, server.directory, { recursive: true })
    await server.start()
    db.cache.clear()
  }
}

/** Another server has received everything up to the backup, and takes over at the address when the first one has died. */
export const replicaOf: Backup = async ({ server, db }, folder) => {
  await server.stop()
  await cp(server.directory, folder, { recursive: true })
  await server.start()
  const { port } = server
  const replica = await DatabaseServer.make({
    ...server.options,
    directory: folder,
    port,
    args: [...(server.options.args ?? []), '--server-id=2'],
  })
  return async () => {
    await server.kill()
    await replica.start()
    db.cache.clear()
  }
}

/** Nothing goes back, but the folder of the static copies is lost: an empty one with a marker file replaces it. */
export const lostCopies: Backup =
  async ({ staticDir }) =>
  async () => {
    await rm(staticDir, { recursive: true })
    await mkdir(staticDir)
    await writeFile(join(staticDir, MARKER), '')
  }
