import { describe, expect, it } from 'vitest'
import { issueTokenFor } from '../../support/api.ts'
import { useMenusApi } from '../../support/menus-api.ts'
import { readRestorableState } from '../../support/restorable-state.ts'

const api = await useMenusApi()
const { network, site, send } = api

const bake = false
const lastRequest = async (): Promise<string> =>
  (await send('get', '/history?limit=1')).body.entries[0].request_id
const takeBack = (request_id: string | string[], body = {}) =>
  send('post', '/restore', { request_id, if_unchanged: true, bake, ...body })
const state = () => readRestorableState(network.db, site)
const html = async (slug: string) => (await send('get', `/frames/${slug}`)).body.frame?.html

describe('POST /restore with if_unchanged', () => {
  it('takes several requests back at once', async () => {
    const before = await state()
    await send('post', '/frames', { slug: 'first', html: '1', bake })
    const first = await lastRequest()
    const inserts = '<!-- svc/frame {"name":"first"} /-->'
    await send('post', '/frames', { slug: 'second', html: inserts, bake })
    await send('put', '/frames/first', { html: '2', bake })
    const third = await lastRequest()
    const ids = [first, third]
    expect((await takeBack(ids, { dry_run: true })).body.restored).toHaveLength(1)
    await takeBack(ids)
    expect(await html('first')).toBeUndefined()
    await takeBack(await lastRequest())
    expect(await html('first')).toBe('2')
    await send('delete', '/frames/second', {})
    await takeBack(ids)
    expect(await state()).toEqual(before)
  })

  it('refuses what somebody has changed since, and says who and how', async () => {
    await send('post', '/frames', { slug: 'shared', html: 'one\n', bake })
    await send('post', '/frames', { slug: 'own', html: 'one\n', bake })
    await send('post', '/batch', {
      requests: ['shared', 'own'].map((slug) => ({
        method: 'PUT',
        path: `/frames/${slug}`,
        body: { html: 'two\n' },
      })),
      bake,
    })
    const request = await lastRequest()
    await api.as('admin')('put', '/frames/shared', { html: 'three\n', bake })
    for (const dry_run of [true, false]) {
      const { status, body } = await takeBack(request, { dry_run })
      expect({ status, body }).toMatchObject({
        status: 409,
        body: {
          error: 'changed_since',
          changed_total: 1,
          changed: [{ kind: 'frame', name: 'shared', entry: { user_id: 1, action: 'replaced' } }],
        },
      })
      expect(body.changed[0].diff).toContain('-two\n+three')
    }
    expect([await html('shared'), await html('own')]).toEqual(['three\n', 'two\n'])
    await takeBack(request, { if_unchanged: false })
    expect([await html('shared'), await html('own')]).toEqual(['one\n', 'one\n'])
  })

  it('notices a change between two of the requests', async () => {
    await send('post', '/frames', { slug: 'between', html: 'one', bake })
    await send('put', '/frames/between', { html: 'two', bake })
    const ids = [await lastRequest()]
    await api.as('admin')('put', '/frames/between', { html: 'theirs', bake })
    await send('put', '/frames/between', { html: 'three', bake })
    ids.push(await lastRequest())
    expect((await takeBack(ids)).body.error).toBe('changed_since')
    expect((await takeBack(ids.slice(1))).status).toBe(200)
    expect(await html('between')).toBe('theirs')
  })

  it('notices edits of other programs, and what was added to a new thing', async () => {
    const { id } = (await api.makeMenu([{ title: 'A', url: '/a' }])).menu
    await send('patch', `/menus/${id}`, { name: 'Renamed here', bake })
    const renamed = await lastRequest()
    await network.db
      .sql(site.tables.posts)
      .where({ post_type: 'nav_menu_item', post_title: 'A' })
      .update({ post_title: 'By hand' })
    const { body } = await takeBack(renamed)
    expect(body).toMatchObject({ error: 'changed_since', changed: [{ kind: 'menu', entry: null }] })
    expect(body.changed[0].items).toMatchObject([{ change: 'renamed', to: { text: 'By hand' } }])

    await send('post', '/frames', { slug: 'fresh', html: '<i></i>', bake })
    const created = await lastRequest()
    await api.as('admin')('post', '/frames/fresh/assign', { page: 7, bake })
    const refused = await takeBack(created)
    expect(refused.body).toMatchObject({ error: 'changed_since', changed: [{ ref: '7' }] })
    expect(await html('fresh')).toBe('<i></i>')
  })

  it('needs the scope of what was written', async () => {
    const as = async (scope: 'read' | 'frames' | 'menus', request_id: string) => {
      const limits = { scope, sites: null }
      const token = await issueTokenFor(network, 'alice', { limits })
      const response = await fetch(`${api.api.url}/site/2/restore`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ request_id, if_unchanged: true, bake }),
      })
      const { code } = (await response.json()) as { code?: string }
      return `${response.status} ${code ?? ''}`.trim()
    }
    await send('post', '/frames', { slug: 'scoped', html: 'one', bake })
    const ofFrame = await lastRequest()
    await api.makeMenu([{ title: 'A', url: '/a' }], { location: 'header' })
    const ofMenu = await lastRequest()
    const refused = '403 insufficient_scope'
    expect(await as('read', ofFrame)).toBe(refused)
    expect(await as('menus', ofFrame)).toBe(refused)
    expect(await as('frames', ofFrame)).toBe('200')
    expect(await html('scoped')).toBeUndefined()
    expect(await as('read', ofMenu)).toBe(refused)
    expect(await as('frames', ofMenu)).toBe(refused)
    expect(await as('menus', ofMenu)).toBe('200')
  })

  it('is for what a request or a token wrote', async () => {
    for (const body of [{ at: '2100-01-01T00:00:00Z' }, { entry: 1 }])
      expect((await send('post', '/restore', { ...body, if_unchanged: true })).status).toBe(400)
    expect((await takeBack([])).status).toBe(400)
    expect((await takeBack(Array.from({ length: 51 }, String))).status).toBe(400)
  })
})
