import { beforeEach, describe, expect, it } from 'vitest'
import { historyTable } from '../../src/history/history-row.ts'
import { codeOf, startAskingApi, storedTokens } from '../support/asking.ts'
import { cloneNetwork } from '../support/network.ts'
import { use } from '../support/use.ts'

const network = await use(cloneNetwork())
const { db, globals } = network
const asking = await use(startAskingApi(network))
const { get, send, oldToken, pass, valid, old, api } = asking
const { rowOf, checksOf } = storedTokens(network)

beforeEach(() => {
  asking.fault = undefined
  old.received.length = 0
  // Beyond the pause after a question without an answer.
  pass(1)
})

const MENUS = '/site/2/menus'

describe('without LEGACY_TOKEN_USER, an asked token', () => {
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
