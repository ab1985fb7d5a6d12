import type { PublicationNumbers } from '../../build/publishing/copy-store.ts'
import { networkTable } from '../../build/publishing/network-identity.ts'
import {
  bucketsBehind,
  publicationsTable,
  readStoredNumbers,
} from '../../build/publishing/publication-numbers.ts'
import { urgentScrub } from '../../build/publishing/scrub-position.ts'
import { resetWebhooks } from '../../changes/webhooks/webhooks-table.ts'
import { workTable } from '../../content/work/work-tables.ts'
import type { Database, Db } from '../../db/database.ts'
import { DUE_NOW, inMs } from '../../db/lease.ts'
import { readRows, runStatement, storeRows } from '../../db/sql.ts'
import type { Tx } from '../../db/transaction.ts'
import { sitesTable } from '../../wordpress/hosts/network-version.ts'
import type { GlobalTables } from '../../wordpress/network/site.ts'

/** Added to all versions, so that none is equal to one that the lost history had: processes keep what they read by versions. */
const LOST_VERSIONS = 1_000_000

/** What the table `svc_network` says about restores. */
export type RestoreRow = {
  /** In UTC; null for never. */
  readonly restoredAt: string | null
  /** Whether all pages are to be verified once more now. */
  readonly isVerifyDue: boolean
  /** Whether tables of the database were created since `restoredAt`; only read if `isVerifyDue`. */
  readonly isLoading: boolean
}

/** Reads what is known about restores. */
export async function readRestore(db: Db, globals: GlobalTables): Promise<RestoreRow> {
  const [row] = await readRows<{ restored_at: string | null; is_due: number | null }>(
    db,
    'SELECT restored_at, verify_at <= NOW(6) AS is_due FROM :network: WHERE id = 1',
    { network: networkTable(globals) },
  )
  const restoredAt = row?.restored_at ?? null
  const isVerifyDue = row?.is_due === 1
  return { restoredAt, isVerifyDue, isLoading: isVerifyDue && (await isLoading(db, restoredAt)) }
}

/** Whether tables were created since a time: a dump that is being loaded creates one after the other. */
async function isLoading(db: Db, since: string | null): Promise<boolean> {
  const rows = await readRows(
    db,
    'SELECT 1 FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND CREATE_TIME >= :since LIMIT 1',
    { since: (since ?? DUE_NOW).slice(0, DUE_NOW.length) },
  )
  return rows.length > 0
}

/**
 * Records that the database is older than the folder of the static copies, and with it the work that makes every page true: all pages of all
 * sites are verified, then the copies without a record are removed. Webhooks send a reset. Of several processes one does so.
 * @param inFolder the numbers in the folder
 * @returns false if another process has done so before
 */
export function recordRestore(
  db: Database,
  globals: GlobalTables,
  inFolder: PublicationNumbers,
): Promise<boolean> {
  return db.write({}, async (tx) => {
    await lockNetwork(tx, globals)
    const behind = bucketsBehind(await readStoredNumbers(tx, globals), inFolder)
    if (behind.length === 0) return false
    const rows = behind.map((bucket) => ({ bucket, number: inFolder.get(bucket) ?? 0 }))
    const table = publicationsTable(globals)
    await storeRows(tx, [{ table, rows, onDuplicate: 'number = VALUES(number)' }])
    await verifyEverything(
      tx,
      globals,
      'The publication numbers were lower than those of the static copies.',
    )
    await runStatement(tx, 'UPDATE :network: SET verify_at = :again WHERE id = 1', {
      network: networkTable(globals),
      again: inMs(db.timings.executor.verifyAgainMs),
    })
    return true
  })
}

/**
 * Records that all pages are to be verified, because the database was loaded again or still is.
 * @param isLast whether nothing follows
 * @returns false if another process has done so before
 */
export function verifyAgain(
  db: Database,
  globals: GlobalTables,
  because: string,
  isLast: boolean,
): Promise<boolean> {
  return db.write({}, async (tx) => {
    const { affectedRows } = await runStatement(
      tx,
      `UPDATE :network: SET verify_at = :again
        WHERE id = 1 AND (verify_at <= NOW(6) OR (verify_at IS NULL AND :isBegin))`,
      {
        network: networkTable(globals),
        again: isLast ? null : inMs(db.timings.executor.verifyAgainMs),
        isBegin: isLast ? 0 : 1,
      },
    )
    if (affectedRows === 0) return false
    await verifyEverything(tx, globals, because)
    return true
  })
}

async function lockNetwork(tx: Tx, globals: GlobalTables): Promise<void> {
  const network = networkTable(globals)
  await readRows(tx, 'SELECT id FROM :network: WHERE id = 1 FOR UPDATE', { network })
}

async function verifyEverything(tx: Tx, globals: GlobalTables, because: string): Promise<void> {
  await recordAllSites(tx, globals)
  urgentScrub(tx, globals)
  await resetWebhooks(tx, globals)
  await runStatement(
    tx,
    'UPDATE :network: SET restored_at = NOW(6), restored_because = :because WHERE id = 1',
    { network: networkTable(globals), because },
  )
}

/** Records that all pages of all sites are to be built. Rows are locked in the order of all writers: sites before work. */
export async function recordAllSites(tx: Tx, globals: GlobalTables): Promise<void> {
  const sites = sitesTable(globals)
  await runStatement(tx, 'UPDATE :sites: SET version = version + :lost ORDER BY blog_id', {
    sites,
    lost: LOST_VERSIONS,
  })
  await runStatement(
    tx,
    `INSERT INTO :work: (blog_id, kind, name, version, since, due_at)
      SELECT blog_id, 'all', '', version, NOW(6), :due FROM :sites: WHERE blog_id > 0
      ON DUPLICATE KEY UPDATE version = VALUES(version), tries = 0, due_at = VALUES(due_at)`,
    { work: workTable(globals), due: DUE_NOW, sites },
  )
}
