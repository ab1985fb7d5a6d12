import type { Caller } from '../../auth/authenticate.ts'
import { type Database, joinTransaction } from '../../db/database.ts'
import type { Tx } from '../../db/transaction.ts'
import { AppError } from '../../errors.ts'
import { networkHistory } from '../../history/history-row.ts'
import {
  type PlannedInput,
  type PlannedWrite,
  storePlannedWrite,
  takePlannedWrite,
} from '../../planned-writes/planned-writes-table.ts'
import { readWrittenThings, type WrittenThings } from '../../planned-writes/written-things.ts'
import { countAffectedPages } from '../../preview/affected.ts'
import type { GlobalTables, Site } from '../../wordpress/network/site.ts'
import { workOf } from '../../work/change.ts'
import { type DocumentedEndpoint, WithEffects } from '../endpoint.ts'
import { withLinkTitles } from '../link-titles.ts'
import { asDryRun, responseBeforeEffects } from './response-before-effects.ts'
import type { Handled, PreparedWrite } from './run-endpoint.ts'

/** A call of an endpoint that writes, by an authorized caller. */
export type PlannableWrite = {
  readonly endpoint: DocumentedEndpoint
  /** Undefined for a write of the network. */
  readonly site: Site | undefined
  /** Its writes have the caller as their author. */
  readonly db: Database
  readonly globals: GlobalTables
  readonly caller: Caller
  readonly input: PlannedInput
  prepare(): Promise<PreparedWrite>
}

/** What a write would do. */
export type Planned = {
  readonly planId: string
  readonly things: WrittenThings['things']
  /** How many pages that visitors see it builds again; undefined for a write of the network. */
  readonly pages: number | undefined
  /** The response of the dry run, without secrets. */
  readonly response: Record<string, unknown>
}

type DryRunOutcome = WrittenThings & Handled

/**
 * Runs a write in a transaction that is rolled back, and stores what is needed to apply exactly this write.
 * @throws AppError `plan_too_large`, and errors of the endpoint
 */
export async function planWrite(write: PlannableWrite): Promise<Planned> {
  const { outcome, pages } = await runDry(write, async (outcome, db) => ({
    outcome,
    pages: await countPages(db, write, outcome),
  }))
  const { things } = outcome
  return {
    planId: await store(write, outcome),
    things: write.site ? await withLinkTitles(write.db, write.site, things) : things,
    pages,
    response: withoutTokens(asDryRun(responseBeforeEffects(outcome.handled))),
  }
}

/** Runs a write in a transaction that is rolled back. */
export function dryRun(write: PlannableWrite): Promise<DryRunOutcome> {
  return runDry(write, async (outcome) => outcome)
}

/** @param examine reads more of what the open transaction would leave */
async function runDry<T>(
  write: PlannableWrite,
  examine: (outcome: DryRunOutcome, db: Database) => Promise<T>,
): Promise<T> {
  const run = await write.prepare()
  return write.db.write({ site: write.site, dryRun: true }, async (tx) =>
    examine(await runIn(tx, write, run), joinTransaction(write.db, tx).db),
  )
}

/** The pages of the work that the response of the write has recorded. */
async function countPages(
  db: Database,
  { site }: PlannableWrite,
  { handled }: Handled,
): Promise<number | undefined> {
  if (!site) return undefined
  const work = handled instanceof WithEffects ? workOf(handled.change) : []
  return countAffectedPages(db, site, work)
}

/**
 * Runs a planned write again, and commits it if it changes the same things in the same way as the dry run.
 * @throws AppError `plan_changed` with another plan if it does not, `plan_not_found`, and errors of the endpoint
 */
export async function applyPlannedWrite(
  write: PlannableWrite,
  planId: string,
  { digest }: Pick<PlannedWrite, 'digest'>,
): Promise<Handled> {
  const { db, site, globals } = write
  const run = await write.prepare()
  try {
    return await db.write({ site }, async (tx) => {
      await takePlannedWrite(tx, globals, planId)
      const outcome = await runIn(tx, write, run)
      if (outcome.digest !== digest) {
        const pages = await countPages(joinTransaction(db, tx).db, write, outcome)
        throw new OtherOutcome(outcome, pages)
      }
      return outcome
    })
  } catch (error) {
    if (!(error instanceof OtherOutcome)) throw error
    const { outcome, pages } = error
    throw planChanged({ plan_id: await store(write, outcome), pages, diffs: outcome.things })
  }
}

/** @param fields what the write would do now */
export function planChanged(fields: Record<string, unknown>): AppError {
  return new AppError(
    'plan_changed',
    'What this write concerns has changed since it was planned, so it would do something else. Nothing was written. The response says what it would do now: look at it, and apply that plan if it is right.',
    fields,
  )
}

/** Thrown inside the transaction of a write that is not the planned one, so that it is rolled back. */
class OtherOutcome extends Error {
  readonly outcome: DryRunOutcome
  readonly pages: number | undefined

  constructor(outcome: DryRunOutcome, pages: number | undefined) {
    super()
    this.outcome = outcome
    this.pages = pages
  }
}

async function runIn(tx: Tx, write: PlannableWrite, run: PreparedWrite): Promise<DryRunOutcome> {
  const { db, writes } = joinTransaction(write.db, tx)
  const handled = await run(db)
  if (writes.some(({ dryRun }) => dryRun)) throw dryRunInPlan()
  const written = await readWrittenThings(tx, write.site ?? networkHistory(write.globals))
  return { ...handled, ...written }
}

function store(
  { db, globals, caller, site, endpoint, input }: PlannableWrite,
  { digest }: DryRunOutcome,
): Promise<string> {
  return storePlannedWrite(db, globals, {
    tokenId: caller.tokenId,
    blogId: site?.blogId ?? 0,
    endpoint: endpoint.name,
    input,
    digest,
  })
}

/** A new token of a dry run is never valid, but it looks like one. */
export function withoutTokens(response: Record<string, unknown>): Record<string, unknown> {
  const text = JSON.stringify(response)
  const without = text.replace(/op_[A-Za-z0-9]{64}/g, '(shown when the plan is applied)')
  return without === text ? response : JSON.parse(without)
}

function dryRunInPlan(): AppError {
  const rule = 'must be left out: every write is planned first'
  return new AppError('rest_invalid_param', `Invalid parameter(s): dry_run. It ${rule}.`, {
    params: { dry_run: rule },
  })
}
