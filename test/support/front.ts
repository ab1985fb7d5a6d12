import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { type IncomingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import type { BuilderOptions } from '../../src/build/executor/builder.ts'
import { createFrontApp, type FrontOptions } from '../../src/build/front/front-app.ts'
import type { Config } from '../../src/host/config/config.ts'
import { listen } from './listen.ts'
import { asTestExecutor } from './local-executor.ts'
import { cloneNetwork } from './network.ts'
import { openTestService } from './service.ts'
import { createSiteFixture, type SiteFixture } from './site-fixture.ts'
import type { TimingChanges } from './timings.ts'
import { use } from './use.ts'

type Answer = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
  /** The bytes as text. */
  readonly body: string
}

export type Asked = { readonly method?: string; readonly headers?: Record<string, string> }

/** The front over HTTP on a cloned network, with an executor that writes into a temporary folder. */
export type TestFront = Awaited<ReturnType<typeof startFront>>

export type TestFrontOptions = Partial<
  Pick<
    BuilderOptions & FrontOptions & Config,
    | 'pageCachePurge'
    | 'pageCsp'
    | 'staticDir'
    | 'staticMbPerSite'
    | 'staticStore'
    | 'cacheTags'
    | 'cachePurge'
  >
> & {
  /** Changes the options of the front before it starts. */
  readonly front?: (options: FrontOptions) => FrontOptions
  /** See `NetworkOptions`. */
  readonly timings?: TimingChanges
}

/** Starts it. `stop` removes everything. */
export async function startFront({ timings = {}, ...options }: TestFrontOptions = {}) {
  const network = await cloneNetwork({ timings })
  const own = await mkdtemp(join(tmpdir(), 'wp-frames-front-'))
  const { db } = network
  const { front, ...given } = options
  const settings = { staticDir: own, ...given }
  const service = await openTestService(network, settings)
  const executor = asTestExecutor(service.builder, network)
  const shown = service.frontOptions()
  const server = await listen(createFrontApp(front ? front(shown) : shown))
  const { port } = server
  const staticFolder = settings.staticDir ?? own
  const site = async (blogId: number) =>
    createSiteFixture(db, await network.site(blogId), { executor })
  return {
    network,
    executor,
    staticDir: staticFolder,
    port,
    /** The HTML of the static copy at a host and path. */
    copyAt: (path: string) => {
      const file = join(staticFolder, path, 'index.html')
      return existsSync(file) ? readFileSync(file, 'utf8') : undefined
    },
    /** Requests an address exactly as written; its host is sent in the header `Host`. */
    ask: (url: string, asked?: Asked): Promise<Answer> => ask(port, url, asked),
    /** Sends bytes and returns the whole response: for requests that no client library sends. */
    send: (bytes: string | Buffer) => send(port, bytes),
    /** Creates a frame or replaces its markup. */
    frame: async (blogId: number, slug: string, html: string) =>
      void (await (await site(blogId)).frame(slug, html)),
    /** Assigns pages to a frame, or takes them off it, and publishes them. */
    assign: async (blogId: number, ...assignment: Parameters<SiteFixture['assign']>) =>
      (await site(blogId)).assign(...assignment),
    stop: async () => {
      await server.close()
      await service.close()
      await network.drop()
      await rm(own, { recursive: true, force: true })
    },
  }
}

/** Starts it; it ends with the tests. */
export const useFront = (options?: TestFrontOptions): Promise<TestFront> => use(startFront(options))

export function ask(port: number, url: string, { method = 'GET', headers = {} }: Asked = {}) {
  const [, host, path] = /^https?:\/\/([^/]*)(.*)$/.exec(url) ?? []
  return new Promise<Answer>((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port, method, path, headers: { Host: host, ...headers } },
      async (response) => {
        const bytes = await buffer(response)
        const { statusCode: status = 0, headers } = response
        resolve({ status, headers, bytes, body: bytes.toString() })
      },
    )
    sent.on('error', reject)
    sent.end()
  })
}

async function send(port: number, bytes: string | Buffer): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(bytes)
  return text(socket)
}
