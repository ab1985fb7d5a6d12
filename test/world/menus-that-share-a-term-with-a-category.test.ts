import { describe, expect, it } from 'vitest'
import { createPlannedSite, menu as described } from '../network/plan/planned-site.ts'
import { useMenusApi } from '../support/menus-api.ts'

/**
 * A site from before WordPress 4.2 has one term for a category and a menu, and its terms were never split.
 * Right: WordPress 7.1, `wp_update_term()`, splits the term before it renames the menu, so that the category keeps its name and address. The menu
 * then has another id; this service refuses the rename instead (409) and changes nothing.
 */
const menus = await useMenusApi()
const { network, site, send } = menus
const { terms, termTaxonomy } = site.tables
const row = { term_id: 960, name: 'News', slug: 'news', term_group: 0 }
await network.db.sql(terms).insert(row)
for (const [id, taxonomy] of [
  [1960, 'category'],
  [1961, 'nav_menu'],
])
  await network.db
    .sql(termTaxonomy)
    .insert({ term_taxonomy_id: id, term_id: 960, taxonomy, description: '', parent: 0, count: 0 })

const term = async () => (await network.db.sql(terms).where({ term_id: 960 }))[0]

describe('menus that share a term with a category', () => {
  it.each([{ name: 'Top' }, { slug: 'top' }, { name: 'Top', slug: 'top' }])(
    'are not renamed to %j',
    async (names) => {
      const { status, body } = await send('patch', '/menus/news', names)
      expect([status, body.error]).toEqual([409, 'menu_term_shared'])
      expect(body.message).toContain('"category"')
      expect(await term()).toEqual(row)
    },
  )

  it('are not renamed by a description', async () => {
    const planned = createPlannedSite(network, site)
    const { outcome, problems } = await planned.apply({
      menus: [described('top', [], { formerly: ['news'] })],
    })
    expect([outcome, problems]).toMatchObject([
      'blocked',
      [{ kind: 'menu', name: 'top', reason: 'term_shared' }],
    ])
    expect(await term()).toEqual(row)
  })

  it('get items, and are sent back with their own names', async () => {
    expect((await send('put', '/menus/960/items', { items: ['about-us'] })).status).toBe(200)
    expect((await send('patch', '/menus/960', { name: 'News', slug: 'news' })).status).toBe(200)
  })

  it('are not renamed by a restore, and a deletion keeps the category', async () => {
    await network.db.sql(terms).where({ term_id: 960 }).update({ name: 'Other', slug: 'other' })
    const { body } = await send('get', '/history?kind=menu&ref=960&limit=1')
    const restored = await send('post', '/restore', { entry: body.entries[0].id })
    expect(restored.body.not_restored).toMatchObject([{ reason: 'term_shared' }])
    expect(await term()).toMatchObject({ name: 'Other', slug: 'other' })
    expect((await send('delete', '/menus/960')).status).toBe(200)
    expect(await term()).toMatchObject({ name: 'Other', slug: 'other' })
  })
})
