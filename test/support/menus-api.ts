import type { ApiOptions } from '../../src/api/api-app.ts'
import { readMenu } from '../../src/wordpress/nav-menus/read-menu.ts'
import type { Site } from '../../src/wordpress/network/site.ts'
import { readLinkSettings } from '../../src/wordpress/permalinks/link-settings.ts'
import { cloneTruth } from '../wordpress/clone-truth.ts'
import { startApi, type TestApi } from './api.ts'
import type { Answer } from './frames-api.ts'
import type { TestNetwork } from './network.ts'

type Send = (
  method: 'get' | 'post' | 'put' | 'patch' | 'delete',
  path: string,
  body?: object | string | number,
) => Promise<Answer>

/** The API on a cloned network, called as the shop's administrator. */
export type MenusApi = {
  readonly network: TestNetwork
  readonly api: TestApi
  /** The shop. */
  readonly site: Site
  /** Sends a request about the shop, or about another site if the path begins with `/site`. */
  readonly send: Send
  /** Sends requests as another user. */
  as(login: string): Send
  /** Creates a menu of the shop through the API. */
  makeMenu(items?: readonly unknown[], more?: object): Promise<Answer['body']>
  /** The stored items of a menu, in their order. */
  itemsOf(menuId: number, site?: Site): Promise<ReadItems>
  stop(): Promise<void>
}

type ReadItems = NonNullable<Awaited<ReturnType<typeof readMenu>>>['items']

/** Starts it. `stop` removes everything. */
export async function startMenusApi(overrides: Partial<ApiOptions> = {}): Promise<MenusApi> {
  const network = await cloneTruth()
  const api = await startApi(network, overrides)
  const site = await network.site(2)
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
    send,
    as,
    makeMenu: async (items = [], more = {}) => {
      made += 1
      const { status, body } = await send('post', '/menus', {
        name: `Made ${made}`,
        items,
        ...more,
      })
      if (status !== 200) throw new Error(JSON.stringify(body))
      return body
    },
    itemsOf: async (menuId, of = site) => {
      const links = await readLinkSettings(network.db, of)
      return (await readMenu(network.db, of, links, menuId))?.items ?? []
    },
    stop: async () => {
      await api.close()
      await network.drop()
    },
  }
}
