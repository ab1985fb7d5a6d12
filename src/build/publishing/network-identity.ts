import { createHash } from 'node:crypto'
import { hostname } from 'node:os'
import type { Database, Db } from '../../db/database.ts'
import { readRows, runStatement } from '../../db/sql.ts'
import type { Tx } from '../../db/transaction.ts'
import type { GlobalTables } from '../../wordpress/network/site.ts'

/** What the database says about the network. */
export type NetworkIdentity = {
  /** A UUID, which the folder of the static copies stores too. */
  readonly identity: string
  /** Whether page caches are purged. */
  readonly purges: boolean
  /** When the database was last found to be older than the folder, in UTC; null for never. */
  readonly restoredAt: string | null
  readonly restoredBecause: string | null
  /** False if the database has none of the names that it had before: it was copied or moved. */
  readonly isKnownDatabase: boolean
}

export const networkTable = ({ basePrefix }: GlobalTables): string => `${basePrefix}svc_network`

export const databaseNamesTable = ({ basePrefix }: GlobalTables): string =>
  `${basePrefix}svc_database_names`

type IdentityRow = {
  identity: string
  purges: number
  restored_at: string | null
  restored_because: string | null
  server: string
  known: number
}

/** Reads the identity of the network, at most every few seconds, and stores new names of its database. */
export class NetworkIdentities {
  readonly #db: Database
  readonly #globals: GlobalTables
  #kept: { readonly until: number; readonly read: Promise<NetworkIdentity> } | undefined

  constructor(db: Database, globals: GlobalTables) {
    this.#db = db
    this.#globals = globals
  }

  read(): Promise<NetworkIdentity> {
    const now = performance.now()
    if (this.#kept && now < this.#kept.until) return this.#kept.read
    const read = readIdentity(this.#db, this.#globals).then(async ({ identity, newNames }) => {
      if (identity.isKnownDatabase && newNames.length > 0)
        await this.#db.write({}, (tx) => storeDatabaseNames(tx, this.#globals, newNames))
      return identity
    })
    this.#kept = { until: now + this.#db.timings.publishing.identityKeptMs, read }
    read.catch(() => {
      this.#kept = undefined
    })
    return read
  }

  /** The next read asks the database. */
  forget(): void {
    this.#kept = undefined
  }
}

/** The identity of the network, and the present names of its database that are not stored yet. */
export async function readIdentity(
  db: Database,
  globals: GlobalTables,
): Promise<{ readonly identity: NetworkIdentity; readonly newNames: readonly string[] }> {
  const tables = { network: networkTable(globals), names: databaseNamesTable(globals) }
  const [row] = await readRows<IdentityRow>(
    db,
    `SELECT identity, purges, restored_at, restored_because,
        ${SERVER} AS server, (SELECT COUNT(*) FROM :names:) AS known
      FROM :network: WHERE id = 1`,
    tables,
  )
  if (row === undefined)
    throw new Error(`The table ${tables.network} is empty. Restore its row from a backup.`)
  const names = [nameOfAddress(db), row.server]
  const unknown = await withoutKnown(db, tables.names, names)
  // The cluster is asked for only where its answer can matter.
  const cluster = unknown.length === 0 ? [] : await clusterName(db)
  const newNames = [...unknown, ...(await withoutKnown(db, tables.names, cluster))]
  return {
    identity: {
      identity: row.identity,
      purges: row.purges === 1,
      restoredAt: row.restored_at,
      restoredBecause: row.restored_because,
      isKnownDatabase: Number(row.known) === 0 || newNames.length < names.length + cluster.length,
    },
    newNames,
  }
}

/** A socket, or a host that is the machine itself. */
const LOCAL_ADDRESS = /^(\/|localhost:|127\.[0-9.]+:|\[?::1\]?:)/

/** A local address leads to another server on each machine, so it has the name of the machine. */
const nameOfAddress = ({ address }: Pick<Database, 'address'>): string =>
  `address ${LOCAL_ADDRESS.test(address) ? `${hostname()} ` : ''}${address}`

/** The server that the database is on. */
const SERVER = "CONCAT('server ', @@hostname, ' ', @@datadir, ' ', DATABASE())"

/** All present names of the database. */
export async function findDatabaseNames(db: Database): Promise<readonly string[]> {
  const rows = await readRows<{ server: string }>(db, `SELECT ${SERVER} AS server`, {})
  const servers = rows.map(({ server }) => server)
  return [nameOfAddress(db), ...servers, ...(await clusterName(db))]
}

/** Stores names of the database. */
export async function storeDatabaseNames(
  tx: Tx,
  globals: GlobalTables,
  names: readonly string[],
): Promise<void> {
  for (const name of names)
    await runStatement(tx, 'INSERT IGNORE INTO :names: (digest, name) VALUES (:digest, :name)', {
      names: databaseNamesTable(globals),
      digest: digestOf(name),
      name,
    })
}

async function withoutKnown(
  db: Db,
  table: string,
  names: readonly string[],
): Promise<readonly string[]> {
  if (names.length === 0) return []
  const rows = await readRows<{ name: string }>(
    db,
    'SELECT name FROM :table: WHERE digest IN (:digests)',
    { table, digests: names.map(digestOf) },
  )
  const known = new Set(rows.map(({ name }) => name))
  return names.filter((name) => !known.has(name))
}

/** The Galera cluster of the server, if it is a member of one. */
async function clusterName(db: Db): Promise<readonly string[]> {
  const rows = await readRows<{ Value: string }>(
    db,
    "SHOW GLOBAL STATUS LIKE 'wsrep_cluster_state_uuid'",
    {},
  )
  const [{ Value: uuid = '' } = {}] = rows
  if (uuid === '') return []
  const [row] = await readRows<{ name: string }>(db, 'SELECT DATABASE() AS name', {})
  return [`cluster ${uuid} ${row?.name ?? ''}`]
}

const digestOf = (name: string): Buffer => createHash('sha256').update(name).digest()
