import type { Endpoint } from '../api/endpoint.ts'
import { AppError, type ErrorCode } from '../errors.ts'
import type { Timings } from '../timings.ts'
import { type CliServices, CommandError } from './cli-context.ts'
import type { Answers, CalledEndpoint } from './endpoints.ts'
import type { AddressedSite, SiteOptions, SiteRef } from './sites/site-options.ts'

/** What an endpoint is sent. Fields that are undefined are not sent. */
export type EndpointInput = {
  readonly params?: object
  readonly query?: object
  readonly body?: unknown
  /** Ends a wait. */
  readonly signal?: AbortSignal
}

/** The successful response of an endpoint. */
export type AnswerOf<One extends CalledEndpoint> = NonNullable<
  Awaited<ReturnType<One['load']>>['$response']
>

/** Where the endpoints run that a command calls: in this process, or in another one that is reached over HTTP. */
export type Service = Pick<CliServices, 'config' | 'log'> & {
  readonly timings: Timings
  /**
   * Calls an endpoint of a site that this service has found.
   * @param userId author of frames and items that the endpoint writes, see `getAuthorId` [none]
   * @returns the body of the response
   * @throws AppError
   */
  callSite<Body extends object>(
    site: AddressedSite,
    endpoint: CalledEndpoint<Endpoint & Answers<Body>>,
    input?: EndpointInput,
    userId?: number,
  ): Promise<Body>
  /** Calls an endpoint without a site. */
  callNetwork<Body extends object>(
    endpoint: CalledEndpoint<Endpoint & Answers<Body>>,
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
