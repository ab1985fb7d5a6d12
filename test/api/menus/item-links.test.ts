import { expect, it } from 'vitest'
import { useMenusApi } from '../../support/menus-api.ts'

let menuId: number
const menus = await useMenusApi()

type Item = {
  id: number
  link: { title: string; url: string; page: number; problem: string | null; message: string | null }
}

async function problems(): Promise<(string | null)[]> {
  const { status, body } = await menus.send('get', `/menus/${menuId}?links=1`)
  expect(status).toBe(200)
  return body.items.map(({ link }: Item) => link.problem)
}

const setPage = (id: number, row: object) =>
  menus.network.db.sql(menus.site.tables.posts).where({ ID: id }).update(row)

it('the response says where the items of a menu lead, and which links are broken', async () => {
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
  await setPage(7, { post_status: 'draft' })
  await setPage(10, { post_status: 'trash' })
  expect(await problems()).toEqual(['target_not_public', 'target_missing', null])
  await setPage(7, { post_status: 'publish', post_password: 'secret' })
  const item = body.items[2].id
  await setPage(item, { post_status: 'draft' })
  expect(await problems()).toEqual(['target_not_public', 'target_missing', 'not_published'])
  const { posts } = menus.site.tables
  await menus.network.db.sql(posts).where({ ID: 10 }).delete()
  const { body: last } = await menus.send('get', `/menus/${menuId}?links=1`)
  expect(last.items.map(({ link }: Item) => link.message)).toEqual([
    'The item links to page "About us" (7), which has a password.',
    'The item links to page 10, which does not exist.',
    'The item has the status "draft".',
  ])
})

it('the response is unchanged for clients that do not ask', async () => {
  const { body } = await menus.send('get', `/menus/${menuId}`)
  for (const item of body.items) expect(item).not.toHaveProperty('link')
})
