import { createHash } from 'node:crypto'
import { storeClaimsTable } from '#wp-frames/build/publishing/copies-table'
import type { Database, Db } from '#wp-frames/db/database'
import { inMs } from '#wp-frames/db/lease'
import { inBatches, readRows, runStatement } from '#wp-frames/db/sql'
import { LostLeaseError } from '#wp-frames/db/tasks/tasks-table'
import type { Tx } from '#wp-frames/db/transaction'
import type { GlobalTables } from '#wp-frames/wordpress/network/site'

// A store has no rename that fails once a claim is fenced, so the database knows which claims may still write which objects.

/** Identifies the row of the claim itself. */
const OWN_ROW = Buffer.alloc(32)
/** Rows in one statement. */
const ROWS_PER_STATEMENT = 500

/** What identifies a claim. */
export type StoreClaimKey = {
  readonly globals: GlobalTables
  readonly claimId: string
  /** Blog id. */
  readonly site: number
}

/**
 * Records, before they are written, the objects that a claim may write.
 * @throws LostLeaseError if the claim was fenced
 */
export async function announceObjects(
  db: Database,
  { globals, claimId, site }: StoreClaimKey,
  locations: readonly string[],
): Promise<void> {
  const claims = storeClaimsTable(globals)
  const rows = locations.map((location) => [claimId, digestOf(location), site, location])
  await db.write({ site: { blogId: site }, isWork: true }, async (tx) => {
    tx.later(
      'INSERT IGNORE INTO :claims: (claim_id, digest, blog_id) VALUES (:claimId, :own, :site)',
      { claims, claimId, own: OWN_ROW, site },
    )
    tx.assertFound(
      'SELECT 1 FROM :claims: WHERE claim_id = :claimId AND digest = :own AND fenced_at IS NULL FOR UPDATE',
      { claims, claimId, own: OWN_ROW },
      () => new LostLeaseError(claimId),
    )
    for (const batch of inBatches(rows, ROWS_PER_STATEMENT))
      await runStatement(
        tx,
        'INSERT IGNORE INTO :claims: (claim_id, digest, blog_id, location) VALUES :batch',
        { claims, batch },
      )
  })
}

/** Whether the claim has announced objects and was not fenced. */
export async function isClaimOpen(db: Db, { globals, claimId }: StoreClaimKey): Promise<boolean> {
  const rows = await readRows(
    db,
    'SELECT 1 FROM :claims: WHERE claim_id = :claimId AND digest = :own AND fenced_at IS NULL',
    { claims: storeClaimsTable(globals), claimId, own: OWN_ROW },
  )
  return rows.length > 0
}

/** Forgets a claim, unless it was fenced: then its requests may still arrive. */
export async function forgetClaim(
  db: Database,
  { globals, claimId, site }: StoreClaimKey,
): Promise<void> {
  await db.write({ site: { blogId: site }, isWork: true, isStatement: true }, async (tx) => {
    await runStatement(tx, 'DELETE FROM :claims: WHERE claim_id = :claimId AND fenced_at IS NULL', {
      claims: storeClaimsTable(globals),
      claimId,
    })
  })
}

/** Ends a claim like one that was fenced, of which only requests for these objects may still arrive. */
export async function fenceEndedClaim(
  db: Database,
  { globals, claimId, site }: StoreClaimKey,
  locations: readonly string[],
): Promise<void> {
  await db.write({ site: { blogId: site }, isWork: true }, async (tx) => {
    recordFence(tx, globals, claimId)
    tx.later('DELETE FROM :claims: WHERE claim_id = :claimId AND digest NOT IN (:kept)', {
      claims: storeClaimsTable(globals),
      claimId,
      kept: [OWN_ROW, ...locations.map(digestOf)],
    })
  })
}

/** Fences a claim, which may not have announced anything yet. */
export function recordFence(tx: Tx, globals: GlobalTables, claimId: string): void {
  const claims = storeClaimsTable(globals)
  tx.later('INSERT IGNORE INTO :claims: (claim_id, digest, blog_id) VALUES (:claimId, :own, 0)', {
    claims,
    claimId,
    own: OWN_ROW,
  })
  tx.later(
    `UPDATE :claims: SET fenced_at = NOW(6), due_at = :end
      WHERE claim_id = :claimId AND fenced_at IS NULL`,
    { claims, claimId, end: inMs(tx.timings.store.signatureMs) },
  )
}

/** The claims that are open, and those fenced ones whose requests cannot arrive any more, sorted. */
export async function listStoreClaims(db: Db, globals: GlobalTables): Promise<string[]> {
  const rows = await readRows<{ claim_id: string }>(
    db,
    `SELECT claim_id FROM :claims: WHERE digest = :own AND (fenced_at IS NULL OR due_at <= NOW(6))
      ORDER BY claim_id`,
    { claims: storeClaimsTable(globals), own: OWN_ROW },
  )
  return rows.map(({ claim_id }) => claim_id)
}

/**
 * The objects of a fenced claim whose requests cannot arrive any more, without those that another fenced claim may still change. Undefined if
 * the claim is not fenced, or its requests may still arrive.
 */
export async function readSafeObjects(
  db: Db,
  globals: GlobalTables,
  claimId: string,
): Promise<string[] | undefined> {
  const rows = await readRows<{ location: string; is_doubtful: number }>(
    db,
    `SELECT location, EXISTS (SELECT 1 FROM :claims: other
          WHERE other.digest = own.digest AND other.claim_id <> own.claim_id AND other.due_at > NOW(6)) AS is_doubtful
      FROM :claims: own WHERE claim_id = :claimId AND due_at <= NOW(6) ORDER BY digest`,
    { claims: storeClaimsTable(globals), claimId },
  )
  if (rows.length === 0) return undefined
  return rows.flatMap(({ location, is_doubtful }) =>
    location === '' || is_doubtful === 1 ? [] : location,
  )
}

/** An object that a fenced claim may still write or remove, with a request that arrives late. */
export type DoubtfulObject = {
  readonly location: string
  /** Whether a later claim has written it: then the conditions of late requests are not met. */
  readonly isSettled: boolean
}

/** All doubtful objects, by location: none, unless a process has been killed or suspended some minutes ago. */
export async function readDoubtfulObjects(
  db: Db,
  globals: GlobalTables,
): Promise<ReadonlyMap<string, DoubtfulObject>> {
  const rows = await readRows<{ location: string; is_settled: number }>(
    db,
    `SELECT location, MIN(is_settled) AS is_settled FROM :claims:
      WHERE fenced_at IS NOT NULL AND location <> '' GROUP BY location`,
    { claims: storeClaimsTable(globals) },
  )
  return new Map(
    rows.map(({ location, is_settled }) => [location, { location, isSettled: is_settled === 1 }]),
  )
}

/** Records that a claim has written doubtful objects. */
export async function settleObjects(
  db: Database,
  { globals, site }: StoreClaimKey,
  locations: readonly string[],
): Promise<void> {
  await db.write({ site: { blogId: site }, isWork: true }, async (tx) => {
    for (const batch of inBatches(locations.map(digestOf), ROWS_PER_STATEMENT))
      await runStatement(
        tx,
        'UPDATE :claims: SET is_settled = 1 WHERE digest IN (:batch) AND fenced_at IS NOT NULL',
        { claims: storeClaimsTable(globals), batch },
      )
  })
}

const digestOf = (location: string): Buffer => createHash('sha256').update(location).digest()

/** Forgets a fenced claim whose requests cannot arrive any more. */
export async function forgetFencedClaim(
  db: Database,
  globals: GlobalTables,
  claimId: string,
): Promise<void> {
  await db.write({ isStatement: true }, async (tx) => {
    await runStatement(tx, 'DELETE FROM :claims: WHERE claim_id = :claimId AND due_at <= NOW(6)', {
      claims: storeClaimsTable(globals),
      claimId,
    })
  })
}
