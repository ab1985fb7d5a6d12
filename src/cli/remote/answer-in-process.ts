import { type Endpoint, type EndpointKind, NETWORK_PREFIX } from '../../api/endpoint.ts'
import { endpointsOn } from '../../api/endpoints.ts'
import { readPrecondition } from '../../api/entity-tag.ts'
import { findEndpoint } from '../../api/find-endpoint.ts'
import { errorResponseOf, knownErrorOf, noRoute } from '../../api/http-errors.ts'
import { type CliServices, CommandError } from '../cli-context.ts'
import { databaseService } from '../database-service.ts'
import type { ServiceRequest } from './send-request.ts'

/** The headers that an endpoint itself reads. */
const CONDITIONS = ['if-match', 'if-none-match']

/**
 * Answers a request as the API would, as the operator on the database of this process. Without a token, it is not limited and has no rights to
 * check.
 * @throws CommandError for a request that only a service can answer
 */
export async function answerInProcess(
  services: CliServices,
  request: ServiceRequest,
): Promise<{ readonly status: number; readonly text: string }> {
  try {
    return { status: 200, text: JSON.stringify(await call(services, request)) }
  } catch (error) {
    const known = knownErrorOf(error)
    if (!known) throw error
    const { status, body } = errorResponseOf(known)
    return { status, text: JSON.stringify(body) }
  }
}

async function call(
  services: CliServices,
  { method, path, headers = {}, body }: ServiceRequest,
): Promise<object> {
  const service = databaseService(services)
  const { pathname, searchParams } = new URL(path, 'http://localhost')
  const input = {
    query: Object.fromEntries(searchParams),
    body: body === undefined ? undefined : JSON.parse(body),
  }
  const [, blogId, below = ''] = /^\/site\/([1-9]\d{0,14})(\/.*)$/.exec(pathname) ?? []
  if (blogId !== undefined) {
    const { endpoint, params } = route('site', method, below)
    const site = await service.getSite({ blogId: Number(blogId) })
    const precondition = readConditions(headers)
    return service.callSite(site, calledEndpoint(endpoint), { ...input, params, precondition })
  }
  if (endpointsOn('caller').some((endpoint) => endpoint.path === pathname))
    throw new CommandError(
      `${pathname} is about the user of a token, and this command has none. Log in with "wp-frames login <url>".`,
    )
  if (!pathname.startsWith(`${NETWORK_PREFIX}/`)) noRoute({ method, originalUrl: path })
  refuseHeaders(headers, [])
  const { endpoint, params } = route('network', method, pathname.slice(NETWORK_PREFIX.length))
  return service.callNetwork(calledEndpoint(endpoint), { ...input, params })
}

/** An endpoint as commands name one. */
const calledEndpoint = (endpoint: Endpoint) => ({
  method: endpoint.method,
  path: endpoint.path,
  load: async () => endpoint,
})

/** @throws AppError `rest_no_route` */
const route = (kind: EndpointKind, method: string, path: string) =>
  findEndpoint(endpointsOn(kind), method, path) ?? noRoute({ method, originalUrl: path })

/** @throws CommandError for a header that has no effect without a service */
function refuseHeaders(
  headers: Readonly<Record<string, string>>,
  known: readonly string[],
): ReadonlyMap<string, string> {
  const byName = new Map(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  )
  const other = [...byName.keys()].find((name) => !known.includes(name))
  if (other !== undefined)
    throw new CommandError(
      `The header ${other} has no effect without a service. Log in with "wp-frames login <url>", or leave it out.`,
    )
  return byName
}

/** @throws CommandError */
function readConditions(headers: Readonly<Record<string, string>>) {
  const byName = refuseHeaders(headers, CONDITIONS)
  return readPrecondition(byName.get('if-match'), byName.get('if-none-match'))
}
