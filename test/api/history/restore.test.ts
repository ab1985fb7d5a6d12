import { describe, expect, it } from 'vitest'
import { useMenusApi } from '../../support/menus-api.ts'
import { readRestorableState } from '../../support/restorable-state.ts'

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
