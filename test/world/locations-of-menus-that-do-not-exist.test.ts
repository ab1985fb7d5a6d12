import { expect, it } from 'vitest'
import { useMenusApi } from '../support/menus-api.ts'
import { setOption } from '../support/network.ts'

/**
 * Locations hold the id of a category, and an id that the next menu gets.
 * Right: WordPress 7.1, `wp_get_nav_menu_object()`: both print nothing, and the second one prints the new menu as soon as it exists.
 */
const menus = await useMenusApi()
const { network, send } = menus
const { terms, termTaxonomy } = menus.site.tables
const { sql } = network.db
await sql(terms).insert({ term_id: 950, name: 'Sale', slug: 'sale' })
await sql(termTaxonomy).insert({ term_id: 950, taxonomy: 'category', description: '' })
await setOption(
  network,
  2,
  'theme_mods_elsewhere',
  'a:1:{s:18:"nav_menu_locations";a:2:{s:6:"header";i:950;s:8:"footer_1";i:951;}}',
)

it('the finding says that the id is that of a category, and creating the menu says that it fills the location', async () => {
  const { body } = await (await menus.api.as('admin')).get('/site/2/findings')
  const messages: string[] = body.findings.map(({ message }: { message: string }) => message)
  expect(messages).toContainEqual(
    expect.stringMatching(
      /^Menu 950 does not exist \(the id is that of a term of the taxonomy "category"\), but is still assigned/,
    ),
  )
  expect(messages).toContainEqual(expect.stringMatching(/^Menu 951 does not exist, but is/))
  const first = await send('post', '/menus', { name: 'First' })
  expect([first.body.menu.id, first.body.warnings]).toEqual([951, ['location_filled']])
  const second = await send('post', '/menus', { name: 'Second' })
  expect(second.body.warnings).toEqual([])
})
