import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { checksTable } from '../../src/auth/asked-token-rows.ts'
import { UNKNOWN_TOKEN_QUESTIONS } from '../../src/auth/asked-tokens.ts'
import {
  generateToken,
  hashToken,
  isActive,
  listTokens,
  revokeToken,
  type Token,
  tokensTable,
} from '../../src/auth/tokens.ts'
import { historyTable } from '../../src/history/history-row.ts'
import { issueTokenFor } from '../support/api.ts'
import { startAskingApi } from '../support/asking.ts'
import { commandsOn } from '../support/cli.ts'
import { connectMcp } from '../support/mcp.ts'
import { cloneNetwork } from '../support/network.ts'
import { statementsOf } from '../support/statements.ts'
import { use, useFolder } from '../support/use.ts'

const network = await use(cloneNetwork())
const { db, globals } = network
const folder = await useFolder('asked-tokens')
const asking = await use(startAskingApi(network))
const { get, send, oldToken, questions, pass, valid, old, api } = asking

beforeEach(() => {
  asking.fault = undefined
  old.received.length = 0
  // Beyond the pause after a question without an answer.
  pass(1)
})

const MENUS = '/site/2/menus'
const codeOf = ({ status, body }: { status: number; body: { code?: string; error?: string } }) =>
  `${status} ${body.code ?? body.error ?? ''}`.trim()

const rowOf = async (token: string) => {
  const all = await listTokens(db, globals)
  const [row] = await db.sql(tokensTable(globals)).where({ hash: hashToken(token) })
  return all.find(({ id }) => id === row?.id)
}
const checksOf = async (token: string) =>
  (
    await db
      .sql(checksTable(globals))
      .where({ token_id: (await rowOf(token))?.id ?? 0 })
      .orderBy('blog_id')
  ).map(({ blog_id, user_id }) => [blog_id, user_id])

const entriesOf = async (token: string): Promise<{ action: string; label: string }[]> =>
  db
    .sql(historyTable(globals))
    .where({ kind: 'token', ref: String((await rowOf(token))?.id) })
    .orderBy('id')

const status = (code: number, body: string, type = 'application/json') =>
  ((_request: unknown, response: import('node:http').ServerResponse) => {
    response.writeHead(code, { 'Content-Type': type }).end(body)
  }) as NonNullable<typeof asking.fault>

describe('a token that is not known', () => {
  it('is asked about once, with a read of the site, and is then stored as a hash', async () => {
    const token = oldToken(2)
    expect((await get(MENUS, token)).body).toMatchObject({ success: true, site_id: 2 })
    expect((await get(MENUS, token)).status).toBe(200)
    expect(questions(token)).toBe(1)
    expect(old.received[0]).toMatchObject({
      method: 'GET',
      url: '/old/v1/site/2/menus',
      body: '',
      headers: {
        'x-svc-key': token,
        via: '1.1 wp-frames',
        'x-forwarded-for': '127.0.0.1',
        'x-forwarded-proto': 'http',
      },
    })
    const row = await rowOf(token)
    expect(row).toMatchObject({
      user_id: 2,
      label: 'accepted by the old endpoint',
      scope: 'all',
      sites: [2],
      revoked_at: null,
    })
    const lifetime = Date.parse(`${row?.expires_at}Z`) - Date.parse(`${row?.created_at}Z`)
    expect(lifetime).toBe(30 * 86_400_000)
    const stored = JSON.stringify([
      await db.sql(tokensTable(globals)),
      await db.sql(historyTable(globals)),
    ])
    expect(stored).not.toContain(token.slice(3, 30))
    const [entry] = await db
      .sql(historyTable(globals))
      .where({ kind: 'token', ref: String(row?.id) })
    expect([entry.action, JSON.parse(entry.state)]).toEqual([
      'accepted',
      expect.objectContaining({ user_id: 2, sites: [2] }),
    ])
  })

  it('is asked about once if many requests send it at the same time', async () => {
    const token = oldToken(2)
    const answers = await Promise.all(Array.from({ length: 20 }, () => get(MENUS, token)))
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]))
    expect(questions(token)).toBe(1)
  })

  it('is invalid if the old endpoint refuses it; the refusal is remembered', async () => {
    const token = generateToken()
    for (const _ of [1, 2]) expect(codeOf(await get(MENUS, token))).toBe('401 invalid_token')
    expect(questions()).toBe(1)
    expect(await rowOf(token)).toBeUndefined()
    const unknown = await get(MENUS, token)
    const malformed = await get(MENUS, 'op_short')
    expect(unknown.body).toEqual(malformed.body)
  })

  it('is not asked about without its form, or if it was issued here', async () => {
    for (const token of ['x', 'op_short', `op_${'!'.repeat(64)}`])
      expect(codeOf(await get(MENUS, token))).toBe('401 invalid_token')
    expect(codeOf(await get(MENUS))).toBe('401 missing_token')
    const own = await issueTokenFor(network, 'alice')
    valid.set(own, new Set([2, 3]))
    expect((await get(MENUS, own)).status).toBe(200)
    expect(codeOf(await get('/site/3/menus', own))).toBe('404 site_not_found')
    const [{ id }] = await db.sql(tokensTable(globals)).where({ hash: hashToken(own) })
    await db.sql(tokensTable(globals)).where({ id }).update({ expires_at: '2020-01-01 00:00:00' })
    expect(codeOf(await get(MENUS, own))).toBe('401 invalid_token')
    await db.sql(tokensTable(globals)).where({ id }).update({ expires_at: null })
    await db.write({}, (tx) => revokeToken(tx, globals, id, new Date()))
    expect(codeOf(await get(MENUS, own))).toBe('401 invalid_token')
    expect(questions()).toBe(0)
  })

  it.each([
    ['a page', status(200, '<html>Login</html>', 'text/html')],
    ['JSON without success', status(200, '{"menus":[]}')],
    ['a list', status(200, '[]')],
    ['another site', status(200, '{"success":true,"site_id":1}')],
    ['a server error', status(500, '{"code":"internal_error"}')],
    ['a firewall', status(403, '<html>Forbidden</html>', 'text/html')],
    ['another refusal of WordPress', status(401, '{"code":"rest_not_logged_in"}')],
    ['a missing route', status(404, '{"code":"rest_no_route"}')],
    ['a lost header', status(401, '{"code":"missing_token"}')],
    ['a long answer', status(200, `{"success":true,"x":"${'x'.repeat(2_000_000)}"}`)],
    [
      'a redirect to a login',
      (_request: unknown, response: import('node:http').ServerResponse) => {
        response.writeHead(302, { Location: '/wp-login.php' }).end()
      },
    ],
    [
      'a closed connection',
      (request: import('node:http').IncomingMessage) => void request.socket.destroy(),
    ],
    ['silence', () => {}],
  ])('waits for an answer that says something: %s', async (_name, fault) => {
    const token = oldToken(2)
    asking.fault = fault as typeof asking.fault
    const startedAt = Date.now()
    const answer = await get(MENUS, token)
    expect(codeOf(answer)).toBe('503 service_busy')
    expect(answer.headers.get('retry-after')).toBe('10')
    expect(Date.now() - startedAt).toBeLessThan(3000)
    asking.fault = undefined
    // Nothing is asked for some seconds.
    expect(codeOf(await get(MENUS, token))).toBe('503 service_busy')
    expect(questions(token)).toBe(1)
    pass(1)
    expect((await get(MENUS, token)).status).toBe(200)
  })

  it('passes the limits of the old endpoint on, for this token only', async () => {
    asking.fault = (_request, response) => {
      response.writeHead(429, { 'Retry-After': '37' }).end('{"code":"too_many_requests"}')
    }
    const limited = await get(MENUS, oldToken(2))
    expect([codeOf(limited), limited.headers.get('retry-after')]).toEqual([
      '503 service_busy',
      '37',
    ])
    asking.fault = undefined
    expect((await get(MENUS, oldToken(2))).status).toBe(200)
  })

  it('is not asked about by a request that this service has sent', async () => {
    const answer = await send('GET', MENUS, oldToken(2), undefined, { Via: '1.1 wp-frames' })
    expect(codeOf(answer)).toBe('503 service_busy')
    expect(questions()).toBe(0)
  })
})

describe('the sites of an asked token', () => {
  it('are those that the old endpoint accepts, each with an administrator of its own', async () => {
    const token = oldToken(2, 3)
    expect((await get(MENUS, token)).status).toBe(200)
    expect((await get('/site/3/menus', token)).status).toBe(200)
    expect(codeOf(await get('/site/4/menus', token))).toBe('404 site_not_found')
    expect(codeOf(await get('/site/4/menus', token))).toBe('404 site_not_found')
    expect(codeOf(await get('/site/99/menus', token))).toBe('404 site_not_found')
    expect(questions(token)).toBe(4)
    expect(await checksOf(token)).toEqual([
      [2, 2],
      [3, 3],
    ])
    const { body } = await get('/sites', token)
    expect(body.sites.map(({ site_id: id }: { site_id: number }) => id)).toEqual([2, 3])
    expect((await rowOf(token))?.sites).toEqual([2, 3])
  })

  it('are asked about with the first request: a valid token for another site is no failure', async () => {
    const token = oldToken(2)
    expect(codeOf(await get('/site/3/menus', token))).toBe('404 site_not_found')
    expect(codeOf(await get('/menus?blog_id=3', token))).toBe('403 insufficient_role')
    expect(await rowOf(token)).toBeUndefined()
    expect((await get(MENUS, token)).status).toBe(200)
  })

  it('may be named by blog_id, the header, domain and the body', async () => {
    const named = [
      (token: string) => get('/menus?blog_id=2', token),
      (token: string) => get('/menus?domain=net.test/shop', token),
      (token: string) => send('GET', '/menus', token, undefined, { 'X-Svc-Blog-Id': '2' }),
    ]
    for (const ask of named) {
      const token = oldToken(2)
      expect((await ask(token)).body).toMatchObject({ site_id: 2 })
      expect(await checksOf(token)).toEqual([[2, 2]])
    }
    // Before the body, nothing but the main site is known.
    const token = oldToken(2)
    const foreign = await send('POST', '/menus', token, { blog_id: 3, name: 'asked' })
    expect(codeOf(foreign)).toBe('403 insufficient_role')
    const nowhere = await send('POST', '/menus', token, { name: 'asked' })
    expect(codeOf(nowhere)).toBe('403 insufficient_role')
    expect(await rowOf(token)).toBeUndefined()
    const written = await send('POST', '/menus', token, { blog_id: 2, name: 'asked' })
    expect(codeOf(written)).toBe('200')
    expect(await checksOf(token)).toEqual([[2, 2]])
    const [entry] = await db
      .sql(historyTable(globals))
      .where({ blog_id: 2, kind: 'menu' })
      .orderBy('id', 'desc')
    expect([entry.user_id, entry.token_id]).toEqual([2, (await rowOf(token))?.id])
    const guess = await send('POST', '/menus', generateToken(), { blog_id: 2, name: 'asked' })
    expect(codeOf(guess)).toBe('401 invalid_token')
  })

  it('without a site in the request are those that were accepted; first the main site', async () => {
    const token = oldToken(2)
    const unknown = await get('/me', token)
    expect(codeOf(unknown)).toBe('401 invalid_token')
    expect(unknown.body.message).toContain('names no site')
    expect(codeOf(await send('POST', '/network/tokens', token, {}))).toBe('401 invalid_token')
    await get(MENUS, token)
    expect((await get('/me', token)).body).toMatchObject({
      user: { login: 'alice' },
      token: { sites: [2], label: 'accepted by the old endpoint' },
      may_manage_network: false,
    })
    expect(codeOf(await get('/network/tokens', token))).toBe('403 insufficient_role')
  })

  it('need an administrator who is not a super administrator', async () => {
    const token = oldToken(1)
    expect(codeOf(await get('/site/1/menus', token))).toBe('404 site_not_found')
    expect(await rowOf(token)).toBeUndefined()
  })

  it('are the same for MCP clients', async () => {
    const token = oldToken(2)
    await get(MENUS, token)
    const session = await connectMcp(api.url, token)
    expect(await session.call('list_menus', { site_id: 2 })).toMatchObject({ site_id: 2 })
    expect(await session.fail('list_menus', { site_id: 3 })).toMatchObject({
      code: 'site_not_found',
    })
    await session.close()
  })
})

describe('an asked token', () => {
  it('is asked about again when the answer is older than five minutes, once', async () => {
    const token = oldToken(2)
    await get(MENUS, token)
    pass(4)
    await get(MENUS, token)
    expect(questions(token)).toBe(1)
    pass(2)
    const answers = await Promise.all(Array.from({ length: 20 }, () => get(MENUS, token)))
    expect(answers.every((answer) => answer.status === 200)).toBe(true)
    expect(questions(token)).toBe(2)
    pass(6)
    expect((await get('/me', token)).status).toBe(200)
    expect((await get('/sites', token)).status).toBe(200)
    expect(questions(token)).toBe(3)
  })

  it('expires when the old endpoint refuses it, until it is accepted again', async () => {
    const token = oldToken(2, 3)
    await get(MENUS, token)
    await get('/site/3/menus', token)
    valid.delete(token)
    pass(6)
    expect(codeOf(await get(MENUS, token))).toBe('401 invalid_token')
    expect(codeOf(await get('/site/3/menus', token))).toBe('401 invalid_token')
    expect(questions(token)).toBe(3)
    const row = await rowOf(token)
    expect(isActive(row as Token, asking.now())).toBe(false)
    // The old endpoint was wrong.
    valid.set(token, new Set([2, 3]))
    expect(codeOf(await get(MENUS, token))).toBe('401 invalid_token')
    pass(2)
    expect((await get(MENUS, token)).status).toBe(200)
    expect((await rowOf(token))?.sites).toEqual([2])
    const { body } = await get('/sites', token)
    expect(body.sites.map(({ site_id: id }: { site_id: number }) => id)).toEqual([2])
    const entries = await entriesOf(token)
    expect(entries.map(({ action, label }) => `${action}: ${label}`)).toEqual([
      'accepted: the old endpoint accepts the token',
      'accepted: the old endpoint accepts the token',
      'refused: the old endpoint refuses the token',
      'accepted: the old endpoint accepts the token',
    ])
  })

  it('also ends for a request without a site, and for one site alone', async () => {
    const token = oldToken(2, 3)
    await get(MENUS, token)
    await get('/site/3/menus', token)
    pass(6)
    valid.set(token, new Set([2]))
    expect(codeOf(await get('/site/3/menus', token))).toBe('404 site_not_found')
    expect(await checksOf(token)).toEqual([[2, 2]])
    expect((await get('/me', token)).body.token.sites).toEqual([2])
    valid.set(token, new Set([4]))
    pass(6)
    expect(codeOf(await get('/me', token))).toBe('401 invalid_token')
    expect(isActive((await rowOf(token)) as Token, asking.now())).toBe(false)
    const entries = await entriesOf(token)
    expect(entries.map(({ action }) => action)).toEqual([
      'accepted',
      'accepted',
      'refused',
      'refused',
    ])
  })

  it('has one entry in the history for what changes, also with another user on each site', async () => {
    const token = oldToken(2, 3)
    for (const _ of [1, 2, 3, 4]) {
      for (const site of [2, 3]) expect((await get(`/site/${site}/menus`, token)).status).toBe(200)
      pass(6)
    }
    expect(questions(token)).toBe(8)
    expect((await rowOf(token))?.user_id).toBe(2)
    expect(await entriesOf(token)).toHaveLength(2)
  })

  it('goes on for an hour while the old endpoint does not answer, then waits for it', async () => {
    const token = oldToken(2)
    await get(MENUS, token)
    asking.fault = status(502, '<html>Bad Gateway</html>', 'text/html')
    pass(50)
    for (const _ of [1, 2, 3]) expect((await get(MENUS, token)).status).toBe(200)
    expect((await get('/me', token)).status).toBe(200)
    expect(questions(token)).toBe(2)
    pass(11)
    expect(codeOf(await get(MENUS, token))).toBe('503 service_busy')
    expect((await rowOf(token))?.revoked_at).toBeNull()
    asking.fault = undefined
    pass(1)
    expect((await get(MENUS, token)).status).toBe(200)
  })

  it('is revoked here as any other, and stays so', async () => {
    const token = oldToken(2)
    await get(MENUS, token)
    const admin = await api.token('admin')
    const { id } = (await rowOf(token)) ?? {}
    expect(codeOf(await send('DELETE', `/network/tokens/${id}`, admin, undefined))).toBe('200')
    expect(codeOf(await get(MENUS, token))).toBe('401 invalid_token')
    pass(100_000)
    expect(codeOf(await get(MENUS, token))).toBe('401 invalid_token')
    expect(questions(token)).toBe(1)
    expect((await entriesOf(token)).map(({ action }) => action)).toEqual(['accepted', 'revoked'])
  })

  it('expires thirty days after it was last accepted, and may be accepted again', async () => {
    const token = oldToken(2)
    await get(MENUS, token)
    const first = await rowOf(token)
    pass(60)
    await get(MENUS, token)
    expect(await rowOf(token)).toEqual({ ...first, last_used_at: expect.anything() })
    pass(25 * 60)
    await get(MENUS, token)
    const extended = await rowOf(token)
    expect(String(extended?.expires_at) > String(first?.expires_at)).toBe(true)
    pass(31 * 24 * 60)
    const before = questions(token)
    expect((await get(MENUS, token)).status).toBe(200)
    expect(questions(token)).toBe(before + 1)
    expect((await rowOf(token))?.id).toBe(first?.id)
    pass(31 * 24 * 60)
    valid.delete(token)
    expect(codeOf(await get(MENUS, token))).toBe('401 invalid_token')
  })

  it('has another user when its user is deleted', async () => {
    const token = oldToken(3)
    await get('/site/3/menus', token)
    await db.sql(globals.users).where({ ID: 3 }).update({ deleted: 1 })
    try {
      expect((await get('/site/3/menus', token)).status).toBe(200)
      expect(questions(token)).toBe(2)
      expect(await checksOf(token)).toEqual([[3, 7]])
    } finally {
      await db.sql(globals.users).where({ ID: 3 }).update({ deleted: 0 })
    }
  })

  it('writes menus and renames, but no markup, which may contain scripts', async () => {
    const token = oldToken(2)
    const title = '<b>x</b><script>1</script>'
    const menu = await send('POST', '/site/2/menus', token, {
      name: 'by asking',
      items: [{ url: '/x', title }],
    })
    expect(menu.status).toBe(200)
    expect(JSON.stringify(menu.body)).not.toContain('<script>')
    const html = '<p>x</p>'
    const admin = await api.token('alice')
    expect((await send('POST', '/site/2/frames', admin, { slug: 'asked', html })).status).toBe(200)
    const refused = [
      await send('POST', '/site/2/frames', token, { slug: 'new', html }),
      await send('POST', '/site/2/frames', token, { slug: 'new', html, dry_run: true }),
      await send('PUT', '/site/2/frames/asked', token, { html }),
      await send('POST', '/site/2/batch', token, {
        requests: [{ method: 'PUT', path: '/frames/asked', body: { html } }],
      }),
    ]
    expect(refused.map(codeOf)).toEqual(Array(4).fill('403 unfiltered_html_required'))
    expect(refused[0]?.body.message).toContain('LEGACY_TOKENS=ask')
    const renamed = await send('PATCH', '/site/2/frames/asked', token, { slug: 'asked-2' })
    expect(renamed.body).toMatchObject({ success: true })
    const [entry] = await db
      .sql(historyTable(globals))
      .where({ blog_id: 2, kind: 'frame', action: 'renamed' })
      .orderBy('id', 'desc')
    expect([entry.user_id, entry.token_id, entry.label]).toEqual([
      2,
      (await rowOf(token))?.id,
      'accepted by the old endpoint',
    ])
    const { body } = await get('/site/2/history?kind=frame&action=created&limit=1', token)
    await send('DELETE', '/site/2/frames/asked-2', token, undefined)
    const restored = await send('POST', '/site/2/restore', token, { entry: body.entries[0].id })
    expect(codeOf(restored)).toBe('403 unfiltered_html_required')
  })
})

describe('guesses', () => {
  it('count as failed authentications, and do not reach the old endpoint beyond their limit', async () => {
    const own = await startAskingApi(network, { authFailuresPerMinute: 20 })
    try {
      const token = own.oldToken(2)
      for (let count = 0; count < 20; count += 1)
        expect(codeOf(await own.get(MENUS, generateToken()))).toBe('401 invalid_token')
      expect(codeOf(await own.get(MENUS, generateToken()))).toBe('429 too_many_auth_failures')
      expect(codeOf(await own.get(MENUS, token))).toBe('429 too_many_auth_failures')
      expect(own.questions()).toBe(20)
    } finally {
      await own.close()
    }
  })

  it('at the same time do not reach it beyond the limit either', async () => {
    const own = await startAskingApi(network, { authFailuresPerMinute: 20 })
    try {
      const guess = () => own.get(MENUS, generateToken())
      const codes = (await Promise.all(Array.from({ length: 100 }, guess))).map(codeOf)
      expect(codes.filter((code) => code === '401 invalid_token').length).toBeLessThanOrEqual(20)
      // Two are asked about at a time, so that two may be in flight when the last attempt is counted.
      expect(own.questions()).toBeLessThanOrEqual(22)
    } finally {
      await own.close()
    }
  })

  it('wait in a queue, are refused beyond it, and do not delay tokens that are known', async () => {
    const own = await startAskingApi(network)
    try {
      const token = own.oldToken(2)
      await own.get(MENUS, token)
      const { answer } = own.old
      let running = 0
      let most = 0
      const waiting: (() => void)[] = []
      own.old.answer = (request, response) => {
        if (request.headers['x-svc-key'] === token) return answer(request, response)
        running += 1
        most = Math.max(most, running)
        waiting.push(() => {
          running -= 1
          answer(request, response)
        })
      }
      const guesses = Array.from({ length: 30 }, () => own.get(MENUS, generateToken()))
      const first = await Promise.race(guesses)
      expect(codeOf(first)).toBe('503 service_busy')
      own.pass(6)
      expect((await own.get(MENUS, token)).status).toBe(200)
      const answered = setInterval(() => {
        for (const end of waiting.splice(0)) end()
      }, 10)
      const codes = (await Promise.all(guesses)).map(codeOf)
      clearInterval(answered)
      const { concurrencyPerKey, maxWaitingPerKey } = UNKNOWN_TOKEN_QUESTIONS
      expect(most).toBe(concurrencyPerKey)
      expect(codes.filter((code) => code === '401 invalid_token')).toHaveLength(
        concurrencyPerKey + maxWaitingPerKey,
      )
    } finally {
      await own.close()
    }
  })

  it('are no failures while the old endpoint does not answer, or for a site of others', async () => {
    const own = await startAskingApi(network, { authFailuresPerMinute: 2 })
    try {
      const token = own.oldToken(2)
      for (const _ of [1, 2, 3])
        expect(codeOf(await own.get('/site/3/menus', token))).toBe('404 site_not_found')
      own.fault = status(500, '')
      for (const _ of [1, 2, 3])
        expect(codeOf(await own.get(MENUS, token))).toBe('503 service_busy')
      own.fault = undefined
      own.pass(1)
      expect((await own.get(MENUS, token)).status).toBe(200)
    } finally {
      await own.close()
    }
  })
})

describe('LEGACY_TOKEN_USER', () => {
  it('is the user of all asked tokens, with the rights of this user on the accepted sites', async () => {
    const own = await startAskingApi(network, { login: 'admin' })
    try {
      const token = own.oldToken(2)
      const html = '<script>1</script>'
      const written = await own.send('POST', '/site/2/frames', token, { slug: 'named', html })
      expect(written.status).toBe(200)
      expect(await checksOf(token)).toEqual([[2, 1]])
      expect(codeOf(await own.get('/site/3/menus', token))).toBe('404 site_not_found')
      expect(codeOf(await own.get('/network/tokens', token))).toBe('403 insufficient_scope')
      const { body } = await own.get('/sites', token)
      expect(body.sites.map(({ site_id: id }: { site_id: number }) => id)).toEqual([2])
      // The next process has no such setting.
      valid.set(token, new Set([2]))
      expect(codeOf(await send('PUT', '/site/2/frames/named', token, { html }))).toBe(
        '403 unfiltered_html_required',
      )
    } finally {
      await own.close()
    }
  })

  it('has to administer the site, and to exist', async () => {
    for (const login of ['bob', 'nobody', 'erin']) {
      const own = await startAskingApi(network, { login })
      try {
        expect(codeOf(await own.get(MENUS, own.oldToken(2)))).toBe('404 site_not_found')
      } finally {
        await own.close()
      }
    }
  })
})

describe('without LEGACY_TOKENS=ask', () => {
  it('no token is asked about, and none that was accepted is valid any more', async () => {
    const token = oldToken(2)
    await get(MENUS, token)
    const off = await startAskingApi(network, { asked: undefined })
    try {
      off.valid.set(token, new Set([2]))
      expect(codeOf(await off.get(MENUS, token))).toBe('401 invalid_token')
      expect(codeOf(await off.get(MENUS, off.oldToken(2)))).toBe('401 invalid_token')
      expect(off.questions()).toBe(0)
    } finally {
      await off.close()
    }
    expect((await get(MENUS, token)).status).toBe(200)
  })
})

it('a token of this service is authenticated with one statement, as without asking', async () => {
  const token = await api.token('alice')
  const off = await use(startAskingApi(network, { asked: undefined }))
  const ask = (one: typeof get) =>
    statementsOf(db, async () => {
      await one('/me', token)
    })
  await ask(get)
  await ask(off.get)
  expect((await ask(get)).length).toBe((await ask(off.get)).length)
})

it('a token that is imported is not asked about any more', async () => {
  const token = oldToken(2)
  await get(MENUS, token)
  const row = await rowOf(token)
  const file = join(folder, 'tokens.json')
  // Also with the fields that it has, it is another token then: one that the operator has imported.
  const { label, expires_at } = row ?? {}
  await writeFile(file, JSON.stringify([{ token, user: 'alice', label, expires_at, sites: [2] }]))
  const { run } = commandsOn(network)
  expect((await run('token', 'import', file)).stderr).toContain('other values of origin')
  expect((await run('token', 'import', file, '--update')).stderr).toContain('1 updated')
  valid.delete(token)
  pass(100)
  expect((await get(MENUS, token)).status).toBe(200)
  expect(questions(token)).toBe(1)
  expect((await entriesOf(token)).map(({ action }) => action)).toEqual(['accepted', 'imported'])
})
