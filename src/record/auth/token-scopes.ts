import { AppError } from '../../host/errors.ts'
import type { GlobalTables } from '../../wordpress/network/site.ts'

/** What a token may do, at most: `frames` and `menus` include `read`, `all` includes everything. */
export const TOKEN_SCOPES = ['read', 'frames', 'menus', 'all'] as const

export type TokenScope = (typeof TOKEN_SCOPES)[number]

/** The limits of a token. They never widen what its user may do. */
export type TokenLimits = {
  readonly scope: TokenScope
  /** Blog ids of the only sites that exist for the token; null for all. */
  readonly sites: readonly number[] | null
}

export const UNLIMITED: TokenLimits = { scope: 'all', sites: null }

/** Sites to which one token can be limited. */
export const MAX_TOKEN_SITES = 1000

export const scopesTable = ({ basePrefix }: Pick<GlobalTables, 'basePrefix'>): string =>
  `${basePrefix}svc_token_scopes`

/**
 * `<base_prefix>svc_token_checks` (`sql/migrations/0017-token-checks.sql`): when the old endpoint last accepted a token for a site. Only `packages/migration`
 * reads and writes it.
 */
export const checksTable = ({ basePrefix }: Pick<GlobalTables, 'basePrefix'>): string =>
  `${basePrefix}svc_token_checks`

/** The columns of `svc_token_scopes`; null for a token without a row. */
export type ScopeRow = { readonly scope: string | null; readonly sites: string | null }

/**
 * The stored scope of a token that is known only by asking the old endpoint; its sites are those for which it is accepted. Older versions do not know this
 * scope.
 */
export const ASKED_SCOPE = 'asked'

/** The limits in a row. An unknown scope of a later version allows only reads. */
export function limitsOf({ scope, sites }: ScopeRow): TokenLimits {
  return {
    scope:
      scope === null || scope === ASKED_SCOPE
        ? 'all'
        : (TOKEN_SCOPES.find((name) => name === scope) ?? 'read'),
    sites: sites === null ? null : sites.split(',').map(Number),
  }
}

/** `asked: true` for a token that is known only by asking the old endpoint, else nothing. */
export const originOf = ({ scope }: Pick<ScopeRow, 'scope'>): { readonly asked?: true } =>
  scope === ASKED_SCOPE ? { asked: true } : {}

export const isLimited = ({ scope, sites }: TokenLimits): boolean =>
  scope !== 'all' || sites !== null

/** Whether the site exists for the token. */
export function includesSite({ sites }: TokenLimits, blogId: number): boolean {
  return sites === null || sites.includes(blogId)
}

/** Whether the token's scope includes the required one. */
export function includesScope({ scope }: TokenLimits, required: TokenScope): boolean {
  return scope === 'all' || scope === required || required === 'read'
}

/** @throws AppError `insufficient_scope` unless the token's scope includes the required one */
export function assertScope(limits: TokenLimits, required: TokenScope): void {
  if (includesScope(limits, required)) return
  const { scope } = limits
  throw new AppError(
    'insufficient_scope',
    `The scope of this token is "${scope}", and this request needs "${required}". Use a token with that scope.`,
    { scope, required },
  )
}
