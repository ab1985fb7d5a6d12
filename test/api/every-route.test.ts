import request from 'supertest'
import { describe, expect, it } from 'vitest'
import type { Method } from '../../src/api/endpoint.ts'
import { endpointsOn } from '../../src/api/endpoints.ts'
import type { TokenLimits } from '../../src/record/auth/token-scopes.ts'
import {
  generateToken,
  issueToken,
  reissueToken,
  revokeToken,
} from '../../src/record/auth/tokens.ts'
import { issueTokenFor, useApi } from '../support/api.ts'
import { type RouteRow, routeRows } from './route-rows.ts'

/**
 * Every route for every kind of caller, in the addressing by path; one read, one write and one removed route in every addressing, because
 * the site and the caller are found before the route. `site-isolation.test.ts` sends a refusal to every route in every addressing. The site
 * is the shop (2), except in the last addressing.
 */

/** How the site is named. */
const addressings = [
  { name: '/site/<id>' },
  { name: 'blog_id', source: 'blog_id', query: 'blog_id=2' },
  { name: 'blog_id in the body', source: 'blog_id', body: { blog_id: 2 } },
  { name: 'X-Svc-Blog-Id', source: 'header', header: '2' },
  { name: 'domain', source: 'domain', query: 'domain=net.test/shop' },
  { name: 'domain in the body', source: 'domain', body: { domain: 'net.test/shop/' } },
  { name: 'default', source: 'default', main: true },
] as const

type Addressing = (typeof addressings)[number] & {
  readonly query?: string
  readonly body?: Readonly<Record<string, unknown>>
  readonly header?: string
  readonly main?: boolean
}

/** The callers' rights on the shop; on the main site of the network only the super administrator has rights. */
type Standing = 'none' | 'invalid' | 'foreign' | 'administrator' | 'super administrator'

/** The limits of tokens; the users are administrators of the shop. */
const limits: Record<string, TokenLimits> = {
  'a token for reading': { scope: 'read', sites: null },
  'a token for frames': { scope: 'frames', sites: null },
  'a token for menus': { scope: 'menus', sites: null },
  'a token for the shop': { scope: 'all', sites: [2, 3] },
  'a token for menus of the shop': { scope: 'menus', sites: [2] },
  'a token for another site': { scope: 'all', sites: [4] },
}

const callers: Record<string, Standing> = {
  'no token': 'none',
  'an empty token': 'none',
  'a malformed token': 'invalid',
  'a token cut short': 'invalid',
  'a token of the right form': 'invalid',
  'a revoked token': 'invalid',
  'a reissued token': 'invalid',
  'an expired token': 'invalid',
  'a spam user': 'invalid',
  'a deleted user': 'invalid',
  'a user who is gone': 'invalid',
  'a subscriber': 'foreign',
  'an editor, administrator of another site': 'foreign',
  'an administrator of another site': 'foreign',
  'an administrator': 'administrator',
  'an administrator by X-Svc-Key': 'administrator',
  'a super administrator': 'super administrator',
  'a super administrator with a token for the shop': 'super administrator',
  ...Object.fromEntries(Object.keys(limits).map((name) => [name, 'administrator' as const])),
}

const limitsOf = (caller: string): TokenLimits =>
  limits[caller] ?? {
    scope: 'all',
    sites: caller === 'a super administrator with a token for the shop' ? [2] : null,
  }

/** Users of the network by id; the last one does not exist. */
const [ALICE, DOCS_ADMINISTRATOR, NOBODY] = [2, 7, 999]

const refusals = { none: '401 missing_token', invalid: '401 invalid_token' }

const ROUTES_IN_EVERY_ADDRESSING = ['get /frames', 'post /frames', 'put /menus/:ref/items']

const { network, api } = await useApi()
const headers = await headersOfCallers()

describe('every route', () => {
  it('has a row in route-rows.ts', () => {
    expect(routeRows.map((row) => row.route).sort()).toEqual(
      endpointsOn('site')
        .map(({ method, path }) => `${method} ${path}`)
        .sort(),
    )
  })

  for (const row of routeRows) {
    const asked = ROUTES_IN_EVERY_ADDRESSING.includes(row.route) ? addressings : [addressings[0]]
    describe(row.route, () => {
      it.each(asked)('returns the expected status to every caller: $name', async (addressing) => {
        const expected = Object.entries(callers).map(
          ([caller, standing]) =>
            [caller, expectation(row, addressing, standing, limitsOf(caller))] as const,
        )
        const answers = Object.keys(callers).map(
          async (caller) => [caller, await ask(row, addressing, headers[caller])] as const,
        )
        expect(Object.fromEntries(await Promise.all(answers))).toEqual(Object.fromEntries(expected))
      })
    })
  }
})

/** Status, code and, in the legacy addressing, the selector of the site; no site is selected for an unauthenticated caller. */
function expectation(
  row: RouteRow,
  addressing: Addressing,
  standing: Standing,
  { scope, sites }: TokenLimits,
): string {
  if (standing === 'none' || standing === 'invalid') return refusals[standing]
  const may =
    (standing === 'super administrator' || (standing === 'administrator' && !addressing.main)) &&
    (sites === null || sites.includes(addressing.main ? 1 : 2))
  const required = endpointsOn('site').find(
    ({ method, path }) => row.route === `${method} ${path}`,
  )?.scope
  const includes = scope === 'all' || required === 'read' || required === scope
  const allowed = includes ? row.answer : '403 insufficient_scope'
  const foreign = 'source' in addressing ? '403 insufficient_role' : '404 site_not_found'
  const answer = may ? allowed : foreign
  return 'source' in addressing ? `${answer} (${addressing.source})` : answer
}

async function ask(
  row: RouteRow,
  addressing: Addressing,
  callerHeaders: Record<string, string> = {},
): Promise<string> {
  const [method] = row.route.split(' ') as [Method]
  const site = 'source' in addressing ? '' : '/site/2'
  const body = { ...row.body, ...addressing.body }
  const response = await request(api.url)
    [method](`${site}${row.path}`)
    .query(addressing.query ?? '')
    .set(addressing.header ? { 'X-Svc-Blog-Id': addressing.header } : {})
    .set(callerHeaders)
    .send(Object.keys(body).length > 0 ? body : undefined)
  const code = response.body.code ?? response.body.error ?? ''
  const source = response.get('X-Svc-Blog-Source')
  return `${response.status} ${code}`.trim() + (source === undefined ? '' : ` (${source})`)
}

async function headersOfCallers(): Promise<Record<string, Record<string, string>>> {
  const { db, globals } = network
  const now = new Date()
  const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })
  const issueFor = (userId: number) =>
    db.write({}, (tx) => issueToken(tx, globals, { userId, now }))
  const alice = await api.token('alice')
  const revoked = await issueFor(ALICE)
  const reissued = await issueFor(ALICE)
  const deleted = await issueFor(DOCS_ADMINISTRATOR)
  const gone = await issueFor(NOBODY)
  await db.write({}, (tx) => revokeToken(tx, globals, revoked.id, now))
  await db.write({}, (tx) => reissueToken(tx, globals, { id: reissued.id, now }))
  await db.sql(globals.users).where({ ID: DOCS_ADMINISTRATOR }).update({ deleted: 1 })
  const expired = await issueTokenFor(network, 'alice', { expiresAt: now })
  const limited = Object.entries(limits).map(async ([name, of]) => {
    return [name, bearer(await issueTokenFor(network, 'alice', { limits: of }))] as const
  })
  const ofShop = await issueTokenFor(network, 'admin', { limits: { scope: 'all', sites: [2] } })
  return {
    'no token': {},
    'an empty token': bearer(''),
    'a malformed token': bearer(alice.replace('op_', 'xx_')),
    'a token cut short': bearer(alice.slice(0, -1)),
    'a token of the right form': bearer(generateToken()),
    'a revoked token': bearer(revoked.token),
    'a reissued token': bearer(reissued.token),
    'an expired token': bearer(expired),
    'a spam user': bearer(await api.token('erin')),
    'a deleted user': bearer(deleted.token),
    'a user who is gone': bearer(gone.token),
    'a subscriber': bearer(await api.token('carol')),
    'an editor, administrator of another site': bearer(await api.token('bob')),
    'an administrator of another site': bearer(await api.token('dave')),
    'an administrator': bearer(alice),
    'an administrator by X-Svc-Key': { 'X-Svc-Key': alice },
    'a super administrator': bearer(await api.token('admin')),
    'a super administrator with a token for the shop': bearer(ofShop),
    ...Object.fromEntries(await Promise.all(limited)),
  }
}
