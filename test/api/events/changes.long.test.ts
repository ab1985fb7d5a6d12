import { describe, expect, it } from 'vitest'
import { removeValue } from '#php-serialized'
import type { ChangeEvent } from '../../../src/changes/events/event.ts'
import { recordEdits } from '../../../src/changes/record-edits.ts'
import { readOption } from '../../../src/wordpress/options/read-options.ts'
import { useMenusApi } from '../../support/menus-api.ts'
import { setOption } from '../../support/network.ts'

const api = await useMenusApi()
const bake = false

type Feed = { events: ChangeEvent[]; cursor: string; more: boolean }

const read = async (query = '', path = '/changes'): Promise<Feed> => {
  const { status, body } = await api.send('get', `${path}${query}`)
  expect(body).toMatchObject({ success: true })
  expect(status).toBe(200)
  return body
}

const now = async (): Promise<string> => (await read('?since=now')).cursor

/** Reads the rest of the feed. */
const readSince = async (since: string): Promise<ChangeEvent[]> =>
  (await read(`?since=${since}`)).events

describe('GET /changes', () => {
  it('has one event for each transaction, with its author and all things', async () => {
    const since = await now()
    const { body: frame } = await api.send('post', '/frames', { slug: 'fed-once', html: '1', bake })
    const { body: menu } = await api.send('post', '/menus', {
      name: 'Fed',
      locations: ['footer'],
      items: [{ title: 'A', url: '/a' }],
    })
    const events = await readSince(since)
    expect(events).toHaveLength(2)
    const [first, second] = events as [ChangeEvent, ChangeEvent]
    expect(first).toMatchObject({
      type: 'changed',
      site_id: 2,
      things_total: 1,
      things: [{ kind: 'frame', ref: frame.frame.id, name: 'fed-once', action: 'created' }],
    })
    const { body: history } = await api.send('get', `/history/${first.things[0]?.entry}`)
    expect(history.entry).toMatchObject({
      user_id: first.user_id,
      token_id: first.token_id,
      request_id: first.request_id,
      label: first.label,
    })
    expect(second.things).toContainEqual(
      expect.objectContaining({ kind: 'menu', ref: String(menu.menu.id), action: 'created' }),
    )
    expect(second.things_total).toBe(second.things.length)
  })

  it('goes on from each of its cursors', async () => {
    const since = await now()
    for (const slug of ['one', 'two', 'three'])
      await api.send('post', '/frames', { slug: `cursor-${slug}`, html: '<i></i>', bake })
    const all = await readSince(since)
    expect(all).toHaveLength(3)
    for (const [at, { id }] of all.entries()) expect(await readSince(id)).toEqual(all.slice(at + 1))
    const page = await read(`?since=${since}&limit=2`)
    expect(page).toMatchObject({ events: all.slice(0, 2), more: true, cursor: all[1]?.id })
    expect(await read(`?since=${page.cursor}&limit=2`)).toMatchObject({
      events: all.slice(2),
      more: false,
    })
    expect(await read(`?since=${all[2]?.id}`)).toMatchObject({ events: [], cursor: all[2]?.id })
  })

  it('waits for the next change, and says nothing new after the time', async () => {
    const since = await now()
    const answered: string[] = []
    const short = read(`?since=${since}&wait=1`).finally(() => answered.push('short'))
    const long = read(`?since=${since}&wait=30`).finally(() => answered.push('long'))
    // Of another site: nothing for this one.
    const dave = api.as('dave')
    await dave('post', '/site/4/frames', { slug: 'elsewhere', html: '<i></i>', bake })
    expect(await short).toEqual(expect.objectContaining({ events: [], cursor: since }))
    expect(answered).toEqual(['short'])
    await api.send('post', '/frames', { slug: 'awaited', html: '<i></i>', bake })
    const { events } = await long
    expect(events.flatMap(({ things }) => things.map(({ name }) => name))).toEqual(['awaited'])
  })

  it('has the edits of other programs once, and those of the service never as edits', async () => {
    const { db, globals } = api.network
    const { tables } = api.site
    await api.send('post', '/frames', { slug: 'compared', html: '<i></i>', bake })
    const { body: made } = await api.send('post', '/menus', {
      name: 'Edited elsewhere',
      items: [{ title: 'A', url: '/a' }],
    })
    await recordEdits({ db, globals }, 2)
    const since = await now()
    await api.send('put', `/menus/${made.menu.id}/items`, { items: [{ title: 'B', url: '/b' }] })
    await api.send('put', '/frames/compared', { html: '<p>2</p>', bake })
    await recordEdits({ db, globals }, 2)
    expect((await readSince(since)).map(({ type }) => type)).toEqual(['changed', 'changed'])
    const between = await now()
    const [item] = await api.itemsOf(made.menu.id)
    const page = await db.sql(tables.posts).where({ post_type: 'page' }).first('ID')
    for (const id of [item?.id, page.ID])
      await db.sql(tables.posts).where({ ID: id }).update({ post_title: 'By hand' })
    await recordEdits({ db, globals }, 2)
    await recordEdits({ db, globals }, 2)
    const edited = await readSince(between)
    expect(edited).toMatchObject([{ type: 'edited', user_id: null, token_id: null, label: null }])
    expect(edited[0]?.things).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'page', ref: String(page.ID), action: 'edited' }),
        expect.objectContaining({ kind: 'menu', ref: String(made.menu.id), action: 'edited' }),
      ]),
    )
    const menu = edited[0]?.things.find(({ kind }) => kind === 'menu')
    const { body: details } = await api.send('get', `/history/${menu?.entry}`)
    expect(details.diff).toContain('By hand')
  })

  it('has frames that another program deletes, and locations that it clears', async () => {
    const { db, globals } = api.network
    const { options } = api.site.tables
    const { body: made } = await api.send('post', '/frames', {
      slug: 'gone',
      html: '<i></i>',
      bake,
    })
    const { body: menu } = await api.send('post', '/menus', { name: 'Cleared elsewhere' })
    const assigned = await api.send('put', `/menus/${menu.menu.id}/location`, {
      location: 'header',
    })
    expect(assigned).toMatchObject({ status: 200 })
    await recordEdits({ db, globals }, 2)
    const since = await now()
    const read = async (name: string) => (await readOption(db, api.site, name)) ?? ''
    const store = (name: string, value: string) => setOption(api.network, 2, name, value)
    const stylesheet = await read('stylesheet')
    const mods = `theme_mods_${stylesheet}`
    await store(mods, removeValue(await read(mods), ['nav_menu_locations']))
    await store('svc_frames', removeValue(await read('svc_frames'), [made.frame.id]))
    await db
      .sql(options)
      .where({ option_name: `svc_frame_${made.frame.id}` })
      .delete()
    await recordEdits({ db, globals }, 2)
    const [event] = await readSince(since)
    expect(event?.type).toBe('edited')
    expect(event?.things).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'frame', ref: made.frame.id, action: 'deleted' }),
        expect.objectContaining({
          kind: 'location',
          ref: `${stylesheet}/header`,
          action: 'edited',
        }),
      ]),
    )
  })

  it('has nothing of other sites, and the feed of the network has all of them and the tokens', async () => {
    const since = await now()
    await api.as('dave')('post', '/site/4/frames', { slug: 'foreign-feed', html: '<i></i>', bake })
    expect(await readSince(since)).toEqual([])
    const ask = async (login: string) => {
      const agent = await api.api.as(login)
      return agent.get(`/network/changes?since=${since}`)
    }
    const { body } = await ask('admin')
    expect(body.events).toContainEqual(
      expect.objectContaining({
        site_id: 4,
        things: [expect.objectContaining({ name: 'foreign-feed' })],
      }),
    )
    expect((await ask('alice')).status).toBe(403)
  })

  it('says what is wrong with a cursor', async () => {
    for (const since of ['1', 'x-y', '-1', '5-', '99999999999999999-abcdef01', "1-a' OR 1"]) {
      const { status, body } = await api.send('get', `/changes?since=${encodeURIComponent(since)}`)
      expect({ since, status, body }).toMatchObject({
        status: 400,
        body: { code: 'rest_invalid_param' },
      })
    }
    expect((await api.send('get', '/changes?wait=31')).status).toBe(400)
    expect((await api.send('get', '/changes?limit=101')).status).toBe(400)
  })

  it('resets a cursor of another database', async () => {
    const [last] = (await readSince(await readFirst())).slice(-1)
    const [position] = (last?.id ?? '').split('-')
    for (const since of [`${position}-abcdef01`, `9${position}-abcdef01`]) {
      const { events, cursor } = await read(`?since=${since}`)
      expect(events).toMatchObject([{ type: 'reset', reason: 'unknown', things: [] }])
      expect(events[0]?.id).toBe(cursor)
      expect(cursor).toBe(await now())
    }
  })
})

const readFirst = async (): Promise<string> => (await read()).events[0]?.id ?? '0'
