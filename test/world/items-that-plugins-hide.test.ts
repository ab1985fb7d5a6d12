import { expect, it } from 'vitest'
import { startMenusApi } from '../support/menus-api.ts'
import { use } from '../support/use.ts'

/**
 * Nav Menu Roles and If Menu hide menu items with a filter of PHP.
 * Right: Nav Menu Roles 2.1, `exclude_menu_items()`; the service runs no PHP and prints all items, so the doctor says which ones.
 */
const menus = await use(startMenusApi())
const { sql } = menus.network.db
const { postmeta } = menus.site.tables

it('are reported for each menu', async () => {
  const { menu, items } = await menus.makeMenu(['about-us', 'legal', 'home'])
  const [first, second, third] = items.map(({ id }: { id: number }) => id)
  await sql(postmeta).insert([
    { post_id: first, meta_key: '_nav_menu_role', meta_value: 'a:1:{i:0;s:13:"administrator";}' },
    { post_id: second, meta_key: 'if_menu_enable', meta_value: '1' },
    { post_id: third, meta_key: '_nav_menu_role', meta_value: '' },
  ])
  const { body } = await (await menus.api.as('admin')).get('/site/2/findings')
  const found = body.findings.filter(
    ({ check }: { check: string }) => check === 'item_hidden_by_plugin',
  )
  expect(found.map(({ message }: { message: string }) => message)).toEqual([
    `A plugin hides the items ${first}, ${second} of menu "Made 1" (${menu.id}) from some visitors (_nav_menu_role, if_menu_enable).`,
  ])
})
