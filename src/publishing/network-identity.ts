import { createHash } from 'node:crypto'
import type { Database, Db } from '../db/database.ts'
import { readRows } from '../db/sql.ts'
import type { Tx } from '../db/transaction.ts'
import type { GlobalTables } from '../wordpress/network/site.ts'

/** What the database says about the network. */
export type NetworkIdentity = {
  /** A UUID, which the folder of the static copies stores too. */
  readonly identity: string
  /** Whether page caches are purged. */
  readonly purges: boolean
  /** When the database was last found to be older than the folder, in UTC; null for never. */
  readonly restoredAt: string | null
  readonly restoredBecause: string | null
  /** False if the database is at none of the places where it was before: it was copied or moved. */
  readonly isAtKnownPlace: boolean
}

export const networkTable = ({ basePrefix }: GlobalTables): string => `${basePrefix}svc_network`

export const placesTable = ({ basePrefix }: GlobalTables): string => `${basePrefix}svc_places`

/** How long what was read is used again, in milliseconds. */
const KEPT_MS = 5000

type IdentityRow = {
  identity: string
  purges: number
  restored_at: string | null
  restored_because: string | null
  server: string
  known: number
}

/** Reads the identity of the network, at most every five seconds, and stores new places of its database. */
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
    const read = readIdentity(this.#db, this.#globals).then(async ({ identity, newPlaces }) => {
      if (identity.isAtKnownPlace && newPlaces.length > 0)
        await this.#db.write({}, (tx) => storePlaces(tx, this.#globals, newPlaces))
      return identity
    })
    this.#kept = { until: now + KEPT_MS, read }
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

/** The identity of the network, and the present places of its database that are not stored yet. */
export async function readIdentity(
  db: Database,
  globals: GlobalTables,
): Promise<{ readonly identity: NetworkIdentity; readonly newPlaces: readonly string[] }> {
  const tables = { network: networkTable(globals), places: placesTable(globals) }
  const [row] = await readRows<IdentityRow>(
    db,
    `SELECT identity, purges, restored_at, restored_because,
        ${SERVER} AS server, (SELECT COUNT(*) FROM :places:) AS known
      FROM :network: WHERE id = 1`,
    tables,
  )
  if (row === undefined)
    throw new Error(`The table ${tables.network} is empty. Restore its row from a backup.`)
  const places = [`address ${db.address}`, row.server]
  const unknown = await withoutKnown(db, tables.places, places)
  // The cluster is asked for only where its answer can matter.
  const cluster = unknown.length === 0 ? [] : await clusterPlace(db)
  const newPlaces = [...unknown, ...(await withoutKnown(db, tables.places, cluster))]
  return {
    identity: {
      identity: row.identity,
      purges: row.purges === 1,
      restoredAt: row.restored_at,
      restoredBecause: row.restored_because,
      isAtKnownPlace: Number(row.known) === 0 || newPlaces.length < places.length + cluster.length,
    },
    newPlaces,
  }
}

/** The server that the database is on. */
const SERVER = "CONCAT('server ', @@hostname, ' ', @@datadir, ' ', DATABASE())"

/** All present places of the database. */
export async function findPlaces(db: Database): Promise<readonly string[]> {
  const rows = await readRows<{ server: string }>(db, `SELECT ${SERVER} AS server`, {})
  const servers = rows.map(({ server }) => server)
  return [`address ${db.address}`, ...servers, ...(await clusterPlace(db))]
}

/** Stores places of the database. */
export async function storePlaces(
  tx: Tx,
  globals: GlobalTables,
  places: readonly string[],
): Promise<void> {
  for (const place of places)
    await tx
      .sql(placesTable(globals))
      .insert({ digest: digestOf(place), place })
      .onConflict()
      .ignore()
}

async function withoutKnown(
  db: Db,
  table: string,
  places: readonly string[],
): Promise<readonly string[]> {
  if (places.length === 0) return []
  const rows = await db.sql(table).whereIn('digest', places.map(digestOf)).select('place')
  const known = new Set(rows.map(({ place }: { place: string }) => place))
  return places.filter((place) => !known.has(place))
}

/** The Galera cluster of the server, if it is a member of one. */
async function clusterPlace(db: Db): Promise<readonly string[]> {
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

const digestOf = (place: string): Buffer => createHash('sha256').update(place).digest()
