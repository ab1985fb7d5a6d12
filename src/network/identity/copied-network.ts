import { randomUUID } from 'node:crypto'
import { forgetAllCopies, storeClaimsTable } from '../../build/publishing/copies-table.ts'
import {
  databaseNamesTable,
  findDatabaseNames,
  networkTable,
  storeDatabaseNames,
} from '../../build/publishing/network-identity.ts'
import { foldersTable } from '../../build/publishing/network-marker.ts'
import { publicationsTable } from '../../build/publishing/publication-numbers.ts'
import { FEED } from '../../changes/feed/feed-state.ts'
import { disableCopiedWebhooks, webhooksTable } from '../../changes/webhooks/webhooks-table.ts'
import { plannedWritesTable } from '../../content/planned-writes/planned-writes-table.ts'
import { forgetPurges } from '../../content/work/purges.ts'
import { pagesTable } from '../../content/work/work-tables.ts'
import type { Database } from '../../db/database.ts'
import { gmtText } from '../../db/gmt.ts'
import { readRows, runStatement } from '../../db/sql.ts'
import { tasksTable } from '../../db/tasks/tasks-table.ts'
import type { Tx } from '../../db/transaction.ts'
import { revokeToken, tokensTable } from '../../record/auth/tokens.ts'
import { answersTable } from '../../record/idempotency/kept-answers.ts'
import { hostsTable } from '../../wordpress/hosts/host-claims.ts'
import type { GlobalTables } from '../../wordpress/network/site.ts'
import { staleKeysTable } from '../../wordpress/object-cache/stale-keys-table.ts'
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
    await runStatement(tx, 'UPDATE :network: SET identity = :identity WHERE id = 1', {
      network: networkTable(globals),
      identity,
    })
  })
}

/** What became of a copied network. */
export type CopiedNetwork = { readonly identity: string; readonly revokedTokens: number }

/**
 * Makes a copied database a network of its own, which cannot touch what belongs to the original: it gets another identity, so that the
 * original's folder of static copies is refused; it forgets the copies, the feed's position, kept answers and keys of caches; it purges no
 * page cache until purges are switched on; its webhooks are disabled; and the original's tokens are revoked. All pages are built again, into a folder of its own.
 */
export async function declareCopied(
  db: Database,
  globals: GlobalTables,
  { keepTokens, now }: { readonly keepTokens: boolean; readonly now: Date },
): Promise<CopiedNetwork> {
  const names = await findDatabaseNames(db)
  return db.write({}, async (tx) => {
    const identity = randomUUID()
    await runStatement(
      tx,
      `UPDATE :network: SET identity = :identity, purges = 0, restored_at = NULL, restored_because = NULL,
        verify_at = NULL WHERE id = 1`,
      { network: networkTable(globals), identity },
    )
    // Sites before work before copies: the order of all writers.
    await recordAllSites(tx, globals)
    await forgetPurges(tx, globals)
    disableCopiedWebhooks(tx, globals)
    for (const table of [
      pagesTable(globals),
      storeClaimsTable(globals),
      foldersTable(globals),
      databaseNamesTable(globals),
      answersTable(globals),
      plannedWritesTable(globals),
      staleKeysTable(globals.basePrefix),
    ])
      await runStatement(tx, 'DELETE FROM :table:', { table })
    await runStatement(tx, 'DELETE FROM :tasks: WHERE name = :feed', {
      tasks: tasksTable(globals),
      feed: FEED,
    })
    await runStatement(tx, 'UPDATE :publications: SET number = 0', {
      publications: publicationsTable(globals),
    })
    await storeDatabaseNames(tx, globals, names)
    const revokedTokens = keepTokens ? 0 : await revokeAll(tx, globals, now)
    return { identity, revokedTokens }
  })
}

/** What a copied database has of its original. */
export type OriginalThings = {
  /** Tokens that are valid, also for the original. */
  readonly tokens: number
  /** Hosts of the sites, in their order; language hosts after those of WordPress. */
  readonly hosts: readonly string[]
  /** Records of static copies. */
  readonly copies: number
  /** Purges by tag that are not sent yet. */
  readonly purges: number
  /** Webhooks that are enabled. */
  readonly webhooks: number
  /** Keys of the object cache that are not deleted yet. */
  readonly staleKeys: number
}

/** Reads what `declareCopied` revokes and forgets, and the hosts, which only WordPress can change. */
export async function findOriginalThings(
  db: Database,
  globals: GlobalTables,
  now: Date,
): Promise<OriginalThings> {
  const [counts] = await readRows<Omit<OriginalThings, 'hosts'>>(
    db,
    `SELECT
      (SELECT COUNT(*) FROM :tokens: WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > :now)) AS tokens,
      (SELECT COUNT(*) FROM :pages: WHERE url IS NOT NULL) AS copies,
      (SELECT COUNT(*) FROM :pages: WHERE purge_by IS NOT NULL) AS purges,
      (SELECT COUNT(*) FROM :webhooks: WHERE state = 'enabled') AS webhooks,
      (SELECT COUNT(*) FROM :keys:) AS staleKeys`,
    {
      tokens: tokensTable(globals),
      pages: pagesTable(globals),
      webhooks: webhooksTable(globals),
      keys: staleKeysTable(globals.basePrefix),
      now: gmtText(now),
    },
  )
  const hosts = await readRows<{ host: string }>(
    db,
    'SELECT domain AS host FROM :blogs: ORDER BY blog_id',
    { blogs: globals.blogs },
  )
  const claimed = await readRows<{ host: string }>(db, 'SELECT host FROM :hosts: ORDER BY host', {
    hosts: hostsTable(globals),
  })
  const names = [...hosts, ...claimed].map(({ host }) => host)
  const { tokens = 0, copies = 0, purges = 0, webhooks = 0, staleKeys = 0 } = counts ?? {}
  return { tokens, copies, purges, webhooks, staleKeys, hosts: [...new Set(names)] }
}

async function revokeAll(tx: Tx, globals: GlobalTables, now: Date): Promise<number> {
  const active = await readRows<{ id: number }>(
    tx,
    'SELECT id FROM :tokens: WHERE revoked_at IS NULL',
    { tokens: tokensTable(globals) },
  )
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
    await runStatement(tx, 'UPDATE :network: SET purges = :purges WHERE id = 1', {
      network: networkTable(globals),
      purges,
    })
    if (!purges) await forgetPurges(tx, globals)
  })
}

/** Forgets all static copies: for a network that is to have none any more. The files are the operator's to delete. */
export async function forgetCopies(db: Database, globals: GlobalTables): Promise<number> {
  return db.write({}, (tx) => forgetAllCopies(tx, globals))
}
