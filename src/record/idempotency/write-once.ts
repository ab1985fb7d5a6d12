import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../db/database.ts'
import type { Tx } from '../../db/transaction.ts'
import {
  claimKey,
  completeAnswer,
  findAnswer,
  type KeptAnswer,
  KeyTakenError,
  keepAnswer,
} from './kept-answers.ts'
import type { KeyedRequest } from './keyed-request.ts'
import type { Answer } from './sealed-answer.ts'

/** A write that has been done in a transaction, before its commit. */
export type DoneWrite = {
  /** The answer as far as it is known. */
  readonly answer: Answer
  /** Waits for the effects of the committed write [there are none]. */
  readonly complete: (() => Promise<Answer>) | undefined
}

export type WriteOnceOptions = {
  readonly db: Database
  readonly globals: { readonly basePrefix: string }
  readonly site?: { readonly blogId: number } | undefined
  /** How long the first request may wait for its effects, in milliseconds. */
  readonly effectsBudgetMs: number
}

/**
 * Runs a write whose client may repeat it with the same key. Everything runs in one transaction, which also stores the answer: the write and its answer
 * are committed together, or neither. A repetition gets that answer. A write that fails leaves nothing.
 * @param prepare does what needs no transaction, and returns the write; that runs again if the transaction is repeated
 * @returns the answer; `replayOf` is the id of the request that has written, undefined if it is this one
 * @throws AppError `idempotency_key_reused`, `idempotent_answer_too_large`, and errors of the write
 */
export async function writeOnce(
  options: WriteOnceOptions,
  keyed: KeyedRequest,
  prepare: () => Promise<(tx: Tx) => Promise<DoneWrite>>,
): Promise<{ readonly answer: Answer; readonly replayOf: string | undefined }> {
  const { db, globals } = options
  for (;;) {
    const kept = await findAnswer(db, globals, keyed)
    if (kept) {
      const answer = await finalAnswer(options, keyed, kept)
      return { answer, replayOf: answer.requestId }
    }
    try {
      return { answer: await writeFirst(options, keyed, await prepare()), replayOf: undefined }
    } catch (error) {
      if (!(error instanceof KeyTakenError)) throw error
    }
  }
}

async function writeFirst(
  { db, globals, site }: WriteOnceOptions,
  keyed: KeyedRequest,
  write: (tx: Tx) => Promise<DoneWrite>,
): Promise<Answer> {
  const done = await db.write({ site }, async (tx) => {
    await claimKey(tx, globals, keyed)
    const done = await write(tx)
    await keepAnswer(tx, globals, keyed, { answer: done.answer, isFinal: !done.complete })
    return done
  })
  if (!done.complete) return done.answer
  const answer = await done.complete()
  // The write is stored. Without this, repetitions get its answer without the effects.
  await completeAnswer(db, globals, keyed, answer).catch(() => {})
  return answer
}

/** Waits for the effects of the first request. If its process has ended, its answer stays the one that was committed. */
async function finalAnswer(
  { db, globals, effectsBudgetMs }: WriteOnceOptions,
  keyed: KeyedRequest,
  first: KeptAnswer,
): Promise<Answer> {
  const { graceMs, pollMs } = db.timings.idempotency
  const end = performance.now() + effectsBudgetMs + graceMs
  let kept: KeptAnswer | undefined = first
  while (kept && !kept.isFinal && performance.now() < end) {
    await sleep(pollMs)
    kept = await findAnswer(db, globals, keyed)
  }
  const { answer, isFinal } = kept ?? first
  if (!isFinal) await completeAnswer(db, globals, keyed, answer).catch(() => {})
  return answer
}
