import { beforeAll, expect, it } from 'vitest'
import { setValue } from '#php-serialized'
import { ALL_ROWS } from '../../src/changes/changed-rows.ts'
import { findEdits } from '../../src/changes/find-edits.ts'
import { recordEdits } from '../../src/changes/record-edits.ts'
import { seenTables } from '../../src/changes/seen-tables.ts'
import { recordOption } from '../../src/content/frames/option-names.ts'
import { rewriteFrames } from '../../src/network/doctor/checks/check-records.ts'
import { useMenusApi } from '../support/menus-api.ts'
import { NO_TEXTS } from '../support/site-fixture.ts'

const api = await useMenusApi()
const { network, site } = api
const { db, globals } = network

/** Names what a comparison of all rows finds. */
async function found(): Promise<readonly string[]> {
  const { posts, terms, options } = await findEdits(db, site, ALL_ROWS)
  return [
    ...posts.map(({ id }) => `post ${id}`),
    ...terms.map(({ id }) => `term ${id}`),
    ...options.map(({ name }) => `option ${name}`),
  ]
}

let menu = 0
/** Linked by no menu so far. */
let tag = 0
let post = 0
/** Linked by an item only after a change. */
let otherPost = 0
beforeAll(async () => {
  await api.send('post', '/frames', { slug: 'shows', html: '{{ menu.footer_1 }}', bake: false })
  menu = (await api.makeMenu([{ title: 'First', url: '/' }])).menu.id
  const { terms, termTaxonomy, posts } = site.tables
  ;[tag = 0] = await db.sql(terms).insert({ name: 'Tag', slug: 'tag' })
  await db.sql(termTaxonomy).insert({ term_id: tag, taxonomy: 'post_tag', description: '' })
  const row = { ...NO_TEXTS, post_title: 'Post', post_name: 'linked' }
  ;[post = 0] = await db.sql(posts).insert({ ...row, post_type: 'post', post_status: 'publish' })
  const other = { ...row, post_name: 'linked-later', post_type: 'post', post_status: 'publish' }
  ;[otherPost = 0] = await db.sql(posts).insert(other)
  await recordEdits({ db, globals }, site.blogId)
  expect(await found()).toEqual([])
})

const send = async (...call: Parameters<typeof api.send>) => {
  const { status, body } = await api.send(...call)
  expect(body, JSON.stringify(body)).toMatchObject({ success: true })
  expect(status).toBe(200)
  return body
}
const itemId = async (index: number) => (await api.itemsOf(menu))[index]?.id ?? 0

it.each<[string, () => Promise<unknown>]>([
  ['a new menu', () => api.makeMenu([{ title: 'A', url: '/a', children: [{ page: 2 }] }])],
  [
    'items that are replaced',
    () =>
      send('put', `/menus/${menu}/items`, {
        items: [
          { title: 'One', url: '/one' },
          { page: 2 },
          { type: 'taxonomy', object: 'post_tag', object_id: tag },
          { type: 'post_type', object: 'post', object_id: post },
        ],
      }),
  ],
  ['a new item', () => send('post', `/menus/${menu}/items`, { title: 'Last', url: '/last' })],
  [
    'a changed item',
    async () => send('patch', `/menus/${menu}/items/${await itemId(0)}`, { title: 'É' }),
  ],
  [
    'an item that links again what nothing linked when the site was first compared',
    async () => {
      const linking = { type: 'post_type', object: 'post', object_id: otherPost }
      const { item } = await send('post', `/menus/${menu}/items`, linking)
      await send('patch', `/menus/${menu}/items/${item.id}`, { page: 2 })
      const { sites, posts, terms, options } = seenTables(globals)
      for (const table of [sites, posts, terms, options])
        await db.sql(table).where({ blog_id: site.blogId }).delete()
      await recordEdits({ db, globals }, site.blogId)
      const { entries } = await send('get', '/history?limit=1')
      await send('post', '/restore', { request_id: entries[0].request_id })
    },
  ],
  ['a deleted item', async () => send('delete', `/menus/${menu}/items/${await itemId(1)}`)],
  ['a renamed menu', () => send('patch', `/menus/${menu}`, { name: 'Renamed', slug: 'renamed' })],
  ['an assigned location', () => send('put', `/menus/${menu}/location`, { location: 'footer_1' })],
  ['a deleted menu', () => send('delete', `/menus/${menu}`)],
  ['a new frame', () => send('post', '/frames', { slug: 'other', html: '<p>é</p>', bake: false })],
  ['a changed frame', () => send('put', '/frames/other', { html: '<p>2</p>', bake: false })],
  ['a frame of a page', () => send('post', '/frames/other/assign', { page: 2, bake: false })],
  ['a deleted frame', () => send('delete', '/frames/other')],
])('a comparison finds no edit after a write of %s', async (_, write) => {
  await write()
  expect(await found()).toEqual([])
})

it('a comparison finds no edit after the doctor has rewritten a record', async () => {
  const { frame } = await send('post', '/frames', { slug: 'old', html: '<i></i>', bake: false })
  const rows = db.sql(site.tables.options).where({ option_name: recordOption(frame.id) })
  await rows.update({ option_value: '<p>bare</p>' })
  await recordEdits({ db, globals }, site.blogId)
  await rewriteFrames(db, site, [frame.id])
  expect(await found()).toEqual([])
})

it('a comparison still finds what another program has edited before a write of the same option', async () => {
  const { menu: made } = await api.makeMenu()
  const rows = () => db.sql(site.tables.options).where({ option_name: 'theme_mods_opal' })
  const { option_value: text } = await rows().first('option_value')
  await rows().update({ option_value: setValue(text, ['edited'], 's:1:"x";') })
  await send('put', `/menus/${made.id}/location`, { location: 'footer_2' })
  expect(await found()).toEqual(['option theme_mods_opal'])
})
