import { describe, expect, it } from 'vitest'
import { RateLimits } from '../../src/record/auth/rate-limits.ts'
import { startApi, type TestApi } from '../support/api.ts'
import { useNetwork } from '../support/network.ts'
import { use } from '../support/use.ts'

const network = await useNetwork()
const MENUS = '/site/2/menus'

const start = (basePath = ''): Promise<TestApi> =>
  use(
    startApi(network, {
      basePath,
      limits: new RateLimits({ rateLimitPerMinute: 0, authFailuresPerMinute: 2 }),
    }),
  )

/**
 * Browsers, MCP clients and load balancers ask for things that are not there, and the scripts of the same address were locked out for it.
 * Right: RFC 9728, section 3: there is no metadata, so 404. The Fetch standard: a preflight never has credentials, so it is no failed login.
 */
describe('requests without a token', () => {
  it.each([
    ['get', '/favicon.ico'],
    ['get', '/'],
    ['get', '/robots.txt'],
    ['get', '/.well-known/oauth-protected-resource'],
    ['get', '/.well-known/oauth-authorization-server/mcp'],
    ['post', '/register'],
    ['options', '/site/2/menus'],
    ['options', '/mcp'],
    ['options', '/network/sites'],
    ['get', '/network/nothing'],
    ['get', '/site/2/nothing'],
    ['delete', '/site/2/menus'],
    ['get', '/site/2/frames/%E0%A4%A'],
  ] as const)('%s %s is 404 and counts for nothing', async (method, path) => {
    const api = await start()
    const nobody = await api.as()
    for (let times = 0; times < 3; times += 1) await nobody[method](path).expect(404)
    await (await api.as('alice')).get(MENUS).expect(200)
  })

  it('are the same below another path, and beside it', async () => {
    const api = await start('/wp-json/svc/v1')
    const nobody = await api.as()
    for (const path of ['/favicon.ico', '/wp-json/svc/v1', '/wp-json/svc/v1/none', '/site/2/menus'])
      await nobody.get(path).expect(404)
    await (await api.as('alice')).get(`/wp-json/svc/v1${MENUS}`).expect(200)
  })

  it('from a page of another origin do not lock out the scripts of its reader', async () => {
    const api = await start()
    for (let times = 0; times < 3; times += 1)
      await (await api.as()).get(MENUS).set('Sec-Fetch-Site', 'cross-site').expect(401)
    await (await api.as('alice')).get(MENUS).expect(200)
  })

  it('to an endpoint count, and so do wrong tokens wherever they are sent', async () => {
    const api = await start()
    await (await api.as()).get(MENUS).expect(401)
    await (await api.as()).get('/nothing').set('X-Svc-Key', 'op_x').expect(401)
    await (await api.as('alice')).get(MENUS).expect(429)
  })

  it('get the name of the scheme (RFC 9110, section 15.5.2; RFC 6750, section 3)', async () => {
    const api = await start()
    const missing = await (await api.as()).get(MENUS).expect(401)
    expect(missing.get('WWW-Authenticate')).toBe('Bearer realm="wp-frames"')
    const wrong = await (await api.as()).get(MENUS).set('X-Svc-Key', 'op_x').expect(401)
    expect(wrong.get('WWW-Authenticate')).toBe('Bearer realm="wp-frames", error="invalid_token"')
  })
})
