import type { Response } from 'supertest'
import { describe, expect, it } from 'vitest'
import { useMenusApi } from '../support/menus-api.ts'

const menus = await useMenusApi()
const alice = await menus.api.as('alice')

const tagOf = (answer: Response): string => answer.get('ETag') ?? ''
const DATA = '/site/2/data/menu.footer_3'
const ITEMS = [
  { url: '/a/', title: 'A' },
  { url: '/b/', title: 'B' },
]

/** Creates a menu at a location of the shop; returns it with the ids of its items and the ETag of a read of that location. */
async function make(): Promise<{ path: string; ids: number[]; tag: string }> {
  const { menu, items } = await menus.makeMenu(ITEMS, { location: 'footer_3' })
  const tag = tagOf(await alice.get(DATA).expect(200))
  return { path: `/site/2/menus/${menu.id}`, ids: items.map(({ id }: { id: number }) => id), tag }
}

type Write = {
  readonly name: string
  readonly send: (path: string, ids: readonly number[]) => ReturnType<typeof alice.get>
  /** The write changes nothing, or deletes the menu. */
  readonly leaves?: 'same' | 'none'
}

const writes: Write[] = [
  { name: 'PUT items', send: (path) => alice.put(`${path}/items`).send({ items: ITEMS }) },
  {
    name: 'POST items',
    send: (path) => alice.post(`${path}/items`).send({ url: '/c/', title: 'C' }),
  },
  {
    name: 'PATCH items/{id}',
    send: (path, [id]) => alice.patch(`${path}/items/${id}`).send({ title: 'Else' }),
  },
  { name: 'DELETE items/{id}', send: (path, [id]) => alice.delete(`${path}/items/${id}`) },
  {
    name: 'POST reorder',
    send: (path, ids) => alice.post(`${path}/reorder`).send({ order: ids.toReversed() }),
  },
  { name: 'PATCH', send: (path) => alice.patch(path).send({ name: 'Renamed' }) },
  {
    name: 'PUT location',
    send: (path) => alice.put(`${path}/location`).send({ location: 'footer_2' }),
    leaves: 'same',
  },
  { name: 'DELETE', send: (path) => alice.delete(path), leaves: 'none' },
]

describe('a conditional write of a menu', () => {
  it.each(writes)('$name changes only the version in If-Match', async (write) => {
    const { path, ids, tag: old } = await make()
    await alice.post(`${path}/items`).send({ url: '/meanwhile/', title: 'M' }).expect(200)
    const before = await alice.get(DATA)
    for (const wrong of [old, '"x"', `W/${tagOf(before)}`]) {
      const answer = await write.send(path, ids).set('If-Match', wrong).expect(412)
      expect(answer.body).toEqual({
        success: false,
        error: 'precondition_failed',
        message: expect.stringMatching(
          /^The menu "Made \d+" has changed .* GMT by user 2\)\. .*\.$/,
        ),
        etag: tagOf(answer),
        updated_by: 2,
        updated_at_gmt: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      })
      expect(tagOf(before).startsWith(tagOf(answer).slice(0, -1))).toBe(true)
    }
    expect((await alice.get(DATA)).body).toEqual(before.body)

    const done = await write.send(path, ids).set('If-Match', tagOf(before)).expect(200)
    if (write.leaves === 'none') return expect(done.get('ETag')).toBeUndefined()
    const isSame = tagOf(before).startsWith(tagOf(done).slice(0, -1))
    expect(isSame).toBe(write.leaves === 'same')
    const next = alice.post(`${path}/items`).send({ url: '/d/', title: 'D' })
    await next.set('If-Match', tagOf(done)).expect(200)
  })

  it('detects a change by WordPress', async () => {
    const { path, ids, tag } = await make()
    const { posts } = menus.site.tables
    await menus.network.db.sql(posts).where({ ID: ids[0] }).update({ post_title: 'In wp-admin' })
    await alice.delete(`${path}/items/${ids[1]}`).set('If-Match', tag).expect(412)
  })

  it('succeeds once if several concurrent requests name the same version', async () => {
    const { path, tag } = await make()
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        alice
          .post(`${path}/items`)
          .set('If-Match', tag)
          .send({ url: `/${at}/`, title: `${at}` }),
      ),
    )
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([200, ...Array.from({ length: 7 }, () => 412)])
  })

  it('reports no author for a menu without items', async () => {
    const { menu } = await menus.makeMenu()
    const answer = await alice.delete(`/site/2/menus/${menu.id}`).set('If-Match', '"x"').expect(412)
    expect(answer.body).toMatchObject({ updated_by: null, updated_at_gmt: null })
  })

  it('rejects If-Match for a menu that does not exist yet', async () => {
    const count = async () => (await alice.get('/site/2/menus')).body.total
    const before = await count()
    const post = () => alice.post('/site/2/menus').send({ name: 'Unmade' })
    for (const tag of ['*', '"x"']) {
      const { body } = await post().set('If-Match', tag).expect(412)
      expect(body).toMatchObject({ error: 'precondition_failed' })
    }
    expect(await count()).toBe(before)
  })

  it('accepts a location as the name of the menu', async () => {
    const { tag } = await make()
    const path = '/site/2/menus/~footer_3/items'
    await make()
    await alice.put(path).set('If-Match', tag).send({ items: [] }).expect(412)
  })
})

describe('the ETag of a menu', () => {
  it('answers If-None-Match with 304 until the response changes', async () => {
    const { path, ids, tag } = await make()
    await alice.get(DATA).set('If-None-Match', tag).expect(304)
    await alice.patch(`${path}/items/${ids[0]}`).send({ title: 'New' }).expect(200)
    await alice.get(DATA).set('If-None-Match', tag).expect(200)
  })

  it('is not computed for writes without a precondition', async () => {
    const { path } = await make()
    const answer = await alice.post(`${path}/items`).send({ url: '/c/', title: 'C' }).expect(200)
    expect(answer.get('ETag')).toBeUndefined()
    const made = { name: 'New', items: ITEMS }
    const created = await alice
      .post('/site/2/menus')
      .set('If-None-Match', '*')
      .send(made)
      .expect(200)
    const next = alice.delete(`/site/2/menus/${created.body.menu.id}`)
    await next.set('If-Match', tagOf(created)).expect(200)
  })
})
