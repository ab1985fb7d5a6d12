import { type Database, joinTransaction } from '../../db/database.ts'
import { AppError, errorRow } from '../../errors.ts'
import { type Executor, skippedEffects } from '../../executor/executor.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { type DocumentedEndpoint, type EndpointWith, WithEffects } from '../endpoint.ts'
import { mergeSent, refuseUnused, unusedFields } from '../sent-fields.ts'
import { asDryRun } from './response-before-effects.ts'

type SentCall = {
  readonly db: Database
  /** Undefined for a call of the network. */
  readonly site?: Site | undefined
  readonly executor?: Executor | undefined
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
}

/**
 * Runs the handler of an endpoint with what it was sent. A field that it does not use is a warning in the answer of a write of the contract; other
 * endpoints refuse it. Each write knows `dry_run`: what has no dry run of its own runs in a transaction that is rolled back.
 * @throws AppError of the endpoint
 */
export async function runSent<Context extends object>(
  endpoint: EndpointWith<Context>,
  call: Context & SentCall,
): Promise<object> {
  if (endpoint.method === 'get') {
    readWarnings(endpoint, call)
    return endpoint.handle(call)
  }
  const { known, isOfContract } = endpoint
  if (!isOfContract) refuseUnused(call, known)
  const sent = isOfContract ? mergeSent(call, known) : call
  const unused = isOfContract
    ? [...unusedFields(sent, known), ...(endpoint.ignores?.({ ...call, ...sent }) ?? [])]
    : []
  const isDry =
    endpoint.dryRun === 'rolled-back' &&
    isDryRun(Object(sent.body).dry_run ?? Object(sent.query).dry_run)
  const run = async (): Promise<object> =>
    isDry
      ? withoutSecrets(asDryRun(await runAndRollBack(endpoint, { ...call, ...sent })))
      : endpoint.handle({ ...call, ...sent })
  const handled = await run().catch((error) => {
    throw withUnused(error, unused)
  })
  const warned = (body: object): object => {
    const { warnings = [] } = body as { readonly warnings?: readonly string[] }
    return { ...body, warnings: [...warnings, ...unused] }
  }
  return handled instanceof WithEffects ? handled.map(warned) : warned(handled)
}

/** An error of a request, with what may be its cause: a misspelt field is missing where it is meant. */
function withUnused(error: unknown, unused: readonly string[]): unknown {
  const isOfRequest = error instanceof AppError && errorRow(error.code).status === 400
  if (!isOfRequest || unused.length === 0) return error
  return new AppError(error.code, [error.message, ...unused].join(' '), error.fields)
}

/**
 * The warnings of a read of the contract about parameters that it does not know.
 * @throws AppError `rest_invalid_param` at another endpoint
 */
export function readWarnings(
  { known, isOfContract }: Pick<DocumentedEndpoint, 'known' | 'isOfContract'>,
  { query }: Pick<SentCall, 'query'>,
): readonly string[] {
  const sent = { query, body: undefined }
  if (isOfContract) return unusedFields(sent, known)
  refuseUnused(sent, known)
  return []
}

const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
  ['', false],
  ['undefined', false],
  ['null', false],
])

/** @throws AppError `rest_invalid_param` */
function isDryRun(sent: unknown): boolean {
  const isDry = FLAGS.get(String(sent).toLowerCase())
  if (isDry !== undefined) return isDry
  const params = { dry_run: 'must be true or false' }
  throw new AppError(
    'rest_invalid_param',
    'Invalid parameter(s): dry_run. It must be true or false.',
    {
      params,
    },
  )
}

async function runAndRollBack<Context extends object>(
  endpoint: EndpointWith<Context>,
  call: Context & SentCall,
): Promise<Readonly<Record<string, unknown>>> {
  const { db, site, executor } = call
  return db.write({ site, dryRun: true }, async (tx) => {
    const joined = joinTransaction(db, tx).db
    // What the transaction would build is not built.
    const idle = executor ? { executor: { ...executor, within: undefined } } : {}
    const handled = await endpoint.handle({ ...call, ...idle, db: joined })
    const body =
      handled instanceof WithEffects ? handled.present(skippedEffects(handled.change)) : handled
    return { ...body }
  })
}

/** A new token of a dry run is never valid, but it looks like one. */
function withoutSecrets(response: object): object {
  const text = JSON.stringify(response)
  const without = text.replace(/(?:op_|whsec_)[A-Za-z0-9+/=]{20,}/g, '(shown when it is issued)')
  return without === text ? response : JSON.parse(without)
}
