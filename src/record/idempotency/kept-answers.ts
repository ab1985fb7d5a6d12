import type { Database, Db } from '../../db/database.ts'
import { isDuplicate } from '../../db/database-error.ts'
import { readRows, runStatement } from '../../db/sql.ts'
import { pruneRows } from '../../db/tasks/prune-task.ts'
import type { Tx } from '../../db/transaction.ts'
import { AppError } from '../../host/errors.ts'
import type { KeyedRequest } from './keyed-request.ts'
import { type Answer, openAnswer, sealAnswer } from './sealed-answer.ts'

/** Maximum size of an answer that is kept, compressed, in bytes. */
export const MAX_ANSWER_BYTES = 256 * 1024

/** Rows that one statement deletes; each may have `MAX_ANSWER_BYTES`, and the lease of the change feed waits for the statement. */
const PRUNED_AT_ONCE = 50

type Tables = { readonly basePrefix: string }

/** The answers of writes with an `Idempotency-Key`. */
export const answersTable = ({ basePrefix }: Tables): string => `${basePrefix}svc_idempotency`

const EXPIRED = 'created_at < NOW(3) - INTERVAL :keptHours HOUR'
const keptIn = ({ timings }: Pick<Db, 'timings'>) => ({ keptHours: timings.idempotency.keptHours })

/** The write of an earlier request with the same key, with its answer. */
export type KeptAnswer = {
  readonly answer: Answer
  /** False: the effects of the write are not in the answer yet. */
  readonly isFinal: boolean
}

type AnswerRow = { readonly request: Buffer; readonly answer: Buffer; readonly is_final: number }

/**
 * The answer to an earlier request with the same key.
 * @throws AppError `idempotency_key_reused` if that was another request
 */
export async function findAnswer(
  db: Db,
  tables: Tables,
  { id, request, secret }: KeyedRequest,
): Promise<KeptAnswer | undefined> {
  const [row] = await readRows<AnswerRow>(
    db,
    `SELECT request, answer, is_final FROM :answers: WHERE id = :id AND NOT ${EXPIRED}`,
    { answers: answersTable(tables), id, ...keptIn(db) },
  )
  if (!row) return undefined
  if (!row.request.equals(request)) {
    throw new AppError(
      'idempotency_key_reused',
      'This Idempotency-Key was used for another request in the last 24 hours. Send a new key with each new request, and the same key only to repeat a request without any change.',
    )
  }
  return { answer: await openAnswer(row.answer, secret), isFinal: row.is_final === 1 }
}

/** Another request with the same key was committed. */
export class KeyTakenError extends Error {}

/**
 * Claims the key for the write of a transaction. Waits while another transaction that has claimed it is open.
 * @throws KeyTakenError if that one was committed
 */
export async function claimKey(
  tx: Tx,
  tables: Tables,
  { id, request }: KeyedRequest,
): Promise<void> {
  const answers = answersTable(tables)
  const insert = () =>
    runStatement(
      tx,
      'INSERT INTO :answers: (id, request, created_at) VALUES (:id, :request, NOW(3))',
      { answers, id, request },
    )
  try {
    await insert()
  } catch (error) {
    if (!isDuplicate(error)) throw error
    // All that waited for the key share a lock on its row now. Each deletion of it would wait for the others, so only an expired row is deleted.
    const expired = await readRows(tx, `SELECT 1 FROM :answers: WHERE id = :id AND ${EXPIRED}`, {
      answers,
      id,
      ...keptIn(tx),
    })
    if (expired.length === 0) throw new KeyTakenError()
    await runStatement(tx, 'DELETE FROM :answers: WHERE id = :id', { answers, id })
    await insert()
  }
}

/**
 * Stores the answer in the transaction of its write.
 * @throws AppError `idempotent_answer_too_large`
 */
export async function keepAnswer(
  tx: Tx,
  tables: Tables,
  { id, secret }: KeyedRequest,
  { answer, isFinal }: KeptAnswer,
): Promise<void> {
  const sealed = await sealAnswer(answer, secret)
  if (sealed.length > MAX_ANSWER_BYTES) throw answerTooLarge(sealed.length)
  await runStatement(
    tx,
    'UPDATE :answers: SET answer = :sealed, is_final = :isFinal WHERE id = :id',
    { answers: answersTable(tables), id, sealed, isFinal: isFinal ? 1 : 0 },
  )
}

/** Adds the effects to the answer of a committed write, or keeps it without them if it is too large then. No answer changes later. */
export async function completeAnswer(
  db: Database,
  tables: Tables,
  { id, secret }: KeyedRequest,
  answer: Answer,
): Promise<void> {
  const sealed = await sealAnswer(answer, secret)
  const kept = sealed.length > MAX_ANSWER_BYTES ? null : sealed
  // As the work of the service, so that it does not wait behind further writes of the site.
  await db.write({ isWork: true, isStatement: true }, (tx) =>
    runStatement(
      tx,
      'UPDATE :answers: SET answer = IFNULL(:kept, answer), is_final = 1 WHERE id = :id AND is_final = 0',
      { answers: answersTable(tables), id, kept },
    ),
  )
}

/** Deletes answers that are no longer kept. @returns their number */
export function pruneAnswers(db: Database, tables: Tables, signal: AbortSignal): Promise<number> {
  const where = `${EXPIRED} ORDER BY created_at`
  const old = { table: answersTable(tables), where, values: keptIn(db), atOnce: PRUNED_AT_ONCE }
  return pruneRows(db, old, signal)
}

function answerTooLarge(bytes: number): AppError {
  return new AppError(
    'idempotent_answer_too_large',
    `The response of this request has ${bytes} bytes compressed, and at most ${MAX_ANSWER_BYTES} are kept for an Idempotency-Key. Nothing was written. Write less at once, or send the request without the header.`,
    { max_bytes: MAX_ANSWER_BYTES },
  )
}
