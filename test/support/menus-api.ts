import type { ApiOptions } from '../../src/api/api-app.ts'
import { linkItems, readStoredMenu } from '../../src/wordpress/nav-menus/read-menu.ts'
import { readLinkSettings } from '../../src/wordpress/permalinks/link-settings.ts'
import { useTruth } from '../wordpress/clone-truth.ts'
import { startApi } from './api.ts'
import type { Answer } from './frames-api.ts'
import { use } from './use.ts'

type Send = (
  method: 'get' | 'post' | 'put' | 'patch' | 'delete',
  path: string,
  body?: object | string | number,
) => Promise<Answer>

/** The API on a cloned network, called as the shop's administrator. */
export type MenusApi = Awaited<ReturnType<typeof useMenusApi>>

/** Starts it; it ends with the tests. */
export async function useMenusApi(overrides: Partial<ApiOptions> = {}) {
  const network = await useTruth()
  const api = await use(startApi(network, overrides))
  const site = await network.site(2)
  /** Sends requests as another user. */
  const as =
    (login: string): Send =>
    async (method, path, body) => {
      const agent = await api.as(login)
      const request = agent[method](path.startsWith('/site') ? path : `/site/2${path}`)
      const sent = typeof body === 'object' || body === undefined ? body : JSON.stringify(body)
      const { status, body: answer } = await (sent === undefined
        ? request
        : request.type('json').send(sent))
      return { status, body: answer }
    }
  const send = as('alice')
  let made = 0
  return {
    network,
    api,
    site,
    /** Sends a request about the shop, or about another site if the path begins with `/site`. */
    send,
    as,
    /** Creates a menu of the shop through the API. */
    makeMenu: async (items: readonly unknown[] = [], more: object = {}) => {
      made += 1
      const { status, body } = await send('post', '/menus', {
        name: `Made ${made}`,
        items,
        ...more,
      })
      if (status !== 200) throw new Error(JSON.stringify(body))
      return body
    },
    /** The stored items of a menu, in their order, with their numbers as they are stored. */
    itemsOf: async (menuId: number, of = site) => {
      const links = await readLinkSettings(network.db, of)
      const stored = await readStoredMenu(network.db, of, menuId)
      if (!stored) return []
      const { items } = await linkItems(network.db, of, links, stored)
      return items.map((item, at) => ({ ...item, storedOrder: stored.items[at]?.row.menu_order }))
    },
  }
}
