import { expect, it } from 'vitest'
import { recordEdits } from '../../src/changes/record-edits.ts'
import { useMenusApi } from '../support/menus-api.ts'
import { setOption } from '../support/network.ts'

/** Numbers that JavaScript reads as Infinity, which SQL takes for the name of a column. */
const HUGE = '1e309'
const DIGITS = '9'.repeat(310)

const { network, send, makeMenu, site } = await useMenusApi()
// A site without frames is not compared.
await send('post', '/frames', { slug: 'frame', html: '<p>x</p>' })

it.each(['page_on_front', 'page_for_posts', 'wp_page_for_privacy_policy'])(
  'an option %s beyond all numbers names no page',
  async (name) => {
    const { db, globals } = network
    await recordEdits({ db, globals }, site.blogId)
    await setOption(network, 2, name, HUGE)
    expect(await recordEdits({ db, globals }, site.blogId)).toBeDefined()
    const { menu } = await makeMenu([{ type: 'custom', title: 'Home', url: '/' }])
    for (const path of ['/data/pages', '/data/site', '/data/menu.header', `/menus/${menu.id}`])
      expect([path, (await send('get', path)).status]).toEqual([path, 200])
  },
)

it('a menu, a page and an item beyond all numbers are not found', async () => {
  const { menu } = await makeMenu()
  for (const [method, path, body] of [
    ['get', `/menus/${DIGITS}`, undefined],
    ['delete', `/menus/${DIGITS}`, {}],
    ['delete', `/menus/${menu.id}/items/${DIGITS}`, {}],
    ['post', '/preview', { page: DIGITS, frames: [] }],
  ] as const) {
    const answer = await send(method, path, body)
    expect([path, answer.status]).toEqual([path, 404])
  }
})
