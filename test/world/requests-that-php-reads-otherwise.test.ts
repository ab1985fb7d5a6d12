import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { LegacyEndpoint } from '../../packages/migration/src/old-endpoint/legacy-endpoint.ts'
import { passing, startOldEndpoint } from '../../packages/migration/test/old-endpoint.ts'
import { parseFamilies } from '../../src/host/families.ts'
import { startApi } from '../support/api.ts'
import { useNetwork } from '../support/network.ts'
import { use } from '../support/use.ts'

/**
 * A request is passed to a PHP endpoint, which reads it as another one: of a family that has moved, past its scopes and limits, or of another route.
 * Right: PHP, `php_register_variable_ex()`: a `[` without `]` becomes `_`, a name ends at NUL. WordPress, `WP_REST_Server::serve_request()`: `_method` and
 * X-HTTP-Method-Override replace the method.
 */
describe('requests that PHP reads otherwise', async () => {
  const network = await useNetwork()
  const old = await use(startOldEndpoint())
  const endpoint = new LegacyEndpoint({
    url: old.url,
    timeoutMs: 1000,
    maxBodyBytes: 1_000_000,
  })
  const legacy = { endpoint, families: parseFamilies('styles'), mayPass: async () => true }
  const api = await use(startApi(network, passing(legacy)))

  /** Sends a request exactly as it is written. */
  const send = (
    method: string,
    path: string,
    headers: Record<string, string> = {},
  ): Promise<number> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(api.url)
      const sent = request({ hostname, port, method, path, headers }, (answer) =>
        answer.resume().on('end', () => resolve(answer.statusCode ?? 0)),
      )
      sent.on('error', reject).end()
    })

  it.each<[string, string, object?]>([
    ['GET', '/site/2/media?rest[route=/wp/v2/users'],
    ['GET', '/site/2/media?rest_route%00x=/'],
    ['GET', '/site/2/media?%00'],
    ['POST', '/site/2/media?_method%00x=PUT'],
    ['POST', '/site/2/frames/sneak', { 'X-HTTP-Method-Override': 'PUT' }],
    ['POST', '/site/2/frames/sneak', { x_http_method_override: 'put' }],
    ['POST', '/site/2/frames/sneak', { 'X.HTTP.Method.Override': 'PUT' }],
    ['POST', '/site/2/frames/sneak?_method=PUT'],
    ['POST', '/site/2/frames/sneak?%5fmethod=%50UT'],
    ['GET', '/site/2/frames/sneak?.method=DELETE'],
    ['POST', '/site/2/media?_method=NONE'],
    ['POST', '/site/2/media?_method=PUT&_method=GET'],
    ['PUT', '/site/2/frames%2Fsneak'],
    ['PUT', '/site%2F2%2Fframes%2Fsneak'],
    ['PUT', '/site/2/frames%252Fsneak'],
    ['PUT', '/site/2/frames%5Csneak'],
    ['GET', '/site/2/wp/v2/users'],
    ['GET', '/oembed/1.0/proxy'],
  ])('%s %s is not passed', async (method: string, path: string, headers?: object) => {
    const status = await send(method, path, { ...headers })
    expect([status >= 400 && status < 500, old.received]).toEqual([true, []])
  })

  it.each([
    ['POST', '/site/2/media?_method=PUT'],
    ['GET', '/site/2/media?a[]=1&a[b][c]=2&x.y=3'],
    ['POST', '/site/2/pages'],
    ['PUT', '/site/2/styles/a%20b'],
  ])('%s %s is passed', async (method, path) => {
    old.received.length = 0
    expect(await send(method, path)).toBe(200)
    expect(old.received).toMatchObject([{ method, url: `/old/v1${path}` }])
    old.received.length = 0
  })

  it('says nothing of the client that it has not found out itself', async () => {
    const forged = {
      Proxy: 'http://evil.example',
      'CF-Connecting-IP': '1.1.1.1',
      'X.Forwarded.For': '1.1.1.1',
      X_Forwarded_For: '1.1.1.1',
      'X-Client-IP': '1.1.1.1',
      'X-Cluster-Client-IP': '1.1.1.1',
      'True-Client-IP': '1.1.1.1',
      'X-Original-URL': '/wp-admin/',
      'X-Rewrite-URL': '/wp-admin/',
    }
    await send('GET', '/site/2/media', { ...forged, 'X-Own': 'kept' })
    const [{ headers } = { headers: {} }] = old.received
    expect(headers).toMatchObject({ 'x-own': 'kept' })
    expect(JSON.stringify(headers)).not.toMatch(/1\.1\.1\.1|evil|wp-admin/)
  })
})
