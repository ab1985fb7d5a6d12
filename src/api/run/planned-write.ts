import { countAffectedPages } from '../../build/preview/affected.ts'
import {
  type PlannedInput,
  type PlannedWrite,
  storePlannedWrite,
  takePlannedWrite,
} from '../../content/planned-writes/planned-writes-table.ts'
import {
  readWrittenThings,
  type WrittenThings,
} from '../../content/planned-writes/written-things.ts'
import { workOf } from '../../content/work/change.ts'
import type { Tx } from '../../db/transaction.ts'
import { AppError } from '../../host/errors.ts'
import { networkHistory } from '../../record/history/history-row.ts'
import type { Endpoint } from '../endpoint.ts'
import { withLinkTitles } from '../link-titles.ts'
import { invalidParam } from '../sent-fields.ts'
import {
  completed,
  type Done,
  type Host,
  type ReadyWrite,
  type SentRequest,
  withoutSecrets,
  withWrite,
} from './run.ts'

/** What a write would do. */
type Foreseen = Pick<WrittenThings, 'things'> & {
  /** The response of the dry run, without secrets. */
  readonly response: object
}

/** What a planned write would do. */
export type Planned = Foreseen & {
  readonly planId: string
  /** How many pages that visitors see it builds again; undefined for a write of the network. */
  readonly pages: number | undefined
}

/** What a write has done in its transaction, seen from outside. */
type Outcome = WrittenThings & { readonly done: Done }

/**
 * Runs a write in a transaction that is rolled back, and stores what is needed to apply exactly this write.
 * @throws AppError `plan_too_large`, and errors of the endpoint
 */
export function planWrite(
  host: Host,
  endpoint: Endpoint,
  sent: SentRequest,
  input: PlannedInput,
): Promise<Planned> {
  return withWrite(host, endpoint, sent, async (ready) => {
    const { db, site } = ready.call
    const { things, digest, pages, done } = await db.write({ site, dryRun: true }, async (tx) =>
      withPages(tx, ready, await outcomeIn(tx, ready)),
    )
    return {
      planId: await store(ready, endpoint, input, digest),
      things: site ? await withLinkTitles(db, site, things) : things,
      pages,
      response: responseOf(endpoint, await completed(done, db)),
    }
  })
}

/** Runs a write in a transaction that is rolled back. */
export function foresee(host: Host, endpoint: Endpoint, sent: SentRequest): Promise<Foreseen> {
  return withWrite(host, endpoint, sent, async (ready) => {
    const { db, site } = ready.call
    const { things, done } = await db.write({ site, dryRun: true }, (tx) => outcomeIn(tx, ready))
    return { things, response: responseOf(endpoint, await completed(done, db)) }
  })
}

/**
 * Runs a planned write again, and commits it if it changes the same things in the same way as the dry run.
 * @returns the response, with what was built
 * @throws AppError `plan_changed` with another plan if it does not, `plan_not_found`, and errors of the endpoint
 */
export function applyPlannedWrite(
  host: Host,
  endpoint: Endpoint,
  sent: SentRequest,
  { id, input, digest }: Pick<PlannedWrite, 'input' | 'digest'> & { readonly id: string },
): Promise<object> {
  return withWrite(host, endpoint, sent, async (ready) => {
    const { db, site, globals } = ready.call
    const commit = db.write({ site }, async (tx) => {
      await takePlannedWrite(tx, globals, id)
      const outcome = await outcomeIn(tx, ready)
      if (outcome.digest !== digest) throw new OtherOutcome(await withPages(tx, ready, outcome))
      return outcome.done
    })
    const done = await commit.catch(async (error) => {
      if (!(error instanceof OtherOutcome)) throw error
      const { digest, pages, things } = error.outcome
      const planId = await store(ready, endpoint, input, digest)
      throw planChanged({ plan_id: planId, pages, diffs: things })
    })
    return ready.finish(done)
  })
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
  readonly outcome: PlannedOutcome

  constructor(outcome: PlannedOutcome) {
    super()
    this.outcome = outcome
  }
}

async function outcomeIn(tx: Tx, { call, write }: ReadyWrite): Promise<Outcome> {
  const { site, globals, isDryRun } = call
  if (isDryRun) throw invalidParam('dry_run', 'must be left out: every write is planned first')
  const done = await write(tx)
  return { ...(await readWrittenThings(tx, site ?? networkHistory(globals))), done }
}

type PlannedOutcome = Outcome & { readonly pages: number | undefined }

async function withPages(tx: Tx, { call }: ReadyWrite, outcome: Outcome): Promise<PlannedOutcome> {
  const { site } = call
  const { change } = outcome.done
  const pages = site && (await countAffectedPages(tx, site, change ? workOf(change) : []))
  return { ...outcome, pages }
}

const responseOf = ({ ofDryRun }: Endpoint, { body }: Done): object =>
  withoutSecrets({ ...body, ...ofDryRun })

function store(
  { call: { db, globals, caller, site } }: ReadyWrite,
  { name: endpoint }: Endpoint,
  input: PlannedInput,
  digest: string,
): Promise<string> {
  const { tokenId } = caller
  const blogId = site?.blogId ?? 0
  return storePlannedWrite(db, globals, { tokenId, blogId, endpoint, input, digest })
}
