import { describe, expect, it } from 'vitest'
import type { TokenLimits } from '../../../src/record/auth/token-scopes.ts'
import { readOption } from '../../../src/wordpress/options/read-options.ts'
import { issueTokenFor, useApi } from '../../support/api.ts'
import { addSites } from '../../support/many-sites.ts'
import { setOption } from '../../support/network.ts'
import { pagesOf } from '../../support/pages-of.ts'
import { countReads } from '../../support/statements.ts'
import { putWork } from '../../support/work-rows.ts'

const { network, api } = await useApi()

const LOGINS = ['admin', 'alice', 'bob', 'carol', 'dave']
async function get(path: string, token: string) {
  return (await api.as()).get(path).set('Authorization', `Bearer ${token}`)
}

const idsIn = ({ sites }: { sites: { site_id: number }[] }) => sites.map((site) => site.site_id)
const listedFor = async (token: string, query = ''): Promise<number[]> =>
  idsIn((await get(`/sites?limit=200${query}`, token)).body)

describe('GET /sites', () => {
  it('lists the sites that each caller can use, and no other', async () => {
    const rows: { blog_id: number }[] = await network.db
      .sql(network.globals.blogs)
      .orderBy('blog_id')
    for (const login of LOGINS) {
      const token = await api.token(login)
      const usable: number[] = []
      for (const { blog_id } of rows)
        if ((await get(`/site/${blog_id}/work`, token)).status === 200) usable.push(blog_id)
      expect({ login, sites: await listedFor(token) }).toEqual({ login, sites: usable })
    }
    expect(await listedFor(await api.token('alice'))).toEqual([2])
    expect(await listedFor(await api.token('carol'))).toEqual([])
  })

  it('keeps the limits of a token', async () => {
    const listedWith = async (login: string, limits: TokenLimits) =>
      listedFor(await issueTokenFor(network, login, { limits }))
    expect(await listedWith('admin', { scope: 'read', sites: [2, 6, 99] })).toEqual([2])
    expect(await listedWith('alice', { scope: 'menus', sites: [3] })).toEqual([])
  })

  it('describes a site', async () => {
    const { body } = await (await api.as('alice')).get('/sites')
    expect(body).toMatchObject({ success: true, total: 1, next: null })
    const languages = await (await api.as('alice')).get('/site/2/data/languages')
    const [shop] = body.sites
    expect(shop).toMatchObject({
      site_id: 2,
      address: 'net.test/shop',
      state: 'live',
      default_lang: 'en',
      home: 'http://net.test/shop',
    })
    expect(shop.title).not.toBe('')
    expect(shop.languages.map(({ code }: { code: string }) => code)).toEqual(
      languages.body.items.map(({ slug }: { slug: string }) => slug),
    )
    expect(shop.languages).toContainEqual(expect.objectContaining({ code: 'ar', rtl: true }))
  })

  it('says when a site was changed last, and what is still to be built on it', async () => {
    const [before] = (await get('/sites?id=4', await api.token('admin'))).body.sites
    expect(before).toMatchObject({ changed_at: null, work: { oldest: null } })
    const agent = await api.as('admin')
    await agent.post('/site/4/frames').send({ slug: 'changed', html: '<p></p>' }).expect(200)
    await putWork(network, 4, [{ name: '7', tries: 1, due: 200, error: 'Full.' }])
    const [after] = (await get('/sites?id=4', await api.token('admin'))).body.sites
    const { body } = await agent.get('/site/4/history')
    expect(after).toMatchObject({
      changed_at: body.entries[0].at,
      work: { pending: { pages: 1 }, failing: { pages: 1 } },
    })
    await putWork(network, 4, [])
  })

  it('gives pages, and searches titles, addresses and ids', async () => {
    const token = await api.token('admin')
    const all = await listedFor(token)
    const pages = await pagesOf(
      async (after) => (await get(`/sites?limit=2&after=${after || 0}`, token)).body,
    )
    for (const { total } of pages) expect(total).toBe(all.length)
    expect(pages.flatMap(idsIn)).toEqual(all)
    expect(await listedFor(token, '&search=NET.test/SHOP')).toEqual([2])
    expect(await listedFor(token, '&search=4')).toContain(4)
    expect(await listedFor(token, '&id=4')).toEqual([4])
    expect(await listedFor(token, '&id=4&search=shop')).toEqual([])
    expect(await listedFor(await api.token('alice'), '&id=4')).toEqual([])
    expect(await listedFor(token, '&search=%25')).toEqual([])
    const title = await readOption(network.db, await network.site(3), 'blogname')
    await setOption(network, 3, 'blogname', 'Tom &amp; Jerry')
    expect(await listedFor(token, '&search=m%20%26%20j')).toEqual([3])
    await setOption(network, 3, 'blogname', title ?? '')
    for (const bad of ['id=x', 'limit=0', 'limit=201', 'after=x', `search=${'x'.repeat(201)}`])
      expect({ bad, status: (await get(`/sites?${bad}`, token)).status }).toEqual({
        bad,
        status: 400,
      })
  })

  it('takes as many reads for a hundred sites as for a few', async () => {
    const token = await api.token('admin')
    const count = (query: string) => countReads(network.db, () => get(`/sites?${query}`, token))
    const few = [await count('limit=200'), await count('search=zzz')]
    const added = await addSites(network, 100)
    try {
      expect([await count('limit=200'), await count('search=zzz')]).toEqual(few)
      expect(await listedFor(token, '&search=s1042.test')).toEqual([1042])
    } finally {
      await added.remove()
    }
  })
})

describe('GET /me', () => {
  it('says whose token it is, and what it may do', async () => {
    const { body } = await (await api.as('alice')).get('/me')
    expect(body).toEqual({
      success: true,
      user: { id: 2, login: 'alice' },
      token: { id: expect.any(Number), label: '', scope: 'all', sites: null, expires_at: null },
      may_manage_network: false,
    })
    const expiresAt = new Date(Date.now() + 3_600_000)
    const expiring = await issueTokenFor(network, 'admin', { expiresAt, label: 'console' })
    expect((await get('/me', expiring)).body).toMatchObject({
      token: {
        label: 'console',
        expires_at: expiresAt.toISOString().slice(0, 19).replace('T', ' '),
      },
      may_manage_network: true,
    })
    const limits = { scope: 'read', sites: [2] } as const
    const narrow = await issueTokenFor(network, 'admin', { limits })
    expect((await get('/me', narrow)).body).toMatchObject({
      token: { scope: 'read', sites: [2] },
      may_manage_network: false,
    })
  })

  it.each(['/me', '/sites'])('rejects callers without a valid token: %s', async (path) => {
    expect(await (await api.as()).get(path)).toMatchObject({
      status: 401,
      body: { code: 'missing_token' },
    })
    const expired = await issueTokenFor(network, 'alice', { expiresAt: new Date() })
    for (const token of [expired, 'op_none', await api.token('erin')])
      expect(await get(path, token)).toMatchObject({
        status: 401,
        body: { code: 'invalid_token' },
      })
  })
})
