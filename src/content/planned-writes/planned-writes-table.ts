import { randomUUID } from 'node:crypto'
import type { Database, Db } from '../../db/database.ts'
import { readRow, readRows, runStatement } from '../../db/sql.ts'
import { pruneRows } from '../../db/tasks/prune-task.ts'
import type { Tx } from '../../db/transaction.ts'
import { AppError } from '../../host/errors.ts'
import { compressContent, decompressContent } from '../../record/history/content.ts'
import type { GlobalTables } from '../../wordpress/network/site.ts'

/** Planned writes of one token; a further one replaces the oldest. */
export const MAX_PLANNED_WRITES = 20
/** Maximum size of the input of a planned write, compressed, in bytes. */
export const MAX_PLANNED_BYTES = 1024 * 1024

/** What an endpoint is sent. */
export type PlannedInput = {
  readonly params: unknown
  readonly query: unknown
  readonly body?: unknown
}

/** A write that was run once as a dry run. */
export type PlannedWrite = {
  readonly tokenId: number
  /** 0 for a write of the network. */
  readonly blogId: number
  /** Name of the endpoint. */
  readonly endpoint: string
  readonly input: PlannedInput
  /** What it changes, see `WrittenThings`. */
  readonly digest: string
}

export const plannedWritesTable = ({ basePrefix }: GlobalTables): string =>
  `${basePrefix}svc_planned_writes`

const EXPIRED = 'created_at < NOW(3) - INTERVAL :keptMinutes MINUTE'

/**
 * Stores a planned write.
 * @returns its id, which nobody can guess
 * @throws AppError `plan_too_large`
 */
export async function storePlannedWrite(
  db: Database,
  globals: GlobalTables,
  { tokenId, blogId, endpoint, input, digest }: PlannedWrite,
): Promise<string> {
  const compressed = await compressContent(JSON.stringify(input))
  if (compressed.length > MAX_PLANNED_BYTES) throw tooLarge(compressed.length)
  const id = randomUUID()
  await db.write({ isStatement: true }, (tx) =>
    runStatement(
      tx,
      `INSERT INTO :plans: (id, token_id, blog_id, endpoint, input, digest, created_at)
        VALUES (:id, :tokenId, :blogId, :endpoint, :compressed, :digest, NOW(3))`,
      {
        plans: plannedWritesTable(globals),
        id,
        tokenId,
        blogId,
        endpoint,
        compressed,
        digest: Buffer.from(digest, 'hex'),
      },
    ),
  )
  await deleteOldest(db, globals, { tokenId, blogId })
  return id
}

/**
 * Deletes what a token has planned beyond `MAX_PLANNED_WRITES`. A write that is being applied locks its row for as long as that takes. So this locks
 * only what it deletes, and waits, if at all, in the queue of the site.
 */
async function deleteOldest(
  db: Database,
  globals: GlobalTables,
  { tokenId, blogId }: Pick<PlannedWrite, 'tokenId' | 'blogId'>,
): Promise<void> {
  const table = plannedWritesTable(globals)
  const oldest = await readRows<{ readonly id: string }>(
    db,
    `SELECT id FROM :table: WHERE token_id = :tokenId
      ORDER BY created_at DESC, id LIMIT 1000 OFFSET ${MAX_PLANNED_WRITES}`,
    { table, tokenId },
  )
  if (oldest.length === 0) return
  const ids = oldest.map(({ id }) => id)
  await db.write({ site: { blogId }, isStatement: true }, (tx) =>
    runStatement(tx, 'DELETE FROM :table: WHERE id IN (:ids)', { table, ids }),
  )
}

/**
 * The planned write with this id.
 * @throws AppError `plan_not_found` if there is none, if it expired, and if it belongs to another token
 */
export async function getPlannedWrite(
  db: Db,
  globals: GlobalTables,
  id: string,
  tokenId: number,
): Promise<PlannedWrite> {
  const row = await readRow<
    Pick<PlannedWrite, 'blogId' | 'endpoint' | 'digest'> & { input: Buffer }
  >(
    db,
    `SELECT blog_id AS blogId, endpoint, input, LOWER(HEX(digest)) AS digest FROM :table:
      WHERE id = :id AND token_id = :tokenId AND NOT ${EXPIRED}`,
    { table: plannedWritesTable(globals), id, tokenId, ...db.timings.plannedWrites },
  )
  if (!row) throw plannedWriteNotFound(db)
  return { ...row, tokenId, input: JSON.parse(await decompressContent(row.input)) }
}

/**
 * Deletes a planned write in the transaction that applies it, so that it is applied once.
 * @throws AppError `plan_not_found` if another transaction has applied it
 */
export async function takePlannedWrite(tx: Tx, globals: GlobalTables, id: string): Promise<void> {
  const { affectedRows } = await runStatement(tx, 'DELETE FROM :plans: WHERE id = :id', {
    plans: plannedWritesTable(globals),
    id,
  })
  if (affectedRows === 0) throw plannedWriteNotFound(tx)
}

/** Deletes the planned writes that expired. @returns their number */
export function prunePlannedWrites(
  db: Database,
  globals: GlobalTables,
  signal: AbortSignal,
): Promise<number> {
  const where = `${EXPIRED} ORDER BY created_at`
  const values = db.timings.plannedWrites
  return pruneRows(db, { table: plannedWritesTable(globals), where, values }, signal)
}

function plannedWriteNotFound({ timings }: Pick<Db, 'timings'>): AppError {
  return new AppError(
    'plan_not_found',
    `This token has no planned write with this id. A planned write is applied once, within ${timings.plannedWrites.keptMinutes} minutes. If this one may have been applied, look at the history; otherwise plan the write again.`,
  )
}

function tooLarge(bytes: number): AppError {
  return new AppError(
    'plan_too_large',
    `The input of this write has ${bytes} bytes compressed, and at most ${MAX_PLANNED_BYTES} are kept for a planned write. Nothing was written. Write less at once.`,
    { max_bytes: MAX_PLANNED_BYTES },
  )
}
