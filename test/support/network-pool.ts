import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise'
import { createDatabase, runScript } from '../../demo/private-database/run-script.ts'
import { loadNetwork, type NetworkKind } from './load-network.ts'

/** A database with the migrated network in it, for one user at a time. */
export type PooledNetwork = {
  readonly url: string
  /** Lets the next test file take the database, unless a connection to it is still open. */
  release(): Promise<void>
}

/** What tells that a table was changed: its definition, with the next id, and a checksum of its rows. */
type TableState = { readonly definition: string; readonly checksum: number }
type Tables = Record<string, TableState>

/**
 * Databases of one test run, shared by its worker processes through the database server. Loading the dump and migrating takes half a
 * second, mostly for 83 CREATE TABLE, and most test files change few tables: so a database that a file has released is taken by a later
 * one, which restores the tables that differ from the template. That takes 20 ms.
 */
export class NetworkPool {
  readonly #serverUrl: string
  /** Database of the pool's own tables: one of each run. */
  readonly #name: string

  constructor(serverUrl: string, name: string) {
    this.#serverUrl = serverUrl
    this.#name = name
  }

  /** Creates the pool's own tables. Call it once in a run. */
  async create(): Promise<void> {
    await runScript(
      await createDatabase(this.#serverUrl, this.#name),
      `CREATE TABLE templates (kind varchar(100) PRIMARY KEY, name varchar(64) NOT NULL, tables longtext NOT NULL);
      CREATE TABLE clones (name varchar(64) PRIMARY KEY, kind varchar(100) NOT NULL, user varchar(36))`,
    )
  }

  /** Drops every database of the pool. */
  async drop(): Promise<void> {
    await this.#connected(async (connection) => {
      const [rows] = await connection.query<RowDataPacket[]>(
        'SELECT name FROM clones UNION SELECT name FROM templates UNION SELECT ?',
        [this.#name],
      )
      for (const { name } of rows) await connection.query('DROP DATABASE IF EXISTS ??', [name])
    })
  }

  /** Gives a database in the state of the template. */
  async take(kind: NetworkKind): Promise<PooledNetwork> {
    const { name, user } = await this.#connected(async (connection) => {
      const template = await this.#template(connection, kind)
      const clone = await takeClone(connection, kindKey(kind))
      await restore(connection, clone.name, template)
      return clone
    })
    return {
      url: this.#urlOf(name),
      release: () =>
        this.#connected(async (connection) => {
          const clone = [name, user]
          const [[taken]] = await connection.query<RowDataPacket[]>(
            'SELECT 1 FROM clones WHERE name = ? AND user = ?',
            clone,
          )
          // Another file may use it already.
          if (!taken) throw new Error(`database ${name} was released before`)
          // A process that a test has killed or left may connect again: nobody takes its database.
          if ((await closeConnections(connection, name)) > 0) return
          const release = 'UPDATE clones SET user = NULL WHERE name = ? AND user = ?'
          await connection.query(release, clone)
        }),
    }
  }

  /** The template of this kind; the first to ask for it makes it while the others wait. */
  async #template(connection: Connection, kind: NetworkKind) {
    const key = kindKey(kind)
    const lock = `${this.#name} ${key}`
    await connection.query('SELECT GET_LOCK(?, 60)', [lock])
    try {
      const [[stored]] = await connection.query<RowDataPacket[]>(
        'SELECT name, tables FROM templates WHERE kind = ?',
        [key],
      )
      if (stored) return { name: String(stored.name), tables: JSON.parse(stored.tables) as Tables }
      const name = `${this.#name}_template_${randomBytes(3).toString('hex')}`
      await loadNetwork(this.#serverUrl, name, kind)
      const tables = await readTables(connection, name)
      const row = [key, name, JSON.stringify(tables)]
      await connection.query('INSERT INTO templates VALUES (?, ?, ?)', row)
      return { name, tables }
    } finally {
      await connection.query('SELECT RELEASE_LOCK(?)', [lock])
    }
  }

  #urlOf(name: string): string {
    return Object.assign(new URL(this.#serverUrl), { pathname: `/${name}` }).href
  }

  async #connected<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const uri = this.#urlOf(this.#name)
    const connection = await createConnection({ uri, multipleStatements: true })
    try {
      return await work(connection)
    } finally {
      await connection.end()
    }
  }
}

const kindKey = ({ prefix, charset }: NetworkKind): string => `${prefix} ${charset}`

/** Takes a clone that nobody uses, or creates an empty one. */
async function takeClone(
  connection: Connection,
  kind: string,
): Promise<{ readonly name: string; readonly user: string }> {
  const user = randomBytes(18).toString('hex')
  await connection.query(
    'UPDATE clones SET user = ? WHERE user IS NULL AND kind = ? ORDER BY name LIMIT 1',
    [user, kind],
  )
  const [[taken]] = await connection.query<RowDataPacket[]>(
    'SELECT name FROM clones WHERE user = ?',
    [user],
  )
  if (taken) return { name: taken.name, user }
  const name = `wp_frames_test_${randomBytes(6).toString('hex')}`
  await connection.query('CREATE DATABASE ?? CHARACTER SET utf8mb4', [name])
  await connection.query('INSERT INTO clones VALUES (?, ?, ?)', [name, kind, user])
  return { name, user }
}

/** Makes every table of the database like that of the template, and drops what the template does not have. */
async function restore(
  connection: Connection,
  name: string,
  template: { readonly name: string; readonly tables: Tables },
): Promise<void> {
  const tables = await readTables(connection, name)
  const extra = Object.keys(tables).filter((table) => !template.tables[table])
  const changed = Object.keys(template.tables).filter((table) => {
    const [is, was] = [tables[table], template.tables[table]]
    return is?.definition !== was?.definition || is?.checksum !== was?.checksum
  })
  // Zero dates are valid in a WordPress database.
  const statements = [`USE \`${name}\``, "SET sql_mode = ''"]
  for (const table of [...extra, ...changed]) statements.push(`DROP TABLE IF EXISTS \`${table}\``)
  for (const table of changed) {
    statements.push(template.tables[table]?.definition ?? '')
    statements.push(`INSERT INTO \`${table}\` SELECT * FROM \`${template.name}\`.\`${table}\``)
  }
  await connection.query(statements.join(';\n'))
}

/** The state of every table of a database. One with a trigger counts as changed, because restoring it drops the trigger. */
async function readTables(connection: Connection, database: string): Promise<Tables> {
  const [[names], [triggers]] = await Promise.all([
    connection.query<RowDataPacket[]>('SHOW TABLES FROM ??', [database]),
    connection.query<RowDataPacket[]>('SHOW TRIGGERS FROM ??', [database]),
  ])
  const tables = names.map((row) => `${Object.values(row)[0]}`)
  if (tables.length === 0) return {}
  const qualified = tables.map((table) => `\`${database}\`.\`${table}\``)
  const [definitions] = await connection.query<RowDataPacket[][]>(
    qualified.map((table) => `SHOW CREATE TABLE ${table}`).join(';'),
  )
  const [checksums] = await connection.query<RowDataPacket[]>(
    `CHECKSUM TABLE ${qualified.join(', ')}`,
  )
  const withTrigger = new Set(triggers.map(({ Table }) => Table))
  return Object.fromEntries(
    tables.map((table, index) => [
      table,
      {
        definition: withTrigger.has(table) ? '' : definitions[index]?.[0]?.['Create Table'],
        checksum: checksums[index]?.Checksum,
      },
    ]),
  )
}

/** How long connections that a test has closed may take to end, in milliseconds. */
const CLOSING_MS = 200

/** Ends what other processes still do on a database. @returns how many connections they had */
async function closeConnections(connection: Connection, database: string): Promise<number> {
  const listOpen = async () => {
    // MySQL does not read the view with this list while a statement has characters that its column has not.
    const [rows] = await connection.query<RowDataPacket[]>('SHOW PROCESSLIST')
    return rows.filter(({ db }) => db === database)
  }
  if ((await listOpen()).length === 0) return 0
  await sleep(CLOSING_MS)
  const open = await listOpen()
  // One may have ended by itself meanwhile.
  for (const { Id: id } of open) await connection.query('KILL ?', [id]).catch(() => {})
  return open.length
}
