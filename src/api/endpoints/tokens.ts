import { z } from 'zod'
import { parseTime } from '../../content/restore/moment.ts'
import { parseGmt } from '../../db/gmt.ts'
import { AppError } from '../../host/errors.ts'
import { MAX_TOKEN_SITES, TOKEN_SCOPES } from '../../record/auth/token-scopes.ts'
import {
  type IssuedToken,
  isActive,
  issueToken,
  labelFault,
  listTokens,
  MAX_LABEL_LENGTH,
  reissueToken,
  revokeToken,
  type Token,
} from '../../record/auth/tokens.ts'
import { findSite } from '../../wordpress/network/find-sites.ts'
import { isSuperAdminEverywhere } from '../../wordpress/users/site-membership.ts'
import { findUserByLogin, readLogins, type User } from '../../wordpress/users/users.ts'
import { field, nullable, optional } from '../described.ts'
import { defineEndpoint, type Endpoint } from '../endpoint.ts'
import { objectBody, pathId } from '../fields.ts'
import { pick } from '../pick.ts'
import { invalidParam } from '../sent-fields.ts'

const limitFields = {
  scope: field(
    z.enum(TOKEN_SCOPES),
    'What the token may do at most. It never widens what its user may do.',
    'frames',
  ),
  sites: nullable(
    z.array(z.int().positive()).min(1).max(MAX_TOKEN_SITES),
    'The only sites that exist for the token; null for all.',
    [2, 5],
  ),
}

const timeText = nullable(z.string(), 'GMT.', '2026-03-01 09:30:00')

const TOKEN_STATES = ['active', 'expired', 'revoked'] as const

const TokenSchema = z
  .object({
    id: z.int(),
    user_id: z.int(),
    login: nullable(z.string(), 'Of its user; null for a deleted one.', 'alice'),
    label: z.string(),
    ...limitFields,
    created_at: z.string(),
    last_used_at: timeText,
    expires_at: timeText,
    revoked_at: timeText,
    state: z.enum(TOKEN_STATES).describe('Whether it can be used.'),
    refused: z.int().describe('Authenticated requests that were refused for lack of rights.'),
    failed: z.int().describe('Authenticated requests that failed otherwise.'),
  })
  .meta({ id: 'Token', description: 'A token without its secret, which is not stored.' })

const listTokensEndpoint = defineEndpoint({
  on: 'network',
  name: 'listTokens',
  method: 'get',
  path: '/tokens',
  summary: 'List all tokens with their limits and their last use',
  command: {
    name: 'token list',
    summary: 'list the issued tokens; the tokens themselves are not stored',
    list: {
      rows: 'tokens',
      noun: 'token',
      id: 'id',
      shown: [
        'id',
        'login|user_id',
        'label',
        'scope',
        'sites=all',
        'created_at',
        'last_used_at=never',
        'expires_at=never',
        'state',
        'refused',
        'failed',
      ],
    },
    examples: [
      'wp-frames token list --state active',
      'wp-frames token list --format csv',
      'wp-frames token list --user alice --state active --format ids | xargs -r -n 1 wp-frames token revoke',
    ],
  },
  query: z.object({
    user: optional(z.string(), 'Only tokens of the user with this login.', 'alice'),
    state: optional(z.enum(TOKEN_STATES), 'Only tokens in this state.'),
  }),
  response: z.object({ tokens: z.array(TokenSchema) }),
  errors: ['user_not_found'],
  async read({ db, globals, now, query: { user: login, state } }) {
    const user = login === undefined ? undefined : await findUserByLogin(db, globals, login)
    if (login !== undefined && !user) throw userNotFound(login)
    const listed = (await listTokens(db, globals, user?.id)).map((token) => ({
      ...token,
      state: stateOf(token, now()),
    }))
    const tokens = listed.filter((token) => state === undefined || token.state === state)
    const ids = tokens.map(({ user_id }) => user_id)
    const logins = await readLogins(db, globals, [...new Set(ids)])
    return {
      tokens: tokens.map((token) =>
        pick(TokenSchema, { ...token, login: logins.get(token.user_id) ?? null }),
      ),
    }
  },
})

function stateOf(
  token: Pick<Token, 'revoked_at' | 'expires_at'>,
  now: Date,
): (typeof TOKEN_STATES)[number] {
  if (token.revoked_at !== null) return 'revoked'
  return isActive(token, now) ? 'active' : 'expired'
}

function userNotFound(login: string): AppError {
  return new AppError(
    'user_not_found',
    `No user who may log in has the login "${login}". The logins, not the displayed names, are in wp-admin under Network Admin, Users; WP-CLI lists them with "wp user list --network --field=user_login".`,
  )
}

const IssuedSchema = z.object({
  id: z.int(),
  token: z.string().meta({ description: 'The secret: `op_` and 64 characters.' }),
  user_id: z.int(),
  label: z.string(),
  ...limitFields,
  expires_at: timeText,
})

const issueTokenEndpoint = defineEndpoint({
  on: 'network',
  name: 'issueToken',
  method: 'post',
  path: '/tokens',
  summary: 'Issue a token; the only response that contains it',
  command: {
    name: 'token issue',
    summary: 'issue a token and print it once',
    options: { sites: 'site', expires_at: 'expires' },
    text: ['{token}'],
    note: ['This is token {id}. To revoke it: wp-frames token revoke {id}'],
    examples: [
      'wp-frames token issue --user alice --label deploy --expires 90d',
      'wp-frames token issue --user alice --scope menus --site 2,5',
    ],
  },
  body: z.object({
    user: field(z.string(), 'Login of its user.', 'alice'),
    label: z
      .string()
      .superRefine((label, { addIssue }) => {
        const fault = labelFault(label)
        if (fault !== undefined) addIssue(fault)
      })
      .optional()
      .meta({ description: 'A note on its purpose.', maxLength: MAX_LABEL_LENGTH }),
    scope: limitFields.scope.optional(),
    sites: limitFields.sites.optional(),
    expires_at: field(
      z.string().nullish(),
      'When it expires (ISO 8601, GMT unless it has a zone); by default never.',
      '2027-01-01T00:00:00Z',
    ),
  }),
  example: { user: 'alice', label: 'deploy', scope: 'frames', sites: [2] },
  response: IssuedSchema,
  errors: ['user_not_found'],
  async prepare({ db, globals, body, markupWriters }) {
    const user = await findUserByLogin(db, globals, body.user)
    if (!user || user.isBlocked) throw userNotFound(body.user)
    for (const blogId of body.sites ?? [])
      if (!(await findSite(db, globals, blogId)))
        throw invalidParam('sites', `must be ids of sites; there is no site ${blogId}`)
    const { scope = 'all' } = body
    const mayWriteScripts = markupWriters !== 'super-admins' && ['all', 'frames'].includes(scope)
    const isRisky = mayWriteScripts && !(await isSuperAdminEverywhere(db, globals, user))
    return { userId: user.id, warnings: isRisky ? [scriptsWarning(user)] : [] }
  },
  async write(tx, { globals, body, now }, { userId, warnings }) {
    const { label = '', scope = 'all', sites = null, expires_at: expiry } = body
    const issued = await issueToken(tx, globals, {
      userId,
      label,
      limits: { scope, sites },
      now: now(),
      ...(expiry == null ? {} : { expiresAt: expiryOf(expiry, now()) }),
    })
    return { body: { ...presentIssuedToken(issued), warnings } }
  },
})

/** What a script in markup can do, and how to prevent it. */
export const SCRIPTS_RISK =
  'Such a script runs for every visitor of the page; on a host that also serves /wp-admin/network/, it can act with the rights of a super administrator who opens the page. To restrict writing of markup to super administrators, set MARKUP_WRITERS=super-admins. The API explains this at /docs/security.'

const scriptsWarning = ({ login }: User): string =>
  `"${login}" is not a super administrator, but this token can write markup with scripts. ${SCRIPTS_RISK}`

/** The only answer with the secret. */
function presentIssuedToken({ id, token, userId, label, expiresAt, limits }: IssuedToken) {
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
  throw invalidParam('expires_at', 'must be a future time such as 2027-01-01T00:00:00Z')
}

const rotateTokenEndpoint = defineEndpoint({
  on: 'network',
  name: 'rotateToken',
  // Its secret is not for the context of a model.
  isTool: false,
  method: 'post',
  path: '/tokens/:id/rotate',
  summary: 'Replace a token by a new one with the same user, label and limits, and revoke it',
  command: {
    name: 'token reissue',
    summary: 'replace a token by a new one with the same user and label, and revoke the old one',
    args: ['id'],
    options: { expires_at: 'expires' },
    text: ['{token}'],
    note: ['This is token {id}. To revoke it: wp-frames token revoke {id}'],
    examples: ['wp-frames token reissue 12', 'wp-frames token reissue 12 --expires 90d'],
  },
  params: z.object({ id: pathId('Id of the token.', '5') }),
  body: objectBody({
    expires_at: optional(
      z.string(),
      'When the new token expires; by default after as long as the old one.',
    ),
  }),
  response: IssuedSchema,
  errors: ['token_not_found'],
  async write(tx, { globals, params: { id }, body, now }) {
    const expiry = body.expires_at
    const expiresAt = expiry === undefined ? undefined : expiryOf(expiry, now())
    const issued = await reissueToken(tx, globals, { id, expiresAt, now: now() })
    if (issued) return { body: presentIssuedToken(issued) }
    throw new AppError(
      'token_not_found',
      `Token ${id} cannot be replaced: it was never issued, or is revoked. Issue a new one.`,
    )
  },
})

const revokeTokenEndpoint = defineEndpoint({
  on: 'network',
  name: 'revokeToken',
  method: 'delete',
  path: '/tokens/:id',
  summary: 'Revoke a token immediately and permanently',
  command: {
    name: 'token revoke',
    summary: 'invalidate a token immediately and permanently',
    args: ['id'],
    text: ['Token {id} was revoked at {revoked_at} GMT.'],
    examples: ['wp-frames token revoke 12'],
  },
  params: z.object({ id: pathId('Id of the token.', '5') }),
  response: z.object({ id: z.int(), revoked_at: z.string() }),
  errors: ['token_not_found'],
  async write(tx, { globals, params: { id }, now }) {
    const revokedAt = await revokeToken(tx, globals, id, now())
    if (revokedAt !== undefined) return { body: { id, revoked_at: revokedAt } }
    throw new AppError('token_not_found', `There is no token ${id}. List the tokens.`)
  },
})

export const endpoints: readonly Endpoint[] = [
  listTokensEndpoint,
  issueTokenEndpoint,
  rotateTokenEndpoint,
  revokeTokenEndpoint,
]
