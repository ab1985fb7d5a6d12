import { describe, expect, it } from 'vitest'
import { RateLimits } from '../../src/record/auth/rate-limits.ts'
import { startApi, type TestApi } from '../support/api.ts'
import { useNetwork } from '../support/network.ts'
import { use } from '../support/use.ts'

const network = await useNetwork()
const PATH = '/site/2/menus'

/** An API on which a few failures of an address are too many. */
const start = (trustProxy: string): Promise<TestApi> =>
  use(
    startApi(network, {
      trustProxy,
      limits: new RateLimits({ rateLimitPerMinute: 0, authFailuresPerMinute: 2 }),
    }),
  )

async function fail(api: TestApi, forwarded: string): Promise<void> {
  for (let times = 0; times < 2; times += 1)
    await (await api.as()).get(PATH).set({ 'X-Forwarded-For': forwarded, 'X-Svc-Key': 'op_x' })
}

async function statusFrom(api: TestApi, forwarded: string): Promise<number> {
  return (await (await api.as('alice')).get(PATH).set('X-Forwarded-For', forwarded)).status
}

/**
 * A proxy adds the port of each client to its address, or sends no address at all, and one bad client locked out all others.
 * Right: RFC 7239, section 6: the port is no part of the address; section 6.3: an identifier names one client. Azure's Application Gateway sends `ip:port`.
 */
describe('addresses behind proxies', async () => {
  it.each([
    ['203.0.113.7:51234', '203.0.113.7:9', '198.51.100.9:40000'],
    ['[2001:db8:7::1]:443', '2001:db8:7::2', '[2001:db8:9::1]:443'],
    ['"[2001:db8:6::1]:443"', '[2001:db8:6::1]', '"[2001:db8:5::1]"'],
    ['203.0.113.8', '203.0.113.8:', '203.0.113.88'],
    ['unknown', 'unknown', '198.51.100.10'],
    ['_hidden', '_hidden', '_other'],
    ['198.51.100.11;1', '198.51.100.11;1', '198.51.100.11;2'],
    ['10.9.9.9, 203.0.113.17:1', '203.0.113.17:2', '203.0.113.18:1'],
  ])('%s is the client of %s, and not of %s', async (bad, same, other) => {
    const api = await start('loopback')
    await fail(api, bad)
    expect(await statusFrom(api, same)).toBe(429)
    expect(await statusFrom(api, other)).toBe(200)
  })

  it('a trusted proxy inside is trusted with its port', async () => {
    const api = await start('loopback,10.0.0.0/8')
    await fail(api, '203.0.113.7, 10.0.0.4:1234')
    expect(await statusFrom(api, '203.0.113.7, 10.0.0.4:99')).toBe(429)
    expect(await statusFrom(api, '203.0.113.8, 10.0.0.4:1234')).toBe(200)
  })
})
