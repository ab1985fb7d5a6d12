import type { NetworkIdentities } from '../../build/publishing/network-identity.ts'
import { BYTES_PER_MB, type Config, ConfigError } from '../../host/config/config.ts'
import { LegacyEndpoint, lookAtEndpoint } from '../../host/legacy/legacy-endpoint.ts'
import type { Log } from '../../host/log.ts'
import type { Timings } from '../../host/timings.ts'
import type { Legacy } from './pass-requests.ts'

/** The old endpoint, as the API passes requests to it; undefined without LEGACY_URL. */
export function openLegacy(config: Config, identities: NetworkIdentities): Legacy | undefined {
  const { legacyUrl: url, legacyFamilies: families } = config
  if (url === undefined) return undefined
  let isKnown = false
  const mayPass = async (): Promise<boolean> => {
    if (isKnown) return true
    // A database that is away does not prevent what the old endpoint answers.
    const network = await identities.read().catch(() => undefined)
    isKnown = network?.isKnownDatabase ?? false
    return isKnown || network === undefined
  }
  const timeoutMs = config.legacyTimeoutSeconds * 1000
  const maxBodyBytes = config.legacyMaxMb * BYTES_PER_MB
  return { endpoint: new LegacyEndpoint({ url, timeoutMs, maxBodyBytes }), families, mayPass }
}

/**
 * Looks at the old endpoint once this process answers, so that a loop shows. It may be away now and come back.
 * @throws ConfigError for a loop
 */
export async function lookAtLegacy(
  { legacyUrl }: Config,
  log: Log,
  { legacy: { lookMs } }: Timings,
): Promise<void> {
  const seen = legacyUrl === undefined ? undefined : await lookAtEndpoint(legacyUrl, lookMs)
  if (!seen) return
  if (seen.isLoop)
    throw new ConfigError(
      `LEGACY_URL (${legacyUrl}) ${seen.found}; set it to the address of the old endpoint, which the web server must not send here`,
    )
  log.warn(
    `LEGACY_URL ${seen.found}; requests that this service does not serve fail until it is the address of an endpoint`,
  )
}
