import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { createPlannedSite, menu as described } from '../network/plan/planned-site.ts'
import { useMenusApi } from '../support/menus-api.ts'

/**
 * Nav Menu Roles, ACF, Menu Icons and others keep values with menu items (postmeta) and with menus (termmeta).
 * Right: WordPress 7.1, `wp_nav_menu_update_menu_items()`: a save of the menu screen writes WordPress's own keys of the items that it was sent
 * with their ids, and leaves all other rows. What a write must delete, `restore` brings back.
 */
const menus = await useMenusApi()
const { network, site, send } = menus
const { db } = network
const { postmeta, termmeta } = site.tables
const planned = createPlannedSite(network, site)

const TREE = [
  { url: 'https://a.test/', title: 'A', children: [{ page: 7 }, { url: '/x', title: 'X' }] },
  { page: 3, title: 'Start', classes: 'one two' },
  { url: 'https://a.test/', title: 'A' },
]

let ref: number
let slug: string
let values: string[]
beforeEach(async () => {
  const made = await menus.makeMenu(TREE)
  ref = made.menu.id
  slug = made.menu.slug
  const items = await menus.itemsOf(ref)
  for (const { id, order } of items)
    await db.sql(postmeta).insert([
      { post_id: id, meta_key: '_nav_menu_role', meta_value: `a:1:{i:0;s:1:"${order}";}` },
      { post_id: id, meta_key: 'field', meta_value: null },
      { post_id: id, meta_key: 'field', meta_value: 'twice' },
    ])
  await db.sql(termmeta).insert({ term_id: ref, meta_key: 'acf', meta_value: '1' })
  values = await valuesNow()
})

/** What plugins keep with the items of the menu, and with the menu. */
async function valuesNow(): Promise<string[]> {
  const items = await menus.itemsOf(ref)
  const rows = await db
    .sql(postmeta)
    .whereIn(
      'post_id',
      items.map(({ id }) => id),
    )
    .whereNotIn('meta_key', ['_wp_old_date'])
    .where('meta_key', 'not like', '\\_menu\\_item\\_%')
    .orderBy('meta_id')
  const ofMenu = await db.sql(termmeta).where({ term_id: ref })
  return [
    ...rows.map((row) => `${row.post_id} ${row.meta_key} ${row.meta_value}`),
    ...ofMenu.map((row) => `menu ${row.meta_key} ${row.meta_value}`),
  ].sort()
}

type Item = { children?: Item[]; [field: string]: unknown }
const copy = (): Item[] => structuredClone(TREE)
const changed = (change: (tree: Item[]) => void) => {
  const tree = copy()
  change(tree)
  return tree
}

/** Trees of which all items are known. */
const TREES: [string, Item[]][] = [
  ['nothing changed', copy()],
  ['one title changed', changed(([, start]) => Object.assign(start ?? {}, { title: 'Begin' }))],
  ['one address changed', changed(([, , a]) => Object.assign(a ?? {}, { url: 'https://b.test/' }))],
  ['one page instead of another', changed(([, start]) => Object.assign(start ?? {}, { page: 10 }))],
  [
    'all texts changed',
    changed(([, start]) =>
      Object.assign(start ?? {}, { classes: 'x', target: '_blank', xfn: 'me' }),
    ),
  ],
  ['turned around', copy().reverse()],
  ['all on one level', changed((tree) => tree.push(...(tree[0]?.children?.splice(0) ?? [])))],
  ['an item more', [{ url: '/new', title: 'New' }, ...copy()]],
]

describe('values that plugins keep with menu items', () => {
  describe.each(TREES)('%s', (_, tree) => {
    it('stay when the tree is sent without ids', async () => {
      expect((await send('put', `/menus/${ref}/items`, { items: tree })).status).toBe(200)
      expect(await valuesNow()).toEqual(values)
    })

    it('stay when a description is applied', async () => {
      const { warnings } = await planned.apply({ menus: [described(slug, tree)] })
      expect(warnings).toEqual([])
      expect(await valuesNow()).toEqual(values)
    })
  })

  it('stay with the items that stay, and a plan names the others', async () => {
    const tree = [...copy().slice(0, 2), { url: '/other', title: 'Other' }]
    const { warnings } = await planned.apply({ menus: [described(slug, tree)] })
    expect(warnings).toEqual([
      {
        kind: 'menu',
        name: slug,
        reason: 'plugin_values_lost',
        message: expect.stringContaining(
          'The item "A" is deleted, and with it the values that plugins keep with it (_nav_menu_role, field).',
        ),
      },
    ])
    expect(await valuesNow()).toEqual(
      values.filter((value) => !value.startsWith(String(lastId(values)))),
    )
  })

  it.each([
    ['all items', () => send('put', `/menus/${ref}/items`, { items: [] })],
    ['the menu', () => send('delete', `/menus/${ref}`)],
    [
      'an item with those below it',
      async () => {
        const [first] = await menus.itemsOf(ref)
        return send('delete', `/menus/${ref}/items/${first?.id}`)
      },
    ],
  ])('come back when the deletion of %s is taken back', async (_, remove) => {
    expect((await remove()).status).toBe(200)
    const { body } = await send('get', `/history?kind=menu&ref=${ref}&limit=1`)
    expect(await valuesNow()).not.toEqual(values)
    const { request_id } = body.entries[0]
    expect((await send('post', '/restore', { request_id })).status).toBe(200)
    expect(await valuesNow()).toEqual(values)
  })

  it('come back when the application of a description is taken back', async () => {
    const runId = randomUUID()
    await planned.apply({ menus: [described(slug, copy().slice(0, 2))] }, { runId })
    expect(await valuesNow()).not.toEqual(values)
    await planned.rollBack(runId)
    expect(await valuesNow()).toEqual(values)
  })

  it('that changed meanwhile are not set back', async () => {
    await send('put', `/menus/${ref}/items`, { items: copy().slice(0, 2) })
    const { body } = await send('get', `/history?kind=menu&ref=${ref}&limit=1`)
    const [first] = await menus.itemsOf(ref)
    await db
      .sql(postmeta)
      .where({ post_id: first?.id, meta_key: '_nav_menu_role' })
      .update({ meta_value: 'changed' })
    await send('post', '/restore', { request_id: body.entries[0].request_id })
    const now = await valuesNow()
    expect(now).toContain(`${first?.id} _nav_menu_role changed`)
    expect(now).toHaveLength(values.length)
  })
})

const lastId = (all: readonly string[]): number =>
  Math.max(...all.flatMap((value) => Number.parseInt(value, 10) || 0))
