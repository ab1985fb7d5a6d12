import { randomUUID } from 'node:crypto'
import { revokeToken, tokensTable } from '../auth/tokens.ts'
import type { Database } from '../db/database.ts'
import type { Tx } from '../db/transaction.ts'
import { feedTable } from '../feed/feed-table.ts'
import { answersTable } from '../idempotency/kept-answers.ts'
import { plannedWritesTable } from '../planned-writes/planned-writes-table.ts'
import { copiesTable } from '../publishing/copies-table.ts'
import { foldersTable } from '../publishing/folder-marker.ts'
import {
  databaseNamesTable,
  findDatabaseNames,
  networkTable,
  storeDatabaseNames,
} from '../publishing/network-identity.ts'
import { publicationsTable } from '../publishing/publication-numbers.ts'
import { storeClaimsTable } from '../publishing/store/store-claims-table.ts'
import type { GlobalTables } from '../wordpress/network/site.ts'
import { staleKeysTable } from '../wordpress/object-cache/stale-keys-table.ts'
import { forgetPurges } from '../work/purge-rows.ts'
import { recordAllSites } from './restored-database.ts'

/** Stores that the database was moved to where it is now: it stays the network that it was. */
export async function declareMoved(db: Database, globals: GlobalTables): Promise<void> {
  const names = await findDatabaseNames(db)
  await db.write({}, (tx) => storeDatabaseNames(tx, globals, names))
}

/** Stores that the database is the network that a folder belongs to, for example after a restore from a backup that knows no identity. */
export async function takeIdentity(
  db: Database,
  globals: GlobalTables,
  identity: string,
): Promise<void> {
  await declareMoved(db, globals)
  await db.write({}, async (tx) => {
    await tx.sql(networkTable(globals)).where({ id: 1 }).update({ identity })
  })
}

/** What became of a copied network. */
export type CopiedNetwork = { readonly identity: string; readonly revokedTokens: number }

/**
 * Makes a copied database a network of its own, which cannot touch what belongs to the original: it gets another identity, so that the
 * original's folder of static copies is refused; it forgets the copies, the feed's position, kept answers and keys of caches; it purges no
 * page cache until purges are switched on; and the original's tokens are revoked. All pages are built again, into a folder of its own.
 */
export async function declareCopied(
  db: Database,
  globals: GlobalTables,
  { keepTokens, now }: { readonly keepTokens: boolean; readonly now: Date },
): Promise<CopiedNetwork> {
  const names = await findDatabaseNames(db)
  return db.write({}, async (tx) => {
    const identity = randomUUID()
    await tx
      .sql(networkTable(globals))
      .where({ id: 1 })
      .update({ identity, purges: 0, restored_at: null, restored_because: null, verify_at: null })
    // Sites before work before copies: the order of all writers.
    await recordAllSites(tx, globals)
    await forgetPurges(tx, globals)
    for (const table of [
      copiesTable(globals),
      storeClaimsTable(globals),
      foldersTable(globals),
      feedTable(globals),
      databaseNamesTable(globals),
      answersTable(globals),
      plannedWritesTable(globals),
      staleKeysTable(globals.basePrefix),
    ])
      await tx.sql(table).delete()
    await tx.sql(publicationsTable(globals)).update({ number: 0 })
    await storeDatabaseNames(tx, globals, names)
    const revokedTokens = keepTokens ? 0 : await revokeAll(tx, globals, now)
    return { identity, revokedTokens }
  })
}

async function revokeAll(tx: Tx, globals: GlobalTables, now: Date): Promise<number> {
  const active = await tx.sql(tokensTable(globals)).whereNull('revoked_at').select('id')
  for (const { id } of active) await revokeToken(tx, globals, id, now)
  return active.length
}

/** Switches purges of page caches on or off, for all processes within seconds. Off forgets those that are not sent yet. */
export async function setPurges(
  db: Database,
  globals: GlobalTables,
  purges: boolean,
): Promise<void> {
  await db.write({}, async (tx) => {
    await tx.sql(networkTable(globals)).where({ id: 1 }).update({ purges })
    if (!purges) await forgetPurges(tx, globals)
  })
}

/** Forgets all static copies: for a network that is to have none any more. The files are the operator's to delete. */
export async function forgetCopies(db: Database, globals: GlobalTables): Promise<number> {
  return db.write({}, async (tx) => tx.sql(copiesTable(globals)).delete())
}
