import { AppError, type ErrorCode } from '../../errors.ts'
import { siteAddress } from '../../wordpress/network/site.ts'
import type { AnswerOf, EndpointInput, Service } from '../call-endpoint.ts'
import { CommandError } from '../cli-context.ts'
import { type CalledEndpoint, listSitesEndpoint } from '../endpoints.ts'
import { type AddressedSite, isIncluded, type SiteRef } from '../sites/site-options.ts'
import type { Login } from './logins.ts'
import { NoAnswerError, type ServiceResponse, sendRequest } from './send-request.ts'

/** The endpoints of a service that is reached over HTTP with a stored token. */
export function httpService(
  login: Login,
  { config, log, timings }: Pick<Service, 'config' | 'log' | 'timings'>,
): Service {
  const call = async (
    endpoint: CalledEndpoint,
    prefix: string,
    { params, query, body, signal }: EndpointInput = {},
  ) => {
    const path = `${prefix}${pathOf(endpoint, params)}${queryText(query)}`
    const method = endpoint.method.toUpperCase()
    const sent = body === undefined ? undefined : JSON.stringify(body)
    const request = { method, path, body: sent, signal }
    return readAnswer(login, await sendRequest(login, request, timings.cli))
  }
  const getSite = (ref: SiteRef) => findSite(service, ref)
  const service: Service = {
    config,
    log,
    timings,
    callSite: ({ blogId }, endpoint, input) => call(endpoint, `/site/${blogId}`, input),
    callNetwork: (endpoint, input) => call(endpoint, '', input),
    getSite,
    findSites: async (options) => {
      if (options.site !== undefined) return [await getSite(options.site)]
      const sites = await readSitesOfToken(service)
      return sites.filter(({ state }) => isIncluded(state, options)).map(addressedSite)
    },
    getAuthorId: async (login) => {
      if (login === undefined) return 0
      throw new CommandError('Over HTTP, the author is the user of the token. Leave out --user.')
    },
    database: undefined,
  }
  return service
}

/** The path of a request to an endpoint. */
export const pathOf = ({ path }: Pick<CalledEndpoint, 'path'>, params: object = {}): string =>
  path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(String(Reflect.get(params, name))))

function queryText(query: object = {}): string {
  const sent = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) sent.set(name, String(value))
  return sent.size > 0 ? `?${sent}` : ''
}

/**
 * The body of a successful response.
 * @throws AppError the error in the response; CommandError if the response is not one of the API
 */
function readAnswer({ name, url }: Login, { ok, status, text }: ServiceResponse) {
  const body = parseObject(text)
  if (ok && body?.success === true) return body as never
  const { code, error = code, message, data, success: _, ...fields } = body ?? {}
  if (status >= 502 && typeof error !== 'string')
    throw new NoAnswerError(
      `${url} answers ${status}: a proxy cannot reach the service. Check whether it runs.`,
    )
  if (ok || typeof error !== 'string')
    throw new CommandError(
      `${url} answers ${status} with something else than the API would. Check the address of the login "${name}".`,
    )
  if (status === 401)
    throw new CommandError(`${message} Log in again with "wp-frames login ${url} --name ${name}".`)
  throw new AppError(error as ErrorCode, String(message), { ...fields, ...asObject(data) })
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}

const asObject = (value: unknown): object =>
  typeof value === 'object' && value !== null ? value : {}

type ListedSite = AnswerOf<typeof listSitesEndpoint>['sites'][number]

/** As many as a page of the list may have. */
export const SITES_PER_REQUEST = 200

/** All sites that the token may administer, or those that a query finds. */
export async function readSitesOfToken(
  service: Pick<Service, 'callNetwork'>,
  query: object = {},
): Promise<readonly ListedSite[]> {
  const sites: ListedSite[] = []
  for (let after: number | null = 0; after !== null; ) {
    const page: AnswerOf<typeof listSitesEndpoint> = await service.callNetwork(listSitesEndpoint, {
      query: { ...query, after, limit: SITES_PER_REQUEST },
    })
    sites.push(...page.sites)
    after = page.next
  }
  return sites
}

function addressedSite({ site_id, address }: ListedSite): AddressedSite {
  const [domain = '', ...path] = address.split('/')
  return { blogId: site_id, domain, path: ['', ...path, ''].join('/') }
}

/** @throws CommandError if the token may not administer such a site */
async function findSite(service: Service, ref: SiteRef): Promise<AddressedSite> {
  const wanted = 'blogId' in ref ? undefined : `${ref.host}${ref.path}`.replace(/\/$/, '')
  const query = 'blogId' in ref ? { id: ref.blogId } : { search: wanted }
  const sites = (await readSitesOfToken(service, query)).map(addressedSite)
  const found =
    wanted === undefined
      ? sites[0]
      : sites.find((site) => siteAddress(site).toLowerCase() === wanted.toLowerCase())
  if (found) return found
  const description = 'blogId' in ref ? `with the id ${ref.blogId}` : `at ${ref.text}`
  throw new CommandError(
    `There is no site ${description}, or its administrators do not include the user of the token. "wp-frames sites" lists the sites of the token.`,
  )
}
