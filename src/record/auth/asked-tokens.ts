import type { IncomingHttpHeaders } from 'node:http'
import type { Caller, FoundToken } from './authenticate.ts'
import type { SiteChoice } from './authorize-site.ts'

/** What is known about a request before its caller. */
export type AskingRequest = {
  readonly token: string
  /** The site that the request seems to be for. */
  readonly choice: SiteChoice
  /** Its address and protocol; undefined for a client on this machine. */
  readonly client: { readonly address: string; readonly protocol: string } | undefined
  readonly headers: IncomingHttpHeaders
  /** Under which its failed authentications are counted. */
  readonly addressKey: string
  /** Whether its body may name another site. */
  readonly mayNameSiteInBody: boolean
  /** Throws if the address has failed too often. */
  mayAsk(): Promise<void>
  /** Reads the stored token. */
  find(): Promise<FoundToken | undefined>
}

/** Tokens that are known only by asking the old endpoint (`LEGACY_TOKENS=ask`), see `packages/migration`. */
export type AskedTokens = {
  /**
   * Finds the caller of a token: one that is stored, or one that the old endpoint accepts.
   * @throws AppError `invalid_token`; `site_not_found` and `insufficient_role` for a valid token that it does not accept for the site;
   * `service_busy` if it does not answer
   */
  findCaller(request: AskingRequest): Promise<Caller>
}
