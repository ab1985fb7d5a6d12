import { type Endpoint, WithEffects } from '../api/endpoint.ts'
import { examinationQueue } from '../api/findings/examinations.ts'
import type { NetworkEndpoint } from '../api/network/network-endpoint.ts'
import type { Caller } from '../auth/authenticate.ts'
import { UNLIMITED } from '../auth/token-scopes.ts'
import { AppError, type ErrorCode } from '../errors.ts'
import type { Precondition } from '../preconditions.ts'
import type { Timings } from '../timings.ts'
import type { Site } from '../wordpress/network/site.ts'
import { type CliServices, CommandError } from './cli-context.ts'
import { getAuthorId } from './get-user.ts'
import {
  type AddressedSite,
  findRequestedSites,
  getSite,
  type SiteOptions,
  type SiteRef,
} from './sites/site-options.ts'
import { COMMAND_LABEL } from './with-services.ts'

/** What an endpoint is sent. Fields that are undefined are not sent. */
export type EndpointInput = {
  readonly params?: object
  readonly query?: object
  readonly body?: unknown
  readonly precondition?: Precondition | undefined
  /** Ends a wait. */
  readonly signal?: AbortSignal
}

/** An endpoint whose successful response is known to the compiler. */
export type Answers<Body> = { readonly $response?: Body }

/** The successful response of an endpoint. */
export type AnswerOf<One extends Answers<object>> = NonNullable<One['$response']>

/** Where the endpoints run that a command calls: in this process, or in another one that is reached over HTTP. */
export type Service = Pick<CliServices, 'config' | 'log'> & {
  readonly timings: Timings
  /**
   * Calls an endpoint of a site that this service has found.
   * @param userId author of frames and items that the endpoint writes, see `getAuthorId` [none]
   * @returns the body of the response
   * @throws AppError, DomainError
   */
  callSite<Body extends object>(
    site: AddressedSite,
    endpoint: Endpoint & Answers<Body>,
    input?: EndpointInput,
    userId?: number,
  ): Promise<Body>
  /** Calls an endpoint without a site. */
  callNetwork<Body extends object>(
    endpoint: NetworkEndpoint & Answers<Body>,
    input?: EndpointInput,
  ): Promise<Body>
  /** @throws CommandError if there is no such site */
  getSite(ref: SiteRef): Promise<AddressedSite>
  /** The sites that `--site` or `--network` means. */
  findSites(options: SiteOptions): Promise<readonly AddressedSite[]>
  /**
   * The id of the author that `--user` names; 0 without one.
   * @throws CommandError over HTTP, where the author is the user of the token
   */
  getAuthorId(login: string | undefined): Promise<number>
  /** The services of this process, for what no endpoint does; undefined over HTTP. */
  readonly database: CliServices | undefined
}

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

/** The endpoints on the database of this process, called as the operator. A write waits for its effects. */
export function databaseService(services: CliServices): Service {
  const { db, globals, config, log, changes, webhookSender } = services
  return {
    config,
    log,
    timings: db.timings,
    callSite: async (site: Site, endpoint, input, userId) => {
      const handled = await endpoint.handle({
        ...services,
        caller: operator(userId),
        rights: OPERATOR_RIGHTS,
        effectsBudgetMs: Number.POSITIVE_INFINITY,
        examinations: examinationQueue(db.timings.api.examinationWaitMs),
        now: () => new Date(),
        site,
        precondition: undefined,
        setEtag: () => {},
        ...NOTHING,
        ...input,
      })
      const answer =
        handled instanceof WithEffects ? await handled.apply(services.executor, site) : handled
      return answer as AnswerOf<typeof endpoint>
    },
    callNetwork: async (endpoint, input) => {
      const now = () => new Date()
      const feed = { changes, webhookSender }
      const call = { db, globals, ...feed, now, caller: operator(), ...NOTHING, ...input }
      return (await endpoint.handle(call)) as AnswerOf<typeof endpoint>
    },
    getSite: (ref) => getSite(services, ref),
    findSites: (options) => findRequestedSites(services, options),
    getAuthorId: (login) => getAuthorId(services, login),
    database: services,
  }
}

/** @throws CommandError over HTTP */
export function getDatabase({ database }: Service): CliServices {
  if (database) return database
  throw new CommandError(
    'No request of the API does this, so it needs the database: leave out --env, unset WP_FRAMES_ENV, and set DATABASE_URL.',
  )
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
