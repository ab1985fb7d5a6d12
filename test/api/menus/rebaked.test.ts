import { expect, it } from 'vitest'
import { type MenusApi, useMenusApi } from '../../support/menus-api.ts'

const menus = await useMenusApi()
await menus.send('post', '/frames', {
  slug: 'layout',
  html: '<nav><!-- svc/menu {"location":"footer_3"} /--></nav>',
})
await menus.send('post', '/frames', { slug: 'plain', html: '<p>No menu.</p>' })
const made = await menus.makeMenu([3, { url: '/x', title: 'X' }], { location: 'footer_3' })
const menu: number = made.menu.id
const item: number = made.items[1].id

it.each<[Parameters<MenusApi['send']>[0], string, object, 'baked' | 'not_needed']>([
  ['post', '/menus', { name: 'Another' }, 'not_needed'],
  ['post', '/menus/:menu/items', { url: '/y', title: 'Y' }, 'baked'],
  ['patch', '/menus/:menu/items/:item', { title: 'Z' }, 'baked'],
  ['post', '/menus/:menu/reorder', { order: [':item'] }, 'baked'],
  ['delete', '/menus/:menu/items/:item', {}, 'baked'],
  ['put', '/menus/:menu/items', { items: [7] }, 'baked'],
  ['put', '/menus/main-menu/location', { location: 'footer_3' }, 'baked'],
  ['delete', '/menus/main-menu', {}, 'baked'],
])('%s %s rebakes the frames that show menus, and no others', async (method, path, body, bake) => {
  const filled = (text: string) =>
    text.replace(':menu', String(menu)).replace(':item', String(item))
  const answer = await menus.send(method, filled(path), JSON.parse(filled(JSON.stringify(body))))
  expect(answer.status).toBe(200)
  expect(answer.body.rebaked).toMatchObject({
    status: 'ok',
    total: 1,
    frames: [{ slug: 'layout', bake }],
  })
})

it('patch /menus/:menu rebakes nothing', async () => {
  const { status, body } = await menus.send('patch', `/menus/${menu}`, { name: 'Renamed' })
  expect([status, body.rebaked]).toEqual([200, undefined])
})
