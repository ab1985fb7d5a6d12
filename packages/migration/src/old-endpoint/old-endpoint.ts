import type { RequestHandler } from 'express'
import type { NetworkIdentities } from '#wp-frames/build/publishing/network-identity'
import type { Database } from '#wp-frames/db/database'
import { type Config, ConfigError } from '#wp-frames/host/config/config'
import type { Log } from '#wp-frames/host/log'
import type { AskedTokens } from '#wp-frames/record/auth/asked-tokens'
import type { GlobalTables } from '#wp-frames/wordpress/network/site'
import { askEndpoint } from './ask-about-token.ts'
import { TokensOfOldEndpoint } from './asked-tokens.ts'
import { LegacyEndpoint, lookAtEndpoint } from './legacy-endpoint.ts'
import type { LiveServices } from './live-comparison.ts'
import { passRequests } from './pass-requests.ts'

type OldEndpointServices = {
  readonly db: Database
  readonly globals: GlobalTables
  readonly log: Log
  readonly identities: NetworkIdentities
}

/** The endpoint that is being replaced, at LEGACY_URL. */
export type OldEndpoint = {
  /** Undefined unless LEGACY_TOKENS is `ask`. */
  readonly asked: AskedTokens | undefined
  readonly passRequests: (services: LiveServices & { readonly basePath: string }) => RequestHandler
  /**
   * Looks at it once this process answers, so that a loop shows. It may be away now and come back.
   * @throws ConfigError for a loop
   */
  look(): Promise<void>
}

const BYTES_PER_MB = 1024 * 1024

export function openOldEndpoint(
  url: string,
  config: Config,
  { db, globals, log, identities }: OldEndpointServices,
): OldEndpoint {
  const { legacyFamilies: families, legacyTokenUser: login } = config
  const { askMs, lookMs } = db.timings.legacy
  const ask = askEndpoint(url, askMs)
  const endpoint = new LegacyEndpoint({
    url,
    timeoutMs: config.legacyTimeoutSeconds * 1000,
    maxBodyBytes: config.legacyMaxMb * BYTES_PER_MB,
  })
  const mayPass = knowsDatabase(identities)
  return {
    asked:
      config.legacyTokens !== 'off'
        ? new TokensOfOldEndpoint({ db, globals, log, login, ask, now: () => new Date() })
        : undefined,
    passRequests: (services) => passRequests({ ...services, endpoint, families, mayPass }),
    look: async () => {
      const seen = await lookAtEndpoint(url, lookMs)
      if (!seen) return
      if (seen.isLoop)
        throw new ConfigError(
          `LEGACY_URL (${url}) ${seen.found}; set it to the address of the old endpoint, which the web server must not send here`,
        )
      log.warn(
        `LEGACY_URL ${seen.found}; requests that this service does not serve fail until it is the address of an endpoint`,
      )
    },
  }
}

/** Whether the database is no moved or copied one. One that is away does not prevent what the old endpoint answers. */
function knowsDatabase(identities: NetworkIdentities): () => Promise<boolean> {
  let isKnown = false
  return async () => {
    if (isKnown) return true
    const network = await identities.read().catch(() => undefined)
    isKnown = network?.isKnownDatabase ?? false
    return isKnown || network === undefined
  }
}
