import { beforeEach, describe, expect, it } from 'vitest'
import { generateToken } from '../../src/auth/tokens.ts'
import { historyTable } from '../../src/history/history-row.ts'
import { codeOf, startAskingApi, storedTokens } from '../support/asking.ts'
import { connectMcp } from '../support/mcp.ts'
import { cloneNetwork } from '../support/network.ts'
import { use } from '../support/use.ts'

const network = await use(cloneNetwork())
const { db, globals } = network
const asking = await use(startAskingApi(network))
const { get, send, oldToken, questions, pass, old, api } = asking
const { rowOf, checksOf } = storedTokens(network)

beforeEach(() => {
  asking.fault = undefined
  old.received.length = 0
  // Beyond the pause after a question without an answer.
  pass(1)
})

const MENUS = '/site/2/menus'

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
