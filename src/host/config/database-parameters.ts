import { isIP } from 'node:net'

/**
 * How connections to the database are encrypted, in the terms of the MySQL clients. `REQUIRED` encrypts and accepts any certificate,
 * `VERIFY_CA` also verifies the certificate authority, `VERIFY_IDENTITY` also verifies the host name.
 */
type SslMode = (typeof SSL_MODES)[number]

/** The query parameters of `DATABASE_URL`. */
export type DatabaseParameters = {
  readonly socketPath: string | undefined
  readonly sslMode: SslMode
  /** File with the trusted certificates; undefined for the certificates that Node trusts. */
  readonly sslCa: string | undefined
}

const SSL_MODES = ['DISABLED', 'REQUIRED', 'VERIFY_CA', 'VERIFY_IDENTITY'] as const
const SSL_VALUES = new Map<string, SslMode>([
  ['1', 'VERIFY_IDENTITY'],
  ['true', 'VERIFY_IDENTITY'],
  ['0', 'DISABLED'],
  ['false', 'DISABLED'],
])
const KNOWN = ['socketPath', 'ssl', 'ssl-mode', 'ssl-ca']

export function databaseParameters(url: URL): DatabaseParameters {
  const { searchParams } = url
  return {
    socketPath: searchParams.get('socketPath') ?? undefined,
    sslMode: sslModeOf(searchParams) ?? 'DISABLED',
    sslCa: searchParams.get('ssl-ca') ?? undefined,
  }
}

/** The problem with the parameters of a database URL, as a clause that follows the variable's name; undefined if they are valid. */
export function findParameterProblem(url: URL): string | undefined {
  const names = [...url.searchParams.keys()]
  const unknown = names.filter((name) => !KNOWN.includes(name))
  if (unknown.length > 0)
    return `has unknown parameters: ${unknown.join(', ')}. Valid parameters: ${KNOWN.join(', ')}`
  const repeated = names.find((name, index) => names.indexOf(name) !== index)
  if (repeated !== undefined) return `has the parameter ${repeated} more than once`
  const empty = names.find((name) => url.searchParams.get(name) === '')
  if (empty !== undefined) return `has the parameter ${empty} without a value`
  return findTlsProblem(url)
}

function findTlsProblem(url: URL): string | undefined {
  const { searchParams, hostname } = url
  if (searchParams.has('ssl') && searchParams.has('ssl-mode'))
    return 'has both ssl and ssl-mode; remove one of them'
  if (sslModeOf(searchParams) === undefined)
    return `has an invalid value of ssl or ssl-mode; use ssl=1, ssl=0, or ssl-mode=${SSL_MODES.join(', ')}`
  const { sslMode, sslCa, socketPath } = databaseParameters(url)
  if (sslCa !== undefined && !sslMode.startsWith('VERIFY_'))
    return 'has ssl-ca but does not verify certificates; add ssl-mode=VERIFY_CA or VERIFY_IDENTITY'
  if (socketPath !== undefined && sslMode !== 'DISABLED')
    return 'enables TLS on a Unix socket, which is not supported; remove socketPath or ssl'
  if (sslMode === 'VERIFY_IDENTITY' && isIP(hostname.replace(/^\[|\]$/g, '')) !== 0)
    return 'has an IP address, whose identity cannot be verified; use a host name or ssl-mode=VERIFY_CA'
  return undefined
}

/** Undefined for an invalid value. `ssl-ca` alone implies `VERIFY_IDENTITY`. */
function sslModeOf(parameters: URLSearchParams): SslMode | undefined {
  const ssl = parameters.get('ssl')
  const mode = parameters.get('ssl-mode')
  if (ssl !== null) return SSL_VALUES.get(ssl.toLowerCase())
  if (mode !== null) return SSL_MODES.find((known) => known === mode.toUpperCase())
  return parameters.has('ssl-ca') ? 'VERIFY_IDENTITY' : 'DISABLED'
}
