import createHttpClient, { type Client as HttpClient } from 'openapi-fetch'
import { sortParameters } from './batch-request.ts'
import { type ChangeEvent, type FollowChangesOptions, followChanges } from './changes.ts'
import type { CallOptions, Calls, EndpointName, Input, Output } from './endpoint-types.ts'
import { OPERATIONS } from './operations.ts'
import { type PagedEndpointName, readPages } from './paging.ts'
import { type Plan, type WaitForPlanOptions, waitForPlan } from './plans.ts'
import { type RetryOptions, retryingFetch, type Send } from './retrying-fetch.ts'
import type { paths } from './schema.ts'
import { errorOfResponse, printShortly } from './service-error.ts'
import {
  type ForEachSiteOptions,
  forEachSite,
  readSites,
  type Site,
  type SiteResult,
  type SitesOptions,
} from './sites.ts'
import { type Update, updateWith } from './update.ts'

export type ClientOptions = RetryOptions & {
  /** Address of the API: `https://net.test/wp-json/svc/v1`. */
  readonly url: string | undefined
  /** A token from `wp-frames token issue`. */
  readonly token: string | undefined
  /** Sends the requests [the global `fetch`]. */
  readonly fetch?: Send
}

/** Every endpoint as a function with its `operationId` as the name, and what takes several calls. */
export type Client = Calls & Helpers

type Helpers = {
  /** Calls by method and path, as openapi-fetch has them. Requests are repeated too; errors are returned. */
  readonly http: HttpClient<paths>
  /** The response that a call returned the body of, for its headers: `responseOf(output).headers.get('X-Request-Id')`. */
  responseOf(output: object): Response
  /**
   * The version of the frame or menu that a call returned, for `If-Match`.
   * @throws TypeError if the response has none
   */
  etagOf(output: object): string
  /** Reads page after page: `for await (const { entries } of client.pages('listHistory', { site_id: 2 }))`. */
  pages<Name extends PagedEndpointName>(
    name: Name,
    input: Input<Name>,
    options?: CallOptions<Name>,
  ): AsyncGenerator<Output<Name>, void, undefined>
  /** The sites that the token may administer, by id. */
  sites(options?: SitesOptions): AsyncGenerator<Site, void, undefined>
  /**
   * Calls `work` for each live site, for several at the same time. A site that fails does not stop the others.
   * @throws SitesError when all are done and some have failed
   */
  forEachSite<Value>(
    work: (site: Site) => Promise<Value>,
    options?: ForEachSiteOptions,
  ): Promise<SiteResult<Value>[]>
  /**
   * The changes of all sites or of one, each as it comes, without an end: `for await (const { things } of client.followChanges({ site_id: 2 }))`. It
   * survives restarts of the service.
   */
  followChanges(options?: FollowChangesOptions): AsyncGenerator<ChangeEvent, void, undefined>
  /** Reads a plan until it is planned, applied or rolled back, or has failed. */
  waitForPlan(id: string, options?: WaitForPlanOptions): Promise<Plan>
  /** Changes a frame or a menu that no other client may change in between. */
  readonly update: Update
}

/**
 * A client of one service with one token.
 * @throws TypeError without an address or a token
 */
export function createClient(options: ClientOptions): Client {
  const { url, token, fetch: send = (request) => fetch(request) } = options
  if (!url) throw missing('the address of the API in "url"')
  if (!token) throw missing('a token from wp-frames token issue in "token"')
  const http = createHttpClient<paths>({
    baseUrl: url,
    headers: { Authorization: `Bearer ${token}` },
    fetch: retryingFetch(send, options),
    // A redirected write would be sent as a read, and a redirect elsewhere without the token.
    redirect: 'manual',
  })
  const responses = new WeakMap<object, Response>()
  const responseOf = (output: object): Response => {
    const response = responses.get(output)
    if (response) return response
    throw new TypeError('responseOf takes the value that a call of this client has returned.')
  }
  const etagOf = (output: object) => etagOfResponse(responseOf(output))
  const calls = callsOver(http, (output, response) => responses.set(output, response))
  return {
    ...calls,
    http,
    responseOf,
    etagOf,
    pages: (name, input, more) => readPages(calls, name, input, more),
    sites: (more) => readSites(calls, more),
    forEachSite: (work, more) => forEachSite(calls, work, more),
    followChanges: (more) => followChanges(calls, more),
    waitForPlan: (id, more) => waitForPlan(calls, id, more),
    update: updateWith(calls, etagOf),
  }
}

function missing(option: string): TypeError {
  return printShortly(
    new TypeError(
      `createClient needs ${option}. It is empty, or read from a variable of the environment that is not set.`,
    ),
  )
}

/** A proxy that compresses makes the tag a weak one, which never matches. */
function etagOfResponse({ headers }: Response): string {
  const etag = headers.get('ETag')?.replace(/^W\//, '')
  if (etag) return etag
  throw new TypeError(
    'The response has no ETag. Read a frame or a menu, and check the proxies before the service.',
  )
}

type Remember = (output: object, response: Response) => void

/** The functions of all endpoints. */
function callsOver(http: HttpClient<paths>, remember: Remember): Calls {
  const calls: Record<string, unknown> = {}
  for (const name of Object.keys(OPERATIONS) as EndpointName[]) {
    calls[name] = (input?: AnyInput, options?: CallOptions) =>
      callEndpoint(http, remember, name, input, options)
  }
  return calls as Calls
}

type AnyInput = { readonly body?: unknown; readonly [parameter: string]: unknown }

/** `request` without the types of each path: input and output have been typed by `Calls`. */
type AnyRequest = (
  method: string,
  path: string,
  init: object,
) => Promise<{ readonly data?: string; readonly error?: unknown; readonly response: Response }>

async function callEndpoint(
  http: HttpClient<paths>,
  remember: Remember,
  name: EndpointName,
  { body, ...parameters }: AnyInput = {},
  { headers: header = {}, signal }: CallOptions = {},
): Promise<object> {
  const [method, path] = OPERATIONS[name]
  const { inPath, query } = sortParameters(path, parameters)
  const { data, error, response } = await (http.request as AnyRequest)(method, path, {
    params: { path: inPath, query, header },
    ...(body === undefined ? {} : { body }),
    ...(signal ? { signal } : {}),
    parseAs: 'text',
  })
  const output = parseSuccess(data)
  if (!output) throw errorOfResponse(error, response)
  remember(output, response)
  return output
}

/** The body of a success, as the API has it; undefined for any other text, for example a page of a proxy. */
function parseSuccess(text = ''): object | undefined {
  try {
    const value: { readonly success?: unknown } | null = JSON.parse(text)
    return value?.success === true ? value : undefined
  } catch {
    return undefined
  }
}
