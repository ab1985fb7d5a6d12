import { z } from 'zod'
import { MAX_TOKEN_SITES, TOKEN_SCOPES } from '../../auth/token-scopes.ts'
import {
  type IssuedToken,
  isLabel,
  issueToken,
  listTokens,
  MAX_LABEL_LENGTH,
  revokeToken,
} from '../../auth/tokens.ts'
import { AppError } from '../../errors.ts'
import { parseTime } from '../../restore/moment.ts'
import { parseGmt } from '../../wordpress/dates.ts'
import { findSite } from '../../wordpress/network/find-sites.ts'
import { findUserByLogin, readLogins } from '../../wordpress/users/users.ts'
import { defineEndpoint, type Endpoint } from '../endpoint.ts'
import { pathId } from '../fields.ts'
import { pick } from '../pick.ts'

const limitFields = {
  scope: z.enum(TOKEN_SCOPES).meta({
    description: 'What the token may do at most. It never widens what its user may do.',
    examples: ['frames'],
  }),
  sites: z
    .array(z.int().positive())
    .min(1)
    .max(MAX_TOKEN_SITES)
    .nullable()
    .meta({
      description: 'The only sites that exist for the token; null for all.',
      examples: [[2, 5]],
    }),
}

const timeText = z
  .string()
  .nullable()
  .meta({ description: 'GMT.', examples: ['2026-03-01 09:30:00'] })

const TokenSchema = z
  .object({
    id: z.int(),
    user_id: z.int(),
    login: z
      .string()
      .nullable()
      .meta({ description: 'Of its user; null for a deleted one.', examples: ['alice'] }),
    label: z.string(),
    ...limitFields,
    created_at: z.string(),
    last_used_at: timeText,
    expires_at: timeText,
    revoked_at: timeText,
    refused: z.int().describe('Authenticated requests that were refused for lack of rights.'),
    failed: z.int().describe('Authenticated requests that failed otherwise.'),
  })
  .meta({ id: 'Token', description: 'A token without its secret, which is not stored.' })

export const listTokensEndpoint = defineEndpoint({
  on: 'network',
  name: 'listTokens',
  method: 'get',
  path: '/tokens',
  scope: 'read',
  summary: 'List all tokens with their limits and their last use',
  query: z.object({
    user: z
      .string()
      .optional()
      .meta({ description: 'Only tokens of the user with this login.', examples: ['alice'] }),
  }),
  response: z.object({ tokens: z.array(TokenSchema) }),
  errors: ['user_not_found'],
  async read({ db, globals, query: { user: login } }) {
    const user = login === undefined ? undefined : await findUserByLogin(db, globals, login)
    if (login !== undefined && !user) throw userNotFound()
    const tokens = await listTokens(db, globals, user?.id)
    const ids = tokens.map(({ user_id }) => user_id)
    const logins = await readLogins(db, globals, [...new Set(ids)])
    return {
      tokens: tokens.map((token) =>
        pick(TokenSchema, { ...token, login: logins.get(token.user_id) ?? null }),
      ),
    }
  },
})

function userNotFound(): AppError {
  return new AppError(
    'user_not_found',
    'No user who may log in has this login. Send the login, not the displayed name.',
  )
}

export const issueTokenEndpoint = defineEndpoint({
  on: 'network',
  name: 'issueToken',
  method: 'post',
  path: '/tokens',
  scope: 'all',
  summary: 'Issue a token; the only response that contains it',
  body: z.object({
    user: z.string().meta({ description: 'Login of its user.', examples: ['alice'] }),
    label: z
      .string()
      .refine(isLabel, `must have at most ${MAX_LABEL_LENGTH} characters`)
      .optional()
      .meta({ description: 'A note on its purpose.', maxLength: MAX_LABEL_LENGTH }),
    scope: limitFields.scope.optional(),
    sites: limitFields.sites.optional(),
    expires_at: z
      .string()
      .nullish()
      .meta({
        description: 'When it expires (ISO 8601, GMT unless it has a zone); by default never.',
        examples: ['2027-01-01T00:00:00Z'],
      }),
  }),
  example: { user: 'alice', label: 'deploy', scope: 'frames', sites: [2] },
  response: z.object({
    id: z.int(),
    token: z.string().meta({ description: 'The secret: `op_` and 64 characters.' }),
    user_id: z.int(),
    label: z.string(),
    ...limitFields,
    expires_at: timeText,
  }),
  errors: ['user_not_found'],
  async prepare({ db, globals, body }) {
    const user = await findUserByLogin(db, globals, body.user)
    if (!user || user.isBlocked) throw userNotFound()
    for (const blogId of body.sites ?? [])
      if (!(await findSite(db, globals, blogId))) {
        const params = { sites: `must be ids of sites; there is no site ${blogId}` }
        throw new AppError(
          'rest_invalid_param',
          `Invalid parameter(s): sites. There is no site ${blogId}.`,
          { params },
        )
      }
    return user.id
  },
  async write(tx, { globals, body, now }, userId) {
    const { label = '', scope = 'all', sites = null, expires_at: expiry } = body
    const issued = await issueToken(tx, globals, {
      userId,
      label,
      limits: { scope, sites },
      now: now(),
      ...(expiry == null ? {} : { expiresAt: expiryOf(expiry, now()) }),
    })
    return { body: presentIssuedToken(issued) }
  },
})

/** The only answer with the secret. */
export function presentIssuedToken({ id, token, userId, label, expiresAt, limits }: IssuedToken) {
  const { scope, sites } = limits
  return {
    id,
    token,
    user_id: userId,
    label,
    scope,
    sites: sites && [...sites],
    expires_at: expiresAt,
  }
}

/** @throws AppError `rest_invalid_param` for a malformed time, and for one that has passed */
function expiryOf(text: string, now: Date): Date {
  const time = parseTime(text)
  const moment = time === undefined ? undefined : parseGmt(time)
  if (moment && moment > now) return moment
  throw new AppError(
    'rest_invalid_param',
    'Invalid parameter(s): expires_at. It must be a future time.',
    {
      params: { expires_at: 'must be a future time such as 2027-01-01T00:00:00Z' },
    },
  )
}

export const revokeTokenEndpoint = defineEndpoint({
  on: 'network',
  name: 'revokeToken',
  method: 'delete',
  path: '/tokens/:id',
  scope: 'all',
  summary: 'Revoke a token immediately and permanently',
  params: z.object({ id: pathId('Id of the token.', '5') }),
  response: z.object({ id: z.int(), revoked_at: z.string() }),
  errors: ['token_not_found'],
  async write(tx, { globals, params: { id }, now }) {
    const revokedAt = await revokeToken(tx, globals, id, now())
    if (revokedAt !== undefined) return { body: { id, revoked_at: revokedAt } }
    throw new AppError('token_not_found', 'There is no token with this id. List the tokens.')
  },
})

/** Of two paths that fit a request, the first is taken. */
export const endpoints: readonly Endpoint[] = [
  listTokensEndpoint,
  issueTokenEndpoint,
  revokeTokenEndpoint,
]
