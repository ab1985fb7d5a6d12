import { describe, expect, it } from 'vitest'
import type { ChangeEvent } from '../../../src/changes/events/event.ts'
import { readEvents } from '../../../src/changes/events/read-events.ts'
import { recordOption } from '../../../src/content/frames/option-names.ts'
import { readRegistry } from '../../../src/content/frames/registry.ts'
import { listEntries, readContent } from '../../../src/record/history/read-history.ts'
import { use } from '../../support/use.ts'
import { startEditedSite } from '../edited-site.ts'

const edited = await use(startEditedSite(2))
const { db, globals } = edited.front.network
const { tables } = edited.site
const scope = { db, globals, blogId: 2 }

const now = async () => (await readEvents(scope, 'now')).cursor
const since = async (cursor: string): Promise<readonly ChangeEvent[]> =>
  (await readEvents(scope, cursor)).events
const thingsOf = (events: readonly ChangeEvent[], type: ChangeEvent['type']) =>
  events.filter((event) => event.type === type).flatMap(({ things }) => things)

const publicPage = async (): Promise<number> => {
  const page = await db
    .sql(tables.posts)
    .where({ post_type: 'page', post_status: 'publish', post_password: '' })
    .orderBy('ID', 'desc')
    .first('ID')
  return page.ID
}

it('an edited frame is recorded in the history when its edit is found', async () => {
  const { id } = (await readRegistry(db, edited.site)).get('plain')
  const edit = (text: string) =>
    db
      .sql(tables.options)
      .where({ option_name: recordOption(id) })
      .update({ option_value: text })
  const entries = () => listEntries(db, globals, 2, { kind: 'frame', ref: id, limit: 10 })
  const before = await entries()
  await edit('<p>edited by PHP</p>')
  expect(await edited.follow()).toBe(true)
  const [newest, ...others] = await entries()
  expect(others).toEqual(before)
  expect(newest).toMatchObject({ action: 'edited', user_id: null, name: 'plain' })
  expect(newest && (await readContent(db, edited.site, newest))).toBe('<p>edited by PHP</p>')
  await edited.front.frame(2, 'plain', '<p>ours</p>')
  await edited.front.executor.finish(2)
  expect((await entries()).map(({ action }) => action)).toEqual([
    'replaced',
    'edited',
    ...before.map(({ action }) => action),
  ])
})

describe('events of pages', () => {
  it('follow the write with the addresses of the pages that show it', async () => {
    const cursor = await now()
    await edited.front.frame(2, 'plain', '<p>published later</p>')
    await edited.front.executor.finish(2)
    const events = await since(cursor)
    expect(events.map(({ type }) => type)).toEqual(['changed', 'published'])
    const copies = await edited.copies()
    const shown = [...copies].filter(([, html]) => html.includes('published later'))
    const things = thingsOf(events, 'published')
    expect(things).toHaveLength(shown.length)
    for (const { kind, action, url } of things) {
      expect({ kind, action }).toEqual({ kind: 'page', action: 'published' })
      const { status, body } = await edited.front.ask(url ?? '')
      expect({ status, isShown: body.includes('published later') }).toEqual({
        status: 200,
        isShown: true,
      })
    }
  })

  it('are none if the copies stay as they are', async () => {
    const cursor = await now()
    await edited.rebuild()
    expect(await since(cursor)).toEqual([])
  })

  it('say that a page was edited by another program, published, and has no copy any more', async () => {
    const page = await publicPage()
    const cursor = await now()
    await db.sql(tables.posts).where({ ID: page }).update({ post_title: 'Edited by hand' })
    await edited.follow()
    const events = await since(cursor)
    // Several claims may publish what follows.
    expect([...new Set(events.map(({ type }) => type))]).toEqual(['edited', 'published'])
    expect(thingsOf(events, 'edited')).toMatchObject([{ ref: String(page), action: 'edited' }])
    expect(thingsOf(events, 'published')).toContainEqual(
      expect.objectContaining({ ref: String(page), action: 'published' }),
    )
    const later = await now()
    await db.sql(tables.posts).where({ ID: page }).update({ post_status: 'draft' })
    await edited.follow()
    expect(thingsOf(await since(later), 'published')).toContainEqual(
      expect.objectContaining({ ref: String(page), action: 'removed', url: null }),
    )
  })

  it('say that the copies of a deleted site are gone, on the feed of the network', async () => {
    const network = { db, globals, blogId: undefined }
    const { cursor } = await readEvents(network, 'now')
    const copies = await edited.copies()
    await db.sql(globals.blogs).where({ blog_id: 2 }).delete()
    await edited.follow()
    const { events } = await readEvents(network, cursor)
    expect(events.map(({ type, site_id: site }) => [type, site])).toEqual([['published', 2]])
    expect(thingsOf(events, 'published').every(({ action }) => action === 'removed')).toBe(true)
    expect(events[0]?.things_total).toBe(copies.size)
  })
})
