import type { LegacyFamilies } from '../families.ts'
import { parseUrl } from '../parse-url.ts'

const OWN_HOSTS = ['localhost', '127.0.0.1', '[::1]', '0.0.0.0', '[::]']

/** The variables that concern the old endpoint, and those of the own address. */
type OldEndpointSettings = {
  readonly LEGACY_URL?: string | undefined
  readonly LEGACY_FAMILIES: LegacyFamilies
  readonly LEGACY_TOKENS: 'off' | 'ask'
  readonly HOST: string
  readonly PORT: number
  readonly FRONT_PORT: number
}

/**
 * What is wrong with the settings together: one has no effect without an old endpoint, or that is this service: a request passed to this process would
 * come back without an end.
 */
export function findOldEndpointFault({
  LEGACY_URL: legacyUrl,
  LEGACY_FAMILIES: families,
  LEGACY_TOKENS: tokens,
  HOST: host,
  PORT: port,
  FRONT_PORT: frontPort,
}: OldEndpointSettings): string | undefined {
  if (legacyUrl === undefined && families.size > 0)
    return `LEGACY_FAMILIES (${[...families.keys()].join()}) has no effect without an old endpoint; set LEGACY_URL to its address, or unset LEGACY_FAMILIES`
  if (legacyUrl === undefined && tokens === 'ask')
    return 'LEGACY_TOKENS is ask, and there is no old endpoint to ask; set LEGACY_URL to its address, or LEGACY_TOKENS to off'
  const url = parseUrl(legacyUrl ?? '')
  if (!url || ![...OWN_HOSTS, host].includes(url.hostname)) return undefined
  if (![port, frontPort].includes(Number(url.port || (url.protocol === 'https:' ? 443 : 80))))
    return undefined
  return `LEGACY_URL (${legacyUrl}) is the address of this service (HOST, PORT and FRONT_PORT); set it to the address of the old endpoint`
}
