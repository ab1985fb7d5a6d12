import { expect, it } from 'vitest'
import { useMenusApi } from '../support/menus-api.ts'

/**
 * Plugins hide menu items from some visitors with a filter of PHP.
 * Right: what they store (Nav Menu Roles 2.1 `_nav_menu_role`, If Menu 0.19 `if_menu_enable`, Menu Item Visibility Control 0.5 `_menu_item_visibility`, Ultimate
 * Member 2.11 `menu-item-um_nav_public`, User Menus 1.3 `_jp_nav_item_options`); the service runs no PHP and prints all items, so the doctor says which ones.
 */
const menus = await useMenusApi()
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

const HIDING: readonly (readonly [key: string, hidden: string, shown: string])[] = [
  ['_nav_menu_role', 'in', 'a:0:{}'],
  ['if_menu_enable', '1', '0'],
  ['_menu_item_visibility', 'is_user_logged_in()', 'everyone'],
  ['_menu_item_roles', 'a:1:{i:0;s:6:"editor";}', 'a:0:{}'],
  ['menu-item-um_nav_public', '2', '0'],
  [
    '_jp_nav_item_options',
    'a:2:{s:11:"which_users";s:9:"logged_in";s:5:"roles";a:0:{}}',
    'a:2:{s:11:"which_users";s:0:"";s:5:"roles";a:0:{}}',
  ],
]

it('are distinguished from items that everybody sees', async () => {
  const { menu, items } = await menus.makeMenu(HIDING.flatMap(() => ['home', 'home']))
  const ids: number[] = items.map(({ id }: { id: number }) => id)
  const rows = HIDING.flatMap(([meta_key, hidden, shown], index) => [
    { post_id: ids[2 * index], meta_key, meta_value: hidden },
    { post_id: ids[2 * index + 1], meta_key, meta_value: shown },
  ])
  await sql(postmeta).insert(rows)
  const { body } = await (await menus.api.as('admin')).get('/site/2/findings')
  const hidden = ids.filter((_, index) => index % 2 === 0)
  const found = body.findings.find(({ message }: { message: string }) =>
    message.includes(`(${menu.id}) from some visitors`),
  )
  expect(found.message).toContain(`hides the items ${hidden.join(', ')} of menu`)
})
