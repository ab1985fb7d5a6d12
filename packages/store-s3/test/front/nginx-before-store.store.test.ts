import { type IncomingHttpHeaders, request } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { afterEach, expect, it } from 'vitest'
import { describeWith } from '../../../../test/support/describe-with.ts'
import { useFront } from '../../../../test/support/front.ts'
import { readNginxFile, startNginxServer } from '../../../../test/support/nginx.ts'
import { use } from '../../../../test/support/use.ts'
import { startObjectStore } from '../object-store.ts'
import { STORE_CREDENTIALS } from '../store-keys.ts'
import { startStoreRelay } from '../store-relay.ts'

const ARABIC = `/shop/ar/${encodeURI('الرئيسية').toLowerCase()}/`
const ABOUT = '/shop/about-us/'
const OBJECT = 'live/net.test/shop/about-us/index.html'

describeWith('nginx', 'nginx before the store, as the guide says', async () => {
  const server = await use(startObjectStore())
  const relay = await use(startStoreRelay(server.endpoint))
  await server.createBucket('copies')
  const address = server.address('copies', 'live')
  const front = await useFront({
    staticDir: undefined,
    staticStore: { address, credentials: STORE_CREDENTIALS },
    cacheTags: { header: 'Cache-Tag', prefix: 'net' },
  })
  await front.frame(2, 'page', '<h1 data-op-bind="page.title"></h1>')
  await front.assign(2, 'page', [3, 6, 7, 8])
  const block = await readNginxFile('before-the-store.conf')
  const { host } = new URL(relay.endpoint)
  const nginx = await use(
    startNginxServer((listen) => {
      const replaced = [
        ['listen 80;', `listen ${listen};`],
        ['server 127.0.0.1:8081;', `server 127.0.0.1:${front.port};`],
        ['server s3.example.net:80;', `server ${host};`],
        ['Host s3.example.net;', `Host ${host};`],
        ['"/pages/live/', '"/copies/live/'],
      ].reduce((text, [from = '', to = '']) => {
        if (!text.includes(from)) throw new Error(`the configuration has no "${from}"`)
        return text.replace(from, to)
      }, block)
      return replaced
    }),
  )
  afterEach(() => {
    relay.interfere = () => undefined
    relay.requests.length = 0
  })

  type Got = { status: number; headers: IncomingHttpHeaders; bytes: Buffer; text: string }
  const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    new Promise<Got>((done, failed) => {
      const sent = request(
        {
          port: nginx.port,
          host: '127.0.0.1',
          path,
          method,
          headers: { Host: 'net.test', ...headers },
        },
        async (response) => {
          const chunks: Buffer[] = []
          for await (const chunk of response) chunks.push(chunk)
          const bytes = Buffer.concat(chunks)
          const { statusCode: status = 0 } = response
          done({ status, headers: response.headers, bytes, text: bytes.toString() })
        },
      )
      sent.on('error', failed)
      sent.end()
    })
  const toStore = () => relay.requests.filter((one) => one.includes('net.test'))

  it('sends the object of a page, compressed or not, with its headers', async () => {
    const packed = await ask(ABOUT, { 'Accept-Encoding': 'gzip' })
    expect(packed.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-encoding': 'gzip',
      'cache-control': 'public, max-age=0, must-revalidate',
      vary: 'Accept-Encoding',
      'x-content-type-options': 'nosniff',
      'x-amz-meta-cache-tag': expect.stringMatching(/^net,net-s2,net-s2-p7,net-s2-f/),
    })
    expect(gunzipSync(packed.bytes).toString()).toBe('<h1>About us</h1>')
    const metadata = Object.keys(packed.headers).filter((name) => name.startsWith('x-amz-meta-'))
    expect(metadata).toEqual(['x-amz-meta-cache-tag'])

    const plain = await ask(ABOUT)
    expect([plain.status, plain.text]).toEqual([200, '<h1>About us</h1>'])
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(plain.headers).toMatchObject({
      vary: 'Accept-Encoding',
      'cache-control': 'public, max-age=0, must-revalidate',
    })
    expect(toStore()).toHaveLength(2)
    // Through another proxy, which adds Via.
    const proxied = await ask(ABOUT, { 'Accept-Encoding': 'gzip', Via: '1.1 cdn' })
    expect(proxied.headers['content-encoding']).toBe('gzip')
    const head = await ask(ABOUT, { 'Accept-Encoding': 'gzip' }, 'HEAD')
    expect([head.status, head.bytes.length]).toEqual([200, 0])
  })

  it.each<[string, string, Record<string, string>?]>([
    ['the home page', '/shop/'],
    ['another spelling of the host', ABOUT, { Host: 'NET.TEST' }],
    ['a campaign', `${ABOUT}?utm_source=mail`],
    ['another spelling of the path', '/shop/%61bout-us/'],
    ['letters beyond ASCII', ARABIC],
    ['the same in capitals', ARABIC.replace(/%../g, (octet) => octet.toUpperCase())],
  ])('finds the object of %s', async (_, path, headers = {}) => {
    const { status, text } = await ask(path, headers)
    expect([status, text]).toEqual([200, expect.stringMatching(/^<h1>[^<]+<\/h1>$/)])
    expect(toStore()).toEqual([
      expect.stringMatching(/^GET \/copies\/live\/net\.test\/shop\/.*index\.html$/),
    ])
  })

  it('sends the store nothing of the request but its conditions', async () => {
    let headers: IncomingHttpHeaders = {}
    relay.interfere = (seen) => {
      headers = seen.headers
      return undefined
    }
    const secrets = { Authorization: 'Bearer x', Cookie: 'a=b', 'X-Amz-Acl': 'public-read' }
    const { status } = await ask(`${ABOUT}?acl&response-content-type=text/plain`, secrets)
    expect(status).toBe(200)
    expect(toStore()).toEqual([`GET /copies/${OBJECT}`])
    expect(Object.keys(headers).sort()).toEqual(['host'])
  })

  it.each([
    ['an address without the slash', '/shop/about-us', 301],
    ['a page by its id', '/shop/?page_id=7', 301],
    ['a path to another object', '/shop/../.published/1.1/', 400],
    ['the same, encoded', '/shop/%2e%2e/.published/1.1/', 400],
    ['the same, with encoded slashes', '/shop/x%2f..%2f..%2f.published/', 400],
    ['the marker', '/.wp-frames', 404],
    ['an empty segment', '//shop/about-us/', 404],
  ])('leaves %s to the front', async (_, path, status) => {
    expect((await ask(path)).status).toBe(status)
    expect(relay.requests.filter((one) => !one.includes('/net.test/'))).toEqual([])
    expect(toStore().filter((one) => !one.startsWith('GET /copies/live/net.test/'))).toEqual([])
  })

  it('leaves other methods to the front', async () => {
    expect((await ask(ABOUT, {}, 'POST')).status).toBe(405)
    expect(toStore()).toEqual([])
  })

  it('lets the front answer for what is missing in the store', async () => {
    expect((await ask('/shop/none/')).status).toBe(404)
    await fetch(`${server.endpoint}/copies/${OBJECT}`, { method: 'DELETE' })
    expect(await ask(ABOUT)).toMatchObject({ status: 200, text: '<h1>About us</h1>' })
  })

  it('lets the front render pages while the store refuses requests', async () => {
    for (const [status, code] of [
      [503, 'SlowDown'],
      [403, 'AccessDenied'],
    ] as const) {
      relay.interfere = () => ({ status, code })
      expect(await ask(ABOUT)).toMatchObject({ status: 200, text: '<h1>About us</h1>' })
    }
  })
})
