import { describe, expect, it } from 'vitest'
import { useMenusApi } from '../../support/menus-api.ts'

const api = await useMenusApi()

const list = async (query = '') => (await api.send('get', `/history${query}`)).body.entries
const bake = false

describe('GET /history', () => {
  it('lists entries newest first, filtered and in pages', async () => {
    const { send } = api
    await send('post', '/frames', { slug: 'paged', html: '1', bake })
    for (const html of ['2', '3', '4']) await send('put', '/frames/paged', { html, bake })
    const all = await list('?ref=paged')
    expect(all.map(({ action }: { action: string }) => action)).toEqual([
      'replaced',
      'replaced',
      'replaced',
      'created',
    ])
    const { body: first } = await send('get', '/history?ref=paged&limit=3')
    expect(first.entries).toEqual(all.slice(0, 3))
    const { body: last } = await send(
      'get',
      `/history?ref=paged&limit=3&cursor=${first.next_cursor}`,
    )
    expect(last).toMatchObject({ entries: all.slice(3), next_cursor: null })
    const [newest] = all
    expect(await list(`?request=${newest.request_id}`)).toEqual([newest])
    expect(await list(`?token=${newest.token_id}&ref=paged`)).toEqual(all)
    expect(await list('?user=99')).toEqual([])
    // The column is in ASCII, and an id with other characters is like no other.
    for (const id of ['%C2%80', '%E2%82%AC', '%F0%9F%98%80'])
      expect(await list(`?request=${id}`)).toEqual([])
    expect(await list('?until=2001-01-01')).toEqual([])
    expect(await list('?kind=menu&ref=paged')).toEqual([])
  })

  it('rejects filters that are malformed', async () => {
    for (const query of ['?kind=page', '?since=yesterday', '?user=me', '?cursor=-1']) {
      expect(await api.send('get', `/history${query}`)).toMatchObject({ status: 400 })
    }
  })
})

describe('names in the history', () => {
  it('has the title of a page, and the name of a user that the reader may see', async () => {
    const { db } = api.network
    const { globals, prefix } = api.site
    await db
      .sql(globals.usermeta)
      .where({ user_id: 1, meta_key: `${prefix}capabilities` })
      .delete()
    await db.sql(globals.users).where({ ID: 1 }).update({ display_name: 'Ada <Admin>' })
    await api.as('admin')('post', '/site/2/frames', { slug: 'named', html: '<i></i>', bake })
    await api.send('post', '/frames/named/assign', { page: 10, bake })
    const [assigned, created] = (await list()).slice(0, 2)
    expect([assigned.kind, created.kind]).toEqual(['assignment', 'frame'])
    const read = async (login: string) =>
      (await api.as(login)('get', '/site/2/history?limit=2')).body.names
    const own = await read('alice')
    expect(own.pages).toEqual({ 10: expect.any(String) })
    expect(own.users).toEqual({ [assigned.user_id]: expect.any(String) })
    expect((await read('admin')).users).toEqual({ ...own.users, 1: 'Ada <Admin>' })
    const agent = await api.api.as('admin')
    const { body: network } = await agent.get('/network/history?limit=2').expect(200)
    expect(network.names.pages).toEqual({ 2: own.pages })
    const { body } = await api.send('get', `/history/${created.id}`)
    expect(body.names).toEqual({ users: {}, pages: {} })
  })
})

describe('GET /history/{entry}', () => {
  it('has a unified diff of markup', async () => {
    const { send } = api
    await send('post', '/frames', { slug: 'diffed', html: 'a\nb\nc\n', bake })
    await send('put', '/frames/diffed', { html: 'a\nB\nc\n', bake })
    const [replaced] = await list('?ref=diffed')
    const { body } = await send('get', `/history/${replaced.id}`)
    expect(body.diff).toContain(' a\n-b\n+B\n c')
    expect(body.before.html).toBe('a\nb\nc\n')
    expect(body.after.html).toBe('a\nB\nc\n')
  })
})

describe('?at=', () => {
  it('reads a menu as it was', async () => {
    const { send, makeMenu } = api
    const { menu } = await makeMenu([{ title: 'A', url: '/a' }])
    await send('put', `/menus/${menu.id}/items`, { items: [{ title: 'B', url: '/b' }] })
    const [, created] = await list(`?kind=menu&ref=${menu.id}`)
    const { body: then } = await send('get', `/menus/${menu.id}?at=${created.id}`)
    expect(then.items).toMatchObject([{ title: 'A' }])
    const { body: now } = await send('get', `/menus/${menu.slug}`)
    expect(now).toMatchObject({ items: [{ title: 'B' }], entry: null, menu: { id: menu.id } })
  })
})
