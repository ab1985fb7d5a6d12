import { type Endpoint, WithEffects } from '../api/endpoint.ts'
import { examinationQueue } from '../api/findings/examinations.ts'
import type { NetworkEndpoint } from '../api/network/network-endpoint.ts'
import type { Caller } from '../auth/authenticate.ts'
import { UNLIMITED } from '../auth/token-scopes.ts'
import { AppError, type ErrorCode } from '../errors.ts'
import type { Site } from '../wordpress/network/site.ts'
import { type CliServices, CommandError } from './cli-context.ts'
import { COMMAND_LABEL } from './with-services.ts'

/** What an endpoint is sent. Fields that are undefined are not sent. */
type EndpointInput = { readonly params?: object; readonly query?: object; readonly body?: object }

/** An endpoint whose successful response is known to the compiler. */
type Answers<Body> = { readonly $response?: Body }

const NOTHING = { params: {}, query: {}, body: undefined }

/** The operator has access to the database, and may do everything. */
const OPERATOR_RIGHTS = { administrator: true, superAdmin: true }

/** The operator, as the caller of an endpoint: without a token, and without a user unless one is named as the author. */
const operator = (userId = 0): Caller => ({
  tokenId: 0,
  tokenLabel: COMMAND_LABEL,
  tokenExpiresAt: null,
  limits: UNLIMITED,
  user: { id: userId, login: '', isBlocked: false },
  membership: { blogId: 0, blog: undefined, rights: OPERATOR_RIGHTS },
})

/**
 * Calls an endpoint of a site as the operator. A write waits for its effects.
 * @param userId author of frames and items that the endpoint writes [none]
 * @returns the body of the response
 */
export async function callSite<Body extends object>(
  services: CliServices,
  site: Site,
  endpoint: Endpoint & Answers<Body>,
  input: EndpointInput = {},
  userId?: number,
): Promise<Body> {
  const handled = await endpoint.handle({
    ...services,
    effectsBudgetMs: Number.POSITIVE_INFINITY,
    examinations: examinationQueue(),
    now: () => new Date(),
    site,
    caller: operator(userId),
    rights: OPERATOR_RIGHTS,
    precondition: undefined,
    setEtag: () => {},
    ...NOTHING,
    ...input,
  })
  const answer =
    handled instanceof WithEffects ? await handled.apply(services.executor, site) : handled
  return answer as Body
}

/** Calls an endpoint of the network as the operator. */
export async function callNetwork<Body extends object>(
  { db, globals }: CliServices,
  endpoint: NetworkEndpoint & Answers<Body>,
  input: EndpointInput = {},
): Promise<Body> {
  const call = { db, globals, now: () => new Date(), caller: operator(), ...NOTHING, ...input }
  return (await endpoint.handle(call)) as Body
}

/**
 * For `catch` after a call: says an error in the terms of the command line, because the sentences of the API advise requests.
 * @throws CommandError for this code; other errors as they are
 */
export const saying =
  (code: ErrorCode, sentence: string) =>
  (error: unknown): never => {
    if (error instanceof AppError && error.code === code) throw new CommandError(sentence)
    throw error
  }
