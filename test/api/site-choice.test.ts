import { describe, expect, it } from 'vitest'
import { MAX_DOMAIN_LENGTH, siteChoiceOfSelector } from '../../src/api/site-choice.ts'
import { startApi, useApi } from '../support/api.ts'
import { use } from '../support/use.ts'

const { network, api } = await useApi()

type Choice = {
  readonly query?: Record<string, string | string[]>
  readonly body?: Record<string, unknown>
  readonly header?: string
}

/** The site of the response or the error code, and the selector. */
async function ask(login: string, { query = {}, body, header }: Choice): Promise<string> {
  const agent = await api.as(login)
  const answer = await agent
    .get('/menus')
    .query(query)
    .set(header === undefined ? {} : { 'X-Svc-Blog-Id': header })
    .send(body)
  return `${answer.body.site_id ?? `${answer.status} ${answer.body.code}`} by ${answer.get('X-Svc-Blog-Source')}`
}

describe('the legacy addressing', () => {
  it.each<[string, Choice, string]>([
    ['blog_id in the body as text', { body: { blog_id: '2' } }, '2 by blog_id'],
    ['a host', { query: { domain: 'brand.test' } }, '4 by domain'],
    ['a host with www', { query: { domain: 'www.net.test/shop' } }, '2 by domain'],
    ['a host in capitals', { query: { domain: 'NET.TEST/shop' } }, '2 by domain'],
  ])('accepts %s', async (_name, choice, expected) => {
    expect(await ask('admin', choice)).toBe(expected)
  })

  it('uses the first of blog_id, header, domain, and the query before the body', async () => {
    const all = {
      query: { blog_id: '1', domain: 'net.test/docs' },
      body: { blog_id: 2, domain: 'brand.test' },
      header: '3',
    }
    expect(await ask('admin', all)).toBe('1 by blog_id')
    expect(await ask('admin', { ...all, query: { domain: 'net.test/docs' } })).toBe('2 by blog_id')
    const { blog_id: _query, ...query } = all.query
    const { blog_id: _body, ...body } = all.body
    expect(await ask('admin', { query, body, header: '4' })).toBe('4 by header')
    expect(await ask('admin', { query, body })).toBe('3 by domain')
    expect(await ask('admin', { body })).toBe('4 by domain')
  })

  it('lets blog_id in the body override a header and a domain that name a foreign site', async () => {
    const body = { blog_id: 2 }
    expect(await ask('alice', { body, header: '3' })).toBe('2 by blog_id')
    expect(await ask('alice', { body, query: { domain: 'net.test/docs' } })).toBe('2 by blog_id')
    expect(await ask('alice', { body: { x: 1 }, header: '3' })).toBe(
      '403 insufficient_role by header',
    )
    expect(await ask('alice', { body: { blog_id: 3 }, header: '2' })).toBe(
      '403 insufficient_role by blog_id',
    )
  })

  it.each<[string, Choice, string]>([
    ['blog_id empty', { query: { blog_id: '' } }, 'blog_id'],
    ['blog_id 0', { query: { blog_id: '0' } }, 'blog_id'],
    ['blog_id below 0', { query: { blog_id: '-2' } }, 'blog_id'],
    ['blog_id with a fraction', { body: { blog_id: 2.5 } }, 'blog_id'],
    ['blog_id with more behind', { query: { blog_id: '2;' } }, 'blog_id'],
    ['blog_id twice', { query: { blog_id: ['2', '3'] } }, 'blog_id'],
    ['blog_id as a list', { body: { blog_id: ['2'] } }, 'blog_id'],
    ['blog_id null', { body: { blog_id: null } }, 'blog_id'],
    ['blog_id true', { body: { blog_id: true } }, 'blog_id'],
    ['the header empty', { header: '' }, 'header'],
    ['the header with a name', { header: 'shop' }, 'header'],
    ['domain empty', { query: { domain: '' } }, 'domain'],
    ['domain with a scheme', { query: { domain: 'https://net.test/shop' } }, 'domain'],
    ['domain a path alone', { query: { domain: '/shop' } }, 'domain'],
    ['domain as a number', { body: { domain: 7 } }, 'domain'],
    ['domain as an object', { body: { domain: {} } }, 'domain'],
    ['domain null', { body: { domain: null } }, 'domain'],
    ['domain too long', { query: { domain: 'x'.repeat(MAX_DOMAIN_LENGTH + 1) } }, 'domain'],
    ['domain twice', { query: { domain: ['net.test', 'brand.test'] } }, 'domain'],
  ])('rejects %s', async (_name, choice, by) => {
    expect(await ask('admin', choice)).toBe(`400 rest_invalid_param by ${by}`)
  })

  it('rejects a domain that is a list in a list, very often', () => {
    const value = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000))
    expect(() => siteChoiceOfSelector({ by: 'domain', value })).toThrow(
      expect.objectContaining({ code: 'rest_invalid_param' }),
    )
  })

  it.each<[string, Choice, string]>([
    ['a blog id that is none', { query: { blog_id: '99' } }, 'blog_id'],
    ['a blog id beyond all numbers', { query: { blog_id: '9'.repeat(400) } }, 'blog_id'],
    ['a deleted site', { header: '6' }, 'header'],
    ['a domain that is none', { query: { domain: 'none.test' } }, 'domain'],
    ['a path that is none', { query: { domain: 'net.test/none' } }, 'domain'],
  ])('finds no site for %s', async (_what, choice, by) => {
    expect(await ask('admin', choice)).toBe(`404 site_not_found by ${by}`)
  })
})

describe('BASE_PATH', () => {
  it('is the prefix of both addressings, and no other path exists', async () => {
    const based = await use(startApi(network, { basePath: '/wp-json/svc/v1' }))
    const admin = await based.as('admin')
    await admin.get('/wp-json/svc/v1/site/2/menus').expect(200)
    await admin.get('/wp-json/svc/v1/menus').expect(200)
    for (const path of ['/site/2/menus', '/menus', '/wp-json/svc/v1', '/wp-json/svc/v1/site/2']) {
      const { body } = await admin.get(path).expect(404)
      expect(body.code).toBe('rest_no_route')
    }
  })
})

describe('a site without tables', () => {
  it('is reported as missing by every endpoint', async () => {
    const { db, globals } = network
    await db.sql(globals.blogs).insert({ blog_id: 8, site_id: 1, domain: 'gone.test', path: '/' })
    const admin = await api.as('admin')
    for (const path of ['frames', 'frames/header', 'menus', 'data/menu.header']) {
      const { status, body } = await admin.get(`/site/8/${path}`)
      expect([path, status, body.code]).toEqual([path, 404, 'site_not_found'])
    }
    const frame = { slug: 'new', html: '<p>new</p>' }
    const written = await admin.post('/site/8/frames').send(frame)
    expect(written.body.code).toBe('site_not_found')
    expect(await ask('admin', { query: { blog_id: '8' } })).toBe('404 site_not_found by blog_id')
  })
})
