import { expect, it } from 'vitest'
import { useMenusApi } from '../../support/menus-api.ts'

let menuId: number
const menus = await useMenusApi()

type Item = {
  id: number
  link: { title: string; url: string; page: number; problem: string | null; message: string | null }
}

it('the response says where the items of a menu lead', async () => {
  const { menu } = await menus.makeMenu([7, 10, { url: 'https://example.com/', title: 'Away' }])
  menuId = menu.id
  const { body } = await menus.send('get', `/menus/${menuId}?links=1`)
  const { body: pages } = await menus.send('get', '/data/pages')
  const page = pages.items.find(({ id }: { id: number }) => id === 7)
  expect(body.items.map(({ link }: Item) => link)).toMatchObject([
    { page: 7, url: page.url, title: page.title, problem: null, message: null },
    { page: 10, problem: null },
    { page: null, url: 'https://example.com/', title: 'Away', problem: null },
  ])
})

it('the response is unchanged for clients that do not ask', async () => {
  const { body } = await menus.send('get', `/menus/${menuId}`)
  for (const item of body.items) expect(item).not.toHaveProperty('link')
})
