import { describe, expect, it } from 'vitest'
import { generateToken } from '../../../../src/record/auth/tokens.ts'
import { historyTable } from '../../../../src/record/history/history-row.ts'
import { connectMcp } from '../../../../test/support/mcp.ts'
import { codeOf, useAskingApi } from '../asking.ts'

const { network, asking, stored, startOther } = await useAskingApi()
const { db, globals } = network
const { get, send, oldToken, questions, valid, api } = asking
const { rowOf, checksOf } = stored

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

it('without LEGACY_TOKEN_USER, an asked token writes menus and renames, but no markup, which may contain scripts', async () => {
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

describe('LEGACY_TOKEN_USER', () => {
  it('is the user of all asked tokens, with the rights of this user on the accepted sites', async () => {
    const own = await startOther({ login: 'admin' })
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
  })

  it('has to administer the site, and to exist', async () => {
    for (const login of ['bob', 'nobody', 'erin']) {
      const own = await startOther({ login })
      expect(codeOf(await own.get(MENUS, own.oldToken(2)))).toBe('404 site_not_found')
    }
  })
})
