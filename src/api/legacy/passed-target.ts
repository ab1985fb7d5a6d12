import type { Request } from 'express'
import { AppError } from '../../errors.ts'
import { type LegacyPath, parseLegacyPath } from '../../legacy/families.ts'
import { isPassedBefore } from '../../legacy/legacy-endpoint.ts'
import { noRoute } from '../http-errors.ts'

/** Where a request of this service would go at the old endpoint. */
export type PassedTarget = {
  readonly path: LegacyPath
  /** Path below the base path, as it was sent. */
  readonly sentPath: string
  /** Path and query that are sent. */
  readonly text: string
}

/**
 * The target of a request below the base path; undefined for one that is elsewhere. Express's routes ignore case, too.
 * @throws AppError `rest_no_route` for a path that cannot be decoded
 */
export function targetOf(request: Request, basePath: string): PassedTarget | undefined {
  const [whole = '', ...rest] = request.originalUrl.split('?')
  const isBelow = whole.slice(0, basePath.length).toLowerCase() === basePath.toLowerCase()
  const sentPath = whole.slice(basePath.length)
  if (!isBelow || !/^(?:\/|$)/.test(sentPath)) return undefined
  // WordPress would take the route from this parameter, and the path would mean nothing.
  const query = parametersIn(rest.join('?'))
    .filter(({ name }) => name !== 'rest_route')
    .map(({ text }) => text)
    .join('&')
  const text = query === '' ? sentPath : `${sentPath}?${query}`
  try {
    return { path: parseLegacyPath(sentPath), sentPath, text }
  } catch {
    return noRoute(request)
  }
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

/** WordPress takes the method from these two, if they are sent (WP_REST_Server::serve_request). */
export function mayWrite(request: Request): boolean {
  const [, ...query] = request.originalUrl.split('?')
  return (
    !SAFE_METHODS.includes(request.method) ||
    parametersIn(query.join('?')).some(({ name }) => name === '_method') ||
    request.get('x-http-method-override') !== undefined
  )
}

/** The parameters of a query as they were sent, with the names that PHP gives them (php_register_variable_ex). */
function parametersIn(query: string): { readonly name: string; readonly text: string }[] {
  if (query === '') return []
  return query.split('&').map((text) => {
    const [sent = ''] = text.split('=', 1)
    const [name = ''] = decodeLeniently(sent.replaceAll('+', ' ')).trimStart().split('[', 1)
    return { name: name.replace(/[. ]/g, '_').toLowerCase(), text }
  })
}

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
