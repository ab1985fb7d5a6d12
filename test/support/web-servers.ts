import { startObjectStore } from '../../packages/store-s3/test/object-store.ts'
import { STORE_CREDENTIALS } from '../../packages/store-s3/test/store-keys.ts'
import { type Asked, ask, useFront } from './front.ts'
import { listen } from './listen.ts'
import { readNginxFile, startNginxServer } from './nginx.ts'
import { use } from './use.ts'

/** The configurations of `ops/nginx`. Beside WordPress, a server that answers `theme` replaces it. */
export const WEB_SERVERS = ['front', 'beside WordPress', 'before the front', 'before the store']

/** What `web-servers.ts` replaces in a configuration, besides addresses. */
export type Adapted = readonly (readonly [from: string, to: string])[]

/** Starts the front and the three configurations of `ops/nginx`, with the same network. */
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
  const blocks: [name: string, file: string, replaced: Adapted][] = [
    [
      'beside WordPress',
      'with-wordpress.conf',
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
      'without-wordpress.conf',
      [files, ['127.0.0.1:8081', `127.0.0.1:${front.port}`]],
    ],
    [
      'before the store',
      'before-the-store.conf',
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
    blocks.map(async ([name, file, replaced]) => {
      const text = await readNginxFile(file)
      const server = await use(
        startNginxServer((to) =>
          replaceAll(text, [...replaced, ...adapted, ['listen 80;', `listen ${to};`]]),
        ),
      )
      ports.set(name, server.port)
    }),
  )
  return {
    /** Those whose copies are files, and those whose copies are objects. */
    fronts: [front, storeFront],
    /** By name: the front, and nginx with each of these configurations. */
    ports,
  }
}

/** @throws Error if the file does not contain what is replaced */
function replaceAll(file: string, replaced: Adapted): string {
  return replaced.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`The configuration does not contain "${from}"`)
    return text.replaceAll(from, () => to)
  }, file)
}

/** Requests a path of `net.test` exactly as written. */
export async function askServer(port: number, path: string, asked?: Asked) {
  const { body: text, ...answer } = await ask(port, `http://net.test${path}`, asked)
  return { ...answer, text }
}
