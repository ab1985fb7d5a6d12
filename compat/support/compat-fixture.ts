import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import type { ApiOptions } from '../../src/api/api-app.ts'
import type { LocalExecutor } from '../../src/build/executor/local-executor.ts'
import { migrate } from '../../src/db/migrate.ts'
import type { OnInvalidate } from '../../src/db/transaction.ts'
import { findSite, readHome } from '../../src/wordpress/network/find-sites.ts'
import { globalTables, type Site } from '../../src/wordpress/network/site.ts'
import { startApi, type TestApi } from '../../test/support/api.ts'
import { createTestExecutor } from '../../test/support/local-executor.ts'
import type { TestNetwork } from '../../test/support/network.ts'
import { openTestDatabase } from '../../test/support/open-database.ts'
import { type Request, WordPress } from './wordpress.ts'

type Json = Record<string, unknown>
type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** A new site that WordPress created, with access to it through WordPress and through the API. */
export type CompatFixture = {
  readonly site: Site
  /** Home address of the site (`readHome`) when it was created. */
  readonly home: string
  readonly network: TestNetwork
  readonly api: TestApi
  readonly executor: LocalExecutor
  /** Login of the site's administrator. */
  readonly admin: string
  /** Runs a probe in WordPress on this site, as its administrator. */
  wp<T>(probe: string, args?: unknown, request?: Request): Promise<T>
  /** Sends a request about this site to the API, as its administrator or another user. */
  send<T = Json>(method: Method, path: string, body?: object, login?: string): Promise<Sent<T>>
  /** Sends a request that must succeed, and returns the body. */
  done<T = Json>(method: Method, path: string, body?: object, login?: string): Promise<T>
  close(): Promise<void>
}

type Sent<T> = { readonly status: number; readonly body: T }

export type CompatFixtureOptions = {
  /** Options of the site, as `update_option` takes them. */
  readonly options?: Json
  readonly api?: Partial<ApiOptions>
  /** The folder of the static copies [no copies]. */
  readonly staticDir?: string
  /** Receives the cache keys that the API's transactions invalidate. */
  readonly onInvalidate?: OnInvalidate
}

/** Creates a site with WordPress and starts the API on its database. */
export async function createCompatFixture({
  options = {},
  api = {},
  staticDir,
  onInvalidate,
}: CompatFixtureOptions = {}): Promise<CompatFixture> {
  const servers = inject('compat')
  if ('problem' in servers) throw new Error(servers.problem)
  const wordpress = new WordPress(servers.wordpressUrl)
  const name = `s${randomBytes(4).toString('hex')}`
  const path = `/${name}/`
  const blogId = await wordpress.ask<number>(
    'make_site',
    { path, title: `Site ${name}`, admin: name, options },
    { user: 'root' },
  )
  const network = await openNetwork(servers.databaseUrl, onInvalidate)
  const executor = createTestExecutor({ ...network, staticDir })
  const started = await startApi(network, { executor, ...api })
  const { basePath = '' } = api
  const send: CompatFixture['send'] = async (method, at, body, login = name) => {
    const request = (await started.as(login))[method](`${basePath}/site/${blogId}${at}`)
    const { status, body: answer } = await (body === undefined ? request : request.send(body))
    return { status, body: answer }
  }
  const site = await network.site(blogId)
  return {
    site,
    home: await readHome(network.db, site),
    network,
    api: started,
    executor,
    admin: name,
    wp: (probe, args, request) =>
      wordpress.ask(probe, args, { site: path, user: name, ...request }),
    send,
    done: async <T>(method: Method, at: string, body?: object, login?: string): Promise<T> => {
      const { status, body: answer } = await send<T>(method, at, body, login)
      if (status !== 200) throw new Error(`${method} ${at}: ${status} ${JSON.stringify(answer)}`)
      return answer
    },
    close: async () => {
      await started.close()
      await executor.close()
      await network.db.close()
    },
  }
}

async function openNetwork(
  url: string,
  onInvalidate: CompatFixtureOptions['onInvalidate'],
): Promise<TestNetwork> {
  const db = openTestDatabase({ url, poolSize: 4, onInvalidate })
  await migrate(db, 'wp_')
  const globals = globalTables('wp_')
  return {
    url,
    db,
    globals,
    site: async (blogId) => {
      const site = await findSite(db, globals, blogId)
      if (!site) throw new Error(`no site ${blogId}`)
      return site
    },
    drop: () => db.close(),
  }
}
