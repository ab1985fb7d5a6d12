import { describe, expect, it } from 'vitest'
import { encodePhp, setValue } from '#php-serialized'
import { AppError } from '../../../src/host/errors.ts'
import { useFront } from '../../support/front.ts'
import { truths } from '../../wordpress/truth.ts'

/** Without static copies, so that every page is found in the database and rendered. */
const HTML = '<html><body><h1 data-op-bind="page.id"></h1></body></html>'

const publicPages = (blogId: number) =>
  (truths.find(({ blog_id }) => blog_id === blogId)?.pages ?? []).filter(
    ({ status, slug }) => status === 'publish' && slug !== 'password-page',
  )

const front = await useFront({ staticDir: undefined })
for (const blogId of [1, 2, 3, 4]) {
  await front.frame(blogId, 'page', HTML)
  await front.assign(
    blogId,
    'page',
    publicPages(blogId).map(({ id }) => id),
  )
}

const idIn = (body: string) => Number(/<h1>(\d+)<\/h1>/.exec(body)?.[1])

describe('pages', () => {
  it.each([
    [1, 1],
    [2, 15],
    [3, 3],
    [4, 3],
  ])('of site %i are served at their URLs', async (blogId, atLeast) => {
    const pages = publicPages(blogId)
    expect(pages.length).toBeGreaterThanOrEqual(atLeast)
    for (const { url, id } of pages) {
      const { status, headers, body } = await front.ask(url)
      expect([url, status, idIn(body)]).toEqual([url, 200, id])
      expect(headers['content-type']).toBe('text/html; charset=utf-8')
    }
  })

  it('have an ETag and answer 304 to If-None-Match', async () => {
    const first = await front.ask('http://net.test/shop/about-us/')
    const etag = `${first.headers.etag}`
    expect(etag).toMatch(/^(W\/)?".+"$/)
    const second = await front.ask('http://net.test/shop/about-us/', {
      headers: { 'If-None-Match': etag },
    })
    expect([second.status, second.bytes.length]).toEqual([304, 0])
    expect(second.headers).toMatchObject({
      etag,
      'cache-control': expect.stringContaining('public'),
    })
  })

  it('are sent without a body for HEAD', async () => {
    const got = await front.ask('http://net.test/shop/about-us/')
    const head = await front.ask('http://net.test/shop/about-us/', { method: 'HEAD' })
    expect([head.status, head.bytes.length]).toEqual([200, 0])
    expect(head.headers['content-length']).toBe(String(got.bytes.length))
    expect(head.headers.etag).toBe(got.headers.etag)
  })
})

describe("a redirect to the page's own URL", () => {
  const SHOP = 'http://net.test/shop/'
  it.each([
    ['shop', SHOP],
    ['shop/about-us', `${SHOP}about-us/`],
    ['shop/a-propos/', `${SHOP}fr/a-propos/`],
    ['shop/?page_id=7', `${SHOP}about-us/`],
    ['?page_id=2', 'http://net.test/sample-page/'],
  ])('is sent for /%s', async (path, location) => {
    const { status, headers } = await front.ask(`http://net.test/${path}`)
    expect([status, headers.location]).toEqual([301, location])
    expect((await front.ask(location)).status).toBe(200)
  })

  it('keeps other query parameters', async () => {
    const from = (path: string) => front.ask(`http://net.test/shop/${path}`)
    expect((await from('about-us?utm_source=a&utm_medium=b%20c')).headers.location).toBe(
      `${SHOP}about-us/?utm_source=a&utm_medium=b%20c`,
    )
    expect((await from('?utm_source=a&page_id=7&x')).headers.location).toBe(
      `${SHOP}about-us/?utm_source=a&x`,
    )
  })

  it.each([
    '//evil.test/shop/about-us/',
    '//evil.test',
    '/\\evil.test/about-us',
    '/shop//evil.test/%2e%2e/about-us',
    '/shop/about-us?x=//evil.test',
    '/shop/about-us#@evil.test',
    'http://evil.test/shop/about-us',
  ])('is never an open redirect: %s', async (target) => {
    const answer = await front.send(
      `GET ${target} HTTP/1.1\r\nHost: net.test\r\nConnection: close\r\n\r\n`,
    )
    const location = /^location: (.*)$/im.exec(answer)?.[1]
    expect(location ?? SHOP).toMatch(/^http:\/\/net\.test\/shop\//)
    expect(answer).toMatch(/^HTTP\/1.1 (301|400|404) /)
  })

  it.each(['//', 'javascript', 'http://net.test:port/shop', 'http://[/shop'])(
    'is not sent if the home URL of the site is invalid: %s',
    async (home) => {
      const { tables } = await front.network.site(2)
      const option = front.network.db.sql(tables.options).where({ option_name: 'home' })
      const { option_value } = await option.clone().first('option_value')
      await option.clone().update({ option_value: home })
      const { status, headers, body } = await front.ask('http://net.test/shop/about-us')
      await option.update({ option_value })
      expect([status, headers.location, idIn(body)]).toEqual([200, undefined, 7])
    },
  )

  it('is not sent for a host that is not in the network', async () => {
    expect((await front.ask('http://evil.test/shop/about-us')).status).toBe(404)
  })

  it('is for now only from the home of a site whose languages all have another one, as of Polylang', async () => {
    const { tables } = await front.network.site(2)
    const option = front.network.db.sql(tables.options).where({ option_name: 'polylang' })
    const { option_value } = await option.clone().first('option_value')
    const shown = setValue(option_value, ['hide_default'], encodePhp(false))
    await option.clone().update({ option_value: shown })
    const answers = await Promise.all(
      ['', '?utm_source=x', 'home/', 'about-us/'].map((path) => front.ask(`${SHOP}${path}`)),
    )
    await option.update({ option_value })
    expect(answers.map(({ status, headers }) => [status, headers.location])).toEqual([
      [302, `${SHOP}en/home/`],
      [302, `${SHOP}en/home/?utm_source=x`],
      [301, `${SHOP}en/home/`],
      [301, `${SHOP}en/about-us/`],
    ])
  })

  it('is not cached permanently', async () => {
    const { headers } = await front.ask('http://net.test/shop/about-us')
    expect(headers['cache-control']).toContain('max-age=0')
  })
})

describe('plain permalinks', () => {
  const DOCS = 'http://net.test/docs/'
  it('show pages by id, with any other parameters', async () => {
    const [page] = publicPages(3).filter(({ url }) => url.includes('page_id'))
    expect(page?.url).toBe(`${DOCS}?page_id=${page?.id}`)
    expect((await front.ask(`${page?.url}&utm_source=x`)).status).toBe(200)
    expect((await front.ask(`${DOCS}?utm_source=x&page_id=${page?.id}`)).status).toBe(200)
  })

  it('are the target of redirects from slugs', async () => {
    const [page] = publicPages(3).filter(({ url }) => url.includes('page_id'))
    const { status, headers } = await front.ask(`${DOCS}${page?.path}/?utm_source=x`)
    expect([status, headers.location]).toEqual([301, `${page?.url}&utm_source=x`])
  })
})

describe('no page', () => {
  it.each([
    ['no page', 'http://net.test/shop/nothing/'],
    ['a draft', 'http://net.test/shop/?page_id=19'],
    ['a host without sites', 'http://other.test/'],
    ['a file', 'http://net.test/shop/wp-config.php'],
  ])('404: %s', async (_what, url) => {
    const { status, headers, body } = await front.ask(url)
    expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
    expect(body).toMatch(/^<!doctype html>[\s\S]*<title>Not found<\/title>/)
    expect(headers.location).toBeUndefined()
  })

  it('404: a page without a frame, also at an inexact URL', async () => {
    await front.assign(2, 'page', [13], { clear: true })
    expect((await front.ask('http://net.test/shop/legal/')).status).toBe(404)
    expect((await front.ask('http://net.test/shop/legal')).status).toBe(404)
    await front.assign(2, 'page', [13])
    expect((await front.ask('http://net.test/shop/legal/')).status).toBe(200)
  })

  it.each([
    ['archived', 5],
    ['deleted', 6],
    ['spam', 7],
  ])('410: a site that is %s', async (path, blogId) => {
    expect((await front.network.site(blogId)).path).toBe(`/${path}/`)
    for (const below of ['', 'sample-page/']) {
      const { status, body } = await front.ask(`http://net.test/${path}/${below}`)
      expect([status, body]).toEqual([410, expect.stringContaining('<title>Gone</title>')])
    }
  })

  it.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])('405: %s', async (method) => {
    const { status, headers } = await front.ask('http://net.test/shop/', { method })
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD'])
  })
})

it('a page that cannot be rendered because the service is busy is answered with 503, so that visitors and caches retry', async () => {
  const busy = new AppError('service_busy', 'The service is busy.')
  const render = () => Promise.reject(busy)
  const other = await useFront({
    staticDir: undefined,
    front: (options) => ({ ...options, executor: { ...options.executor, render } }),
  })
  const { status, headers } = await other.ask('http://net.test/shop/about-us/')
  expect([status, headers['retry-after']]).toEqual([503, '5'])
})
