import { describe, expect, it } from 'vitest'
import { useMenusApi } from '../../support/menus-api.ts'
import { readRestorableState } from '../../support/restorable-state.ts'
import { NO_TEXTS } from '../../support/site-fixture.ts'

const api = await useMenusApi()

const bake = false
const restore = (body: object) => api.send('post', '/restore', { bake, ...body })
const newest = async (query = '') => (await api.send('get', `/history${query}`)).body.entries[0]
const state = () => readRestorableState(api.network.db, api.site)

describe('POST /restore', () => {
  it('restores what a token wrote since a time', async () => {
    const before = await state()
    const since = new Date().toISOString()
    await api.makeMenu([{ title: 'A', url: '/a' }], { location: 'header' })
    await api.send('post', '/frames', { slug: 'by-token', html: '<i></i>', bake })
    const { token_id } = await newest()
    const { body } = await restore({ token_id, since })
    expect(body.not_restored).toEqual([])
    expect(await state()).toEqual(before)
  })

  it('shows what it would do, and does nothing, in a dry run', async () => {
    const { send } = api
    await send('post', '/frames', { slug: 'dry', html: 'one\n', bake })
    const created = await newest('?ref=dry')
    await send('put', '/frames/dry', { html: 'two\n', bake })
    const before = [await state(), (await newest()).id]
    const { body } = await restore({ entry: created.id, dry_run: true })
    expect(body).toMatchObject({ dry_run: true, restored: [{ kind: 'frame', name: 'dry' }] })
    expect(body.restored[0].diff).toContain('-two\n+one')
    expect([await state(), (await newest()).id]).toEqual(before)
  })

  it('lists what cannot be restored, and restores everything else', async () => {
    const { send, network, site } = api
    const page = 990_001
    await network.db.sql(site.tables.posts).insert({
      ...NO_TEXTS,
      ID: page,
      post_title: 'Gone',
      post_name: 'gone',
      post_type: 'page',
      post_status: 'publish',
    })
    await send('post', '/frames', { slug: 'kept', html: 'kept', bake })
    await send('post', '/frames/kept/assign', { page, bake })
    const moment = (await newest()).id
    await send('post', '/frames/kept/assign', { page, clear: true, bake })
    await send('put', '/frames/kept', { html: 'changed', bake })
    await network.db.sql(site.tables.posts).where({ ID: page }).delete()
    const { body } = await restore({ at: moment })
    expect(body.not_restored).toMatchObject([
      { kind: 'assignment', ref: String(page), reason: 'page_missing' },
    ])
    expect((await send('get', '/frames/kept')).body.frame.html).toBe('kept')
  })

  it('checks If-Match, for one thing', async () => {
    const { send, api: http } = api
    await send('post', '/frames', { slug: 'tagged', html: 'one', bake })
    const created = await newest()
    await send('put', '/frames/tagged', { html: 'two', bake })
    const agent = await http.as('alice')
    const { headers } = await agent.get('/site/2/frames/tagged')
    const post = (etag: string, body: object) =>
      agent
        .post('/site/2/restore')
        .set('If-Match', etag)
        .send({ bake, ...body })
    expect((await post('"other"', { entry: created.id })).status).toBe(412)
    expect((await post(String(headers.etag), { entry: created.id })).status).toBe(200)
    expect((await post(String(headers.etag), { at: created.id })).status).toBe(400)
  })

  it('rejects a scope that is missing, doubled or incomplete', async () => {
    for (const body of [{}, { entry: 1, at: 2 }, { token_id: 1 }, { at: 'yesterday' }])
      expect((await restore(body)).status).toBe(400)
    expect((await restore({ entry: 99_999_999 })).body.error).toBe('entry_not_found')
  })
})
