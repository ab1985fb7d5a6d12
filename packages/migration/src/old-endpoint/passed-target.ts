import type { Request } from 'express'
import { noRoute } from '#wp-frames/api/http-errors'
import type { RequestTarget } from '#wp-frames/api/request-target'
import { AppError } from '#wp-frames/host/errors'
import { type LegacyPath, parseLegacyPath } from '#wp-frames/host/families'
import { isPassedBefore, phpHeaderName } from './legacy-endpoint.ts'

/**
 * Path and query that are sent. WordPress would take the route from `rest_route`, and the path would mean nothing, so that is left out.
 * @throws AppError `rest_invalid_param` for a name of a parameter that PHP changes
 */
export function passedText({ sentPath, query }: RequestTarget): string {
  const passed = parametersIn(query)
    .filter(({ name }) => name !== 'rest_route')
    .map(({ text }) => text)
    .join('&')
  return passed === '' ? sentPath : `${sentPath}?${passed}`
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS']
/** A path may be decoded by each server on the way. */
const MAX_DECODINGS = 4

/**
 * @throws AppError `legacy_loop` for a request that has come back; `rest_no_route` for a method that is not HTTP's own, and for a path that may lead out of
 * the old endpoint
 */
export function assertPassable(request: Request, sentPath: string): void {
  if (isPassedBefore(request))
    throw new AppError(
      'legacy_loop',
      'This request has come back from the old endpoint: LEGACY_URL leads to this service. Set it to the address of the old endpoint.',
    )
  if (!METHODS.includes(request.method)) noRoute(request)
  let path = sentPath
  for (let times = 0; times < MAX_DECODINGS; times += 1) {
    if (/[\0#]|(?:^|[\\/])\.{1,2}(?:[\\/;]|$)/.test(path)) noRoute(request)
    path = decodeLeniently(path)
  }
}

/** What the old endpoint may take a request for. */
export type ReadRequest = { readonly method: string; readonly path: LegacyPath }

/**
 * A request as WordPress and the servers before it may read it: with the method of an override, and with encoded slashes as slashes. The answer to who
 * serves a request must not depend on how it is written.
 * @throws AppError `rest_invalid_param` for an override that is no method
 */
export function readsOf(request: Request, sentPath: string): readonly ReadRequest[] {
  const method = overrideOf(request) ?? request.method
  const paths = [sentPath]
  for (let times = 0; times < MAX_DECODINGS; times += 1)
    paths.push(decodeLeniently(paths.at(-1) ?? '').replaceAll('\\', '/'))
  return [...new Set(paths)].flatMap((path) => {
    try {
      return [{ method, path: parseLegacyPath(path) }]
    } catch {
      // A path that cannot be decoded any further was read already.
      return []
    }
  })
}

/** Whether the old endpoint may store something for a request. */
export const mayWrite = (request: Request): boolean =>
  [request.method, overrideOf(request) ?? request.method].some(
    (method) => !SAFE_METHODS.includes(method),
  )

/** The method that WordPress takes in place of the one of the request (WP_REST_Server::serve_request); undefined for none. */
function overrideOf(request: Request): string | undefined {
  const [, ...query] = request.originalUrl.split('?')
  const inQuery = parametersIn(query.join('?')).filter(({ name }) => name === '_method')
  const inHeaders = Object.entries(request.headers).filter(
    ([name]) => phpHeaderName(name) === 'x-http-method-override',
  )
  const sent = [
    ...inQuery.map(({ text }) => decodeLeniently(text.split('=').slice(1).join('='))),
    ...inHeaders.map(([, value]) => String(value)),
  ].map((method) => method.trim().toUpperCase())
  const [override] = sent
  if (override === undefined) return undefined
  if (METHODS.includes(override) && new Set(sent).size === 1) return override
  throw new AppError(
    'rest_invalid_param',
    'The method in "_method" or X-HTTP-Method-Override is none, or they name several. Send the request with the method itself.',
    { params: { _method: `must be one of ${METHODS.join(', ')}` } },
  )
}

/**
 * The parameters of a query as they were sent, with the names that PHP gives them (php_register_variable_ex).
 * @throws AppError `rest_invalid_param` for a name that PHP cuts or changes: what it names must not depend on who reads it
 */
function parametersIn(query: string): { readonly name: string; readonly text: string }[] {
  if (query === '') return []
  return query.split('&').map((text) => {
    const [sent = ''] = text.split('=', 1)
    const decoded = decodeLeniently(sent.replaceAll('+', ' ')).trimStart()
    if (!/^[^\0[\]]*(?:\[[^\0[\]]*\])*$/.test(decoded)) throw changedName()
    const [name = ''] = decoded.split('[', 1)
    return { name: name.replace(/[. ]/g, '_').toLowerCase(), text }
  })
}

const changedName = (): AppError =>
  new AppError(
    'rest_invalid_param',
    'The query has a parameter whose name PHP would change: it contains a NUL, or a bracket without its other one. Send it without.',
    { params: { query: 'must have names such as page or items[0]' } },
  )

/** Decodes what can be decoded, byte by byte: only ASCII characters matter here. */
const decodeLeniently = (text: string): string =>
  text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )

/** What the old endpoint has to know about the client. Proxies in front are believed as far as TRUST_PROXY says. */
export function forwardedFields(request: Request) {
  const { remoteAddress = '' } = request.socket
  const trust: (address: string, hop: number) => boolean = request.app.get('trust proxy fn')
  const host = trust(remoteAddress, 0) ? request.get('x-forwarded-host') : undefined
  return {
    for: [...request.ips, remoteAddress].join(', '),
    client: request.ip ?? remoteAddress,
    host: host ?? request.get('host') ?? '',
    proto: request.protocol,
  }
}
