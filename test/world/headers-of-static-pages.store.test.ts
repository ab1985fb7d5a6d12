import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { describeWith } from '../support/describe-with.ts'
import { askServer, useWebServers, WEB_SERVERS } from '../support/web-servers.ts'

const POLICY = "script-src 'self'"
const ABOUT = '/shop/about-us/'

/**
 * A web server sends static copies itself, without what the front says about them: a browser shows a page of last month without a request.
 * Right: what the front sends. RFC 9111, 4.2.2: without `Cache-Control`, caches may guess how long a page is fresh. RFC 9110, 12.5.5: what
 * chooses by `Accept-Encoding` says so in `Vary`.
 */
describeWith('nginx', 'headers of static pages', async () => {
  const { fronts, ports } = await useWebServers(
    [['# add_header Content-Security-Policy', 'add_header Content-Security-Policy']],
    POLICY,
  )
  for (const front of fronts) {
    await front.frame(2, 'page', '<h1 data-op-bind="page.title"></h1>')
    await front.assign(2, 'page', [3, 7])
  }
  const ask = (server: string, ...asked: [path: string, asked?: object]) =>
    askServer(ports.get(server) ?? 0, ...asked)
  const HEADERS = [
    'cache-control',
    'vary',
    'content-type',
    'content-encoding',
    'content-security-policy',
    'x-content-type-options',
    'x-robots-tag',
    'location',
  ]
  const shown = (headers: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(HEADERS.map((name) => [name, headers[name]]))

  it.each(WEB_SERVERS)('%s: a page, compressed or not', async (server) => {
    const expected = {
      'cache-control': 'public, max-age=0, must-revalidate',
      vary: 'Accept-Encoding',
      'content-type': 'text/html; charset=utf-8',
      'content-encoding': undefined,
      'content-security-policy': POLICY,
      'x-content-type-options': 'nosniff',
      'x-robots-tag': undefined,
      location: undefined,
    }
    for (const path of ['/shop/', ABOUT, `${ABOUT}?utm_source=a`]) {
      const plain = await ask(server, path)
      expect([path, plain.status, shown(plain.headers)]).toEqual([path, 200, expected])
      expect(plain.text).toMatch(/^<h1>[^<]+<\/h1>$/)
      const more = { Via: '1.1 cdn', 'Accept-Encoding': 'gzip' }
      const packed = await ask(server, path, { headers: more })
      expect(shown(packed.headers)).toEqual({ ...expected, 'content-encoding': 'gzip' })
      expect(gunzipSync(packed.bytes).toString()).toBe(plain.text)
    }
  })

  it.each(WEB_SERVERS)('%s: HEAD, and pages that have not changed', async (server) => {
    for (const coding of ['identity', 'gzip']) {
      const headers = { 'Accept-Encoding': coding }
      const page = await ask(server, ABOUT, { headers })
      const head = await ask(server, ABOUT, { headers, method: 'HEAD' })
      expect([head.status, head.text, shown(head.headers)]).toEqual([200, '', shown(page.headers)])
      const { etag = '' } = page.headers
      const again = await ask(server, ABOUT, { headers: { ...headers, 'If-None-Match': etag } })
      expect([coding, again.status, again.text]).toEqual([coding, 304, ''])
      expect(again.headers).toMatchObject({
        'content-security-policy': POLICY,
        etag: etag.replace(/^W\//, ''),
      })
      // The S3 server of the tests leaves it out of a 304; caches then keep the stored one (RFC 9111, 4.3.4).
      const caching = again.headers['cache-control'] ?? page.headers['cache-control']
      expect(caching).toBe('public, max-age=0, must-revalidate')
      if (server !== 'before the store') expect(again.headers['cache-control']).toBe(caching)
    }
  })

  it.each([
    ['without the slash', '/shop/about-us', 301],
    ['of no page', '/shop/nothing/', 404],
    ['with an empty segment at the beginning', '//shop/about-us/', 404],
    ['with an empty segment', '/shop//about-us/', 301],
    ['with dots', '/shop/x/../about-us/', 400],
    ['with encoded dots', '/shop/%2e%2e/shop/about-us/', 400],
    ['with an encoded slash', '/shop%2fabout-us/', 400],
    ['with an encoded letter', '/shop/%61bout-us/', 200],
    ['in capitals', '/shop/About-Us/', 301],
    ['of 4,096 characters', `/${'a'.repeat(4_095)}`, 404],
    ['of 4,096 characters with a slash', `/${'a'.repeat(4_094)}/`, 404],
    ['that is too long', `/${'a'.repeat(4_096)}`, 414],
    ['of 9,000 characters', `/${'a'.repeat(9_000)}/`, 414],
    ['with a query of 14,000 characters', `/shop/?${'a'.repeat(14_000)}`, 200],
    ['with a long campaign', `/shop/?utm_content=${'a'.repeat(7_000)}`, 200],
    [
      'without the slash, with a long campaign',
      `/shop/about-us?utm_content=${'a'.repeat(8_000)}`,
      301,
    ],
  ])('an address %s: one answer; WordPress answers what has no copy', async (_, path, status) => {
    for (const server of WEB_SERVERS) {
      const answer = await ask(server, path)
      const isTheme = server === 'beside WordPress' && status !== 200
      expect([server, answer.status, answer.text === 'theme']).toEqual([
        server,
        isTheme ? 200 : status,
        isTheme,
      ])
    }
  })

  it('an address that no server reads', async () => {
    for (const server of WEB_SERVERS.slice(1))
      expect((await ask(server, `/shop/?${'a'.repeat(17_000)}`)).status).toBe(414)
  })
})
