import { type IncomingHttpHeaders, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { startObjectStore } from '../../packages/store-s3/test/object-store.ts'
import { STORE_CREDENTIALS } from '../../packages/store-s3/test/store-keys.ts'
import { useFront } from './front.ts'
import { listen } from './listen.ts'
import { NGINX_GUIDE, readNginxBlock, startNginxServer } from './nginx.ts'
import { use } from './use.ts'

export type WebAnswer = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
  readonly text: string
}

export type WebAsked = {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** The configurations of the guides. Beside WordPress, a server that answers `theme` replaces it. */
export const WEB_SERVERS = ['front', 'beside WordPress', 'before the front', 'before the store']

/** What `web-servers.ts` replaces in a configuration, besides addresses. */
export type Adapted = readonly (readonly [from: string, to: string])[]

/** Starts the front and the three configurations of nginx of the guides, with the same network. */
export async function useWebServers(adapted: Adapted = [], pageCsp?: string) {
  const store = await use(startObjectStore())
  await store.createBucket('copies')
  const address = store.address('copies', 'live')
  const front = await useFront({ pageCsp })
  const storeFront = await useFront({
    pageCsp,
    staticDir: undefined,
    staticStore: { address, credentials: STORE_CREDENTIALS },
  })
  const wordpress = await use(listen((_, response) => response.end('theme')))
  const files = ['/var/lib/wp-frames/static', front.staticDir] as const
  const storeHost = new URL(store.endpoint).host
  const blocks: [name: string, heading: string, replaced: Adapted][] = [
    [
      'beside WordPress',
      'The whole path',
      [
        files,
        ['        include fastcgi_params;\n', ''],
        ['        fastcgi_param SCRIPT_FILENAME /var/www/wordpress/index.php;\n', ''],
        ['        fastcgi_param SCRIPT_FILENAME $document_root$fastcgi_script_name;\n', ''],
        ['        fastcgi_param SCRIPT_NAME /index.php;\n', ''],
        [
          'fastcgi_pass unix:/run/php/php-fpm.sock;',
          `proxy_pass http://127.0.0.1:${wordpress.port};`,
        ],
      ],
    ],
    [
      'before the front',
      'nginx without WordPress',
      [files, ['127.0.0.1:8081', `127.0.0.1:${front.port}`]],
    ],
    [
      'before the store',
      'nginx in front of the store',
      [
        ['127.0.0.1:8081', `127.0.0.1:${storeFront.port}`],
        ['server s3.example.net:80;', `server ${storeHost};`],
        ['Host s3.example.net;', `Host ${storeHost};`],
        ['"/pages/live/', '"/copies/live/'],
      ],
    ],
  ]
  const ports = new Map([['front', front.port]])
  await Promise.all(
    blocks.map(async ([name, heading, replaced]) => {
      const block = await readNginxBlock(heading)
      const server = await use(
        startNginxServer((to) =>
          replaceAll(block, [...replaced, ...adapted, ['listen 80;', `listen ${to};`]]),
        ),
      )
      ports.set(name, server.port)
    }),
  )
  return {
    /** Those whose copies are files, and those whose copies are objects. */
    fronts: [front, storeFront],
    /** By name: the front, and nginx with each of the configurations of the guides. */
    ports,
  }
}

/** @throws Error if the guide does not contain what is replaced */
function replaceAll(block: string, replaced: Adapted): string {
  return replaced.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`${NGINX_GUIDE} does not contain "${from}"`)
    return text.replaceAll(from, () => to)
  }, block)
}

/** Requests a path of `net.test` exactly as written. */
export function askServer(
  port: number,
  path: string,
  { method = 'GET', headers = {} }: WebAsked = {},
): Promise<WebAnswer> {
  return new Promise((done, failed) => {
    const sent = request(
      { port, host: '127.0.0.1', path, method, headers: { Host: 'net.test', ...headers } },
      (response) => {
        const { statusCode: status = 0, headers } = response
        buffer(response).then(
          (bytes) => done({ status, headers, bytes, text: bytes.toString() }),
          failed,
        )
      },
    )
    sent.on('error', failed)
    sent.end()
  })
}
