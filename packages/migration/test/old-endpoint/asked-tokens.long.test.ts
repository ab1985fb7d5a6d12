import { describe, expect, it } from 'vitest'
import {
  generateToken,
  hashToken,
  revokeToken,
  tokensTable,
} from '../../../../src/record/auth/tokens.ts'
import { historyTable } from '../../../../src/record/history/history-row.ts'
import { issueTokenFor } from '../../../../test/support/api.ts'
import { UNKNOWN_TOKEN_QUESTIONS } from '../../src/old-endpoint/asked-tokens.ts'
import { answerWith, codeOf, useAskingApi } from '../asking.ts'

const { network, asking, stored, startOther } = await useAskingApi()
const { db, globals } = network
const { get, send, oldToken, questions, pass, valid, old } = asking
const { rowOf } = stored

const MENUS = '/site/2/menus'

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
    ['a page', answerWith(200, '<html>Login</html>', 'text/html')],
    ['JSON without success', answerWith(200, '{"menus":[]}')],
    ['a list', answerWith(200, '[]')],
    ['another site', answerWith(200, '{"success":true,"site_id":1}')],
    ['a server error', answerWith(500, '{"code":"internal_error"}')],
    ['a firewall', answerWith(403, '<html>Forbidden</html>', 'text/html')],
    ['another refusal of WordPress', answerWith(401, '{"code":"rest_not_logged_in"}')],
    ['a missing route', answerWith(404, '{"code":"rest_no_route"}')],
    ['a lost header', answerWith(401, '{"code":"missing_token"}')],
    ['a long answer', answerWith(200, `{"success":true,"x":"${'x'.repeat(2_000_000)}"}`)],
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

  it('passes the limits of the old endpoint on, and pauses for this address only', async () => {
    const known = oldToken(2)
    await get(MENUS, known)
    asking.fault = (_request, response) => {
      response.writeHead(429, { 'Retry-After': '37' }).end('{"code":"too_many_requests"}')
    }
    const limited = await get(MENUS, oldToken(2))
    expect([codeOf(limited), limited.headers.get('retry-after')]).toEqual([
      '503 service_busy',
      '37',
    ])
    asking.fault = undefined
    expect(codeOf(await get(MENUS, oldToken(2)))).toBe('503 service_busy')
    expect((await get('/site/3/menus', known)).status).toBe(404)
    expect(questions(known)).toBe(2)
  })

  it('with answers that say nothing does not keep other tokens from being asked about', async () => {
    const known = oldToken(2)
    await get(MENUS, known)
    pass(6)
    for (const fault of [
      answerWith(500, '{"code":"internal_error"}'),
      answerWith(403, '<html>Blocked</html>', 'text/html'),
      answerWith(503, '{"code":"maintenance"}'),
    ]) {
      asking.fault = fault
      expect(codeOf(await get(MENUS, generateToken()))).toBe('503 service_busy')
      pass(1)
    }
    asking.fault = answerWith(500, '{"code":"internal_error"}')
    await get(MENUS, generateToken())
    asking.fault = undefined
    valid.delete(known)
    expect(codeOf(await get(MENUS, known))).toBe('401 invalid_token')
  })

  it('is not asked about by a request that this service has sent', async () => {
    const answer = await send('GET', MENUS, oldToken(2), undefined, { Via: '1.1 wp-frames' })
    expect(codeOf(answer)).toBe('503 service_busy')
    expect(questions()).toBe(0)
  })
})

describe('guesses', () => {
  it('count as failed authentications, and do not reach the old endpoint beyond their limit', async () => {
    const own = await startOther({ authFailuresPerMinute: 20 })
    const token = own.oldToken(2)
    for (let count = 0; count < 20; count += 1)
      expect(codeOf(await own.get(MENUS, generateToken()))).toBe('401 invalid_token')
    expect(codeOf(await own.get(MENUS, generateToken()))).toBe('429 too_many_auth_failures')
    expect(codeOf(await own.get(MENUS, token))).toBe('429 too_many_auth_failures')
    expect(own.questions()).toBe(20)
  })

  it('at the same time do not reach it beyond the limit either', async () => {
    const own = await startOther({ authFailuresPerMinute: 20 })
    const guess = () => own.get(MENUS, generateToken())
    const codes = (await Promise.all(Array.from({ length: 100 }, guess))).map(codeOf)
    expect(codes.filter((code) => code === '401 invalid_token').length).toBeLessThanOrEqual(20)
    // Two are asked about at a time, so that two may be in flight when the last attempt is counted.
    expect(own.questions()).toBeLessThanOrEqual(22)
  })

  it('wait in a queue, are refused beyond it, and do not delay tokens that are known', async () => {
    const own = await startOther({})
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
  })

  it('are no failures while the old endpoint does not answer, or for a site of others', async () => {
    const own = await startOther({ authFailuresPerMinute: 2 })
    const token = own.oldToken(2)
    for (const _ of [1, 2, 3])
      expect(codeOf(await own.get('/site/3/menus', token))).toBe('404 site_not_found')
    own.fault = answerWith(500, '')
    for (const _ of [1, 2, 3]) expect(codeOf(await own.get(MENUS, token))).toBe('503 service_busy')
    own.fault = undefined
    own.pass(1)
    expect((await own.get(MENUS, token)).status).toBe(200)
  })
})
