import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CompatFixture, createCompatFixture } from './support/compat-fixture.ts'
import {
  type Answered,
  type Asked,
  type TwoEndpoints,
  twoEndpoints,
} from './support/two-endpoints.ts'

const TEST_FRAMES = resolve(import.meta.dirname, '../test/data/frames')

let fixture: CompatFixture
let endpoints: TwoEndpoints
let site = ''
let pages: readonly number[] = []

/** Markup by slug: the frames of the tests, and what the analysis has to distinguish. */
const MARKUP: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    readdirSync(TEST_FRAMES).map((name) => [
      name.replace('.html', ''),
      readFileSync(join(TEST_FRAMES, name), 'utf8'),
    ]),
  ),
  bare: '<p>Nothing</p>\r\n',
  empty: '<br>',
  'article__faq--simple':
    '<!DOCTYPE html>\n<html><body class="x"><!-- svc/content /--></body></html>',
  binds:
    '<a data-op-bind="href:page.url; title:site.title;page.title" href="#">x</a><img data-op-bind="src:dataset.logos.0.url"><p data-op-bind=\'if:settings.blogname; html:page.title; onclick:page.url\'>y</p><br data-op-bind="page.title"><p data-op-bind="nothing.here">z</p>',
  inserts:
    '<!-- svc/menu {"location":"footer_1","current":true} /--><!--svc/data {"source":"site.title"}/--><!-- svc/unknown /--><!-- svc/data {broken /--><!-- svc/lang-switcher /--><!-- svc/partial {"id":"BARE","x":{}} /--><!-- svc/frame {"name":"missing-frame"} /-->',
  repeats:
    '<!-- svc/repeat {"source":"menu.header"} --><li data-op-bind="item.title"><!-- svc/repeat {"source":"item.children"} --><b data-op-bind="item.title"></b><!-- /svc/repeat --></li><!-- /svc/repeat --><!-- svc/repeat {"source":"pages","frame":"bare"} /--><!-- svc/repeat {"source":"dataset.news.items"} --><!-- svc/data {"source":"item.x"} /-->',
  text: '<script>"<!-- svc/content /-->"</script><title>a <!-- svc/content /--></title><div title="<!-- svc/menu /-->"><textarea data-op-bind="page.title"></textarea></div><!-- <!-- svc/content /-->',
  outer: '<!-- svc/frame {"ref":"article__faq--simple"} /--><!-- svc/frame {"name":"outer"} /-->',
}

beforeAll(async () => {
  fixture = await createCompatFixture({ options: { svc_data_prices: '{"a":[1,{}],"b":"ü"}' } })
  endpoints = await twoEndpoints(fixture)
  site = `/site/${fixture.site.blogId}`
  pages = await fixture.wp<number[]>('make_pages', [
    { title: 'Team & “more”', slug: 'team' },
    { title: 'Über', under: 0 },
    { title: 'Draft', slug: 'draft', status: 'draft' },
    { title: 'Private', slug: 'private', status: 'private' },
    { title: '', slug: 'untitled' },
  ])
  for (const [slug, html] of Object.entries(MARKUP))
    await fixture.done('post', '/frames', { slug, html })
  for (const page of pages.slice(0, 3)) await fixture.done('post', '/frames/binds/assign', { page })
  await fixture.done('post', '/menus', {
    name: 'Main <& more>',
    location: 'header',
    items: [
      { page: pages[0], title: 'Team', classes: 'a b', children: [pages[1] ?? 0] },
      { url: '/x?a=1&b=2', title: 'X & <b>Y</b>', target: '_blank' },
      { url: '#', children: [{ url: 'https://example.com/ü', children: [pages[4] ?? 0] }] },
    ],
  })
  await fixture.done('post', '/menus', { name: 'Empty', location: 'footer_1' })
  await fixture.done('post', '/menus', { name: 'Aside', slug: 'aside-2' })
  // Visitors do not see items on pages that are not published, and items whose parents are missing are at the end.
  const aside = await fixture.done<{ items: { id: number }[] }>('put', '/menus/aside-2/items', {
    items: [{ page: pages[0], children: [pages[1] ?? 0] }, { page: pages[4] }, 'sample-page'],
  })
  await fixture.wp('calls', [
    ['wp_delete_post', [aside.items[0]?.id, true]],
    ['wp_trash_post', [pages[4]]],
  ])
  await fixture.done('put', '/menus/aside-2/location', { location: 'footer_2' })
})
afterAll(() => fixture?.close())

/** Fields of the source "site" that only wp-frames has. */
const OWN_FIELDS = new Set(['language_tag', 'robots'])

/** What the contract fixes of an answer. */
const fixed = ({ status, headers, body }: Answered) => ({
  status,
  body: JSON.parse(
    JSON.stringify(body ?? null, (name, value) => (OWN_FIELDS.has(name) ? undefined : value)),
  ),
  source: headers.get('x-svc-blog-source'),
  type: headers.get('content-type')?.toLowerCase(),
})

const READS = [
  '/frames',
  '/frames?include_html=1',
  '/frames?block=article&type=page',
  '/frames?q=FAQ',
  '/frames?q=none',
  ...Object.keys(MARKUP).map((slug) => `/frames/${slug}`),
  '/menus',
  '/menus?theme=other',
  ...['header', 'footer_1', 'footer_2', 'footer_3'].map((name) => `/data/menu.${name}`),
  '/data/pages',
  '/data/languages',
  '/data/site',
  '/data/site.title',
  '/data/settings',
  '/data/settings.blogname',
  '/data/dataset.prices',
  '/data/dataset.prices.a',
  '/data/dataset.prices.b',
]

describe('the old endpoint answers like wp-frames', () => {
  it.each(READS)('%s', async (path) => {
    const answers = await endpoints.both(`${site}${path}`)
    expect(answers.new.status).toBe(200)
    expect(fixed(answers.old)).toEqual(fixed(answers.new))
  })

  it('a read of a frame by its id', async () => {
    const { body } = await endpoints.ask('new', `${site}/frames/outer`)
    const { id } = (body as { frame: { id: string } }).frame
    const answers = await endpoints.both(`${site}/frames/${id}`)
    expect(fixed(answers.old)).toEqual(fixed(answers.new))
  })

  const selectors: readonly (readonly [string, (path: string) => readonly [string, Asked]])[] = [
    ['blog_id', (path) => [`${path}?blog_id=${fixture.site.blogId}`, {}]],
    ['domain', (path) => [`${path}?domain=net.test${fixture.site.path}`, {}]],
    [
      'X-Svc-Blog-Id',
      (path) => [path, { headers: { 'X-Svc-Blog-Id': String(fixture.site.blogId) } }],
    ],
  ]

  it.each(selectors)('the older addressing by %s', async (_, request) => {
    for (const path of ['/frames', '/frames/binds', '/menus', '/data/menu.header']) {
      const answers = await endpoints.both(...request(path))
      expect(answers.new.status).toBe(200)
      expect(fixed(answers.old)).toEqual(fixed(answers.new))
      expect(answers.old.headers.get('x-svc-blog-source')).not.toBeNull()
    }
  })
})

/** Fields of errors that only wp-frames has. */
const ADDITIONS = ['line', 'column', 'bytes']

/** The status, the code, and the shape of the body with the names of its fields. */
function shapeOf({ status, body }: Answered) {
  const fields = (body ?? {}) as Record<string, unknown>
  const { data, message, ...rest } = fields
  for (const name of ADDITIONS) delete rest[name]
  return {
    status,
    code: fields.code ?? fields.error,
    names: Object.keys(rest).sort(),
    message: typeof message,
    data: typeof data,
  }
}

const PROBES: readonly (readonly [string, string, Asked?])[] = [
  ['a missing token', '/frames', { token: null }],
  ['an unknown token', '/frames', { token: `op_${'x'.repeat(64)}` }],
  ['a token that is cut off', '/frames', { token: 'op_abc' }],
  ['an unknown route', '/nothing'],
  ['an unknown method', '/frames', { method: 'DELETE' }],
  ['an unknown frame', '/frames/none'],
  ['an empty reference', '/frames/%20'],
  ['defaults of frames', '/frames/defaults', { method: 'PUT', body: {} }],
  ['a default frame', '/frames/binds/default', { method: 'POST' }],
  ['an unknown source', '/data/nothing'],
  ['an unknown data set', '/data/dataset.none'],
  ['an unknown location', '/data/menu.sidebar'],
  ['a language without Polylang', '/data/menu.header?lang=fr'],
  ['a flag that is none', '/frames?include_html=maybe'],
  ['broken JSON', '/frames', { method: 'POST', body: '{' }],
  [
    'a body that is no JSON',
    '/frames',
    { method: 'POST', body: 'a', headers: { 'Content-Type': 'text/plain' } },
  ],
  ['a frame without a slug', '/frames', { method: 'POST', body: { html: '<i></i>' } }],
  [
    'a frame with a wrong slug',
    '/frames',
    { method: 'POST', body: { slug: 'A B', html: '<i></i>' } },
  ],
  ['a frame without markup', '/frames', { method: 'POST', body: { slug: 'a' } }],
  [
    'a frame with a URL',
    '/frames',
    { method: 'POST', body: { slug: 'a', html: '<i></i>', url: '/' } },
  ],
  [
    'a frame with a slug that is taken',
    '/frames',
    { method: 'POST', body: { slug: 'Binds', html: '<i></i>' } },
  ],
  [
    'two frames in one insert',
    '/frames',
    {
      method: 'POST',
      body: { slug: 'a', html: '<!-- svc/frame {"name":"bare","ref":"binds"} /-->' },
    },
  ],
  [
    'too much markup',
    '/frames',
    { method: 'POST', body: { slug: 'a', html: 'x'.repeat(2_097_153) } },
  ],
  [
    'a replacement of an unknown frame',
    '/frames/none',
    { method: 'PUT', body: { html: '<i></i>' } },
  ],
  ['a rename to nothing', '/frames/binds', { method: 'PATCH', body: { name: 'x' } }],
  ['a rename of the default', '/frames/binds', { method: 'PATCH', body: { is_default: true } }],
  [
    'a rename to a slug that is taken',
    '/frames/binds',
    { method: 'PATCH', body: { slug: 'bare' } },
  ],
  ['an assignment without a page', '/frames/binds/assign', { method: 'POST', body: {} }],
  [
    'an assignment of an unknown page',
    '/frames/binds/assign',
    { method: 'POST', body: { page: 'none' } },
  ],
  ['a rebake of nothing', '/frames/rebake', { method: 'POST', body: {} }],
  ['a menu without a name', '/menus', { method: 'POST', body: { name: ' ' } }],
  [
    'a menu of which the items are no list',
    '/menus',
    { method: 'POST', body: { name: 'M', items: 'x' } },
  ],
  ['a menu with broken items', '/menus', { method: 'POST', body: { name: 'M', items: [{}] } }],
  ['a menu with unknown pages', '/menus', { method: 'POST', body: { name: 'M', items: ['none'] } }],
  ['a menu with a draft', '/menus', { method: 'POST', body: { name: 'M', items: ['draft'] } }],
  [
    'a menu at an unknown location',
    '/menus',
    { method: 'POST', body: { name: 'M', location: 'x' } },
  ],
  ['a menu in a language', '/menus', { method: 'POST', body: { name: 'M', lang: 'fr' } }],
  ['an unknown menu', '/menus/none', { method: 'PATCH', body: { name: 'x' } }],
  ['a rename of a menu to nothing', '/menus/aside-2', { method: 'PATCH', body: {} }],
  ['a location without a menu', '/menus/~footer_3/items', { method: 'PUT', body: { items: [] } }],
  ['no location', '/menus/aside-2/location', { method: 'PUT', body: { location: '' } }],
  ['another location', '/menus/aside-2/location', { method: 'PUT', body: { location: 'x' } }],
  ['an item without a target', '/menus/aside-2/items', { method: 'POST', body: { title: 'x' } }],
  [
    'an item on an unknown page',
    '/menus/aside-2/items',
    { method: 'POST', body: { page: 'none' } },
  ],
  [
    'an item on a draft',
    '/menus/aside-2/items',
    { method: 'POST', body: { item: { page: 'draft' } } },
  ],
  [
    'an item below an unknown one',
    '/menus/aside-2/items',
    { method: 'POST', body: { url: '/', parent: 9999999 } },
  ],
  [
    'an update of an unknown item',
    '/menus/aside-2/items/9999999',
    { method: 'PATCH', body: { title: 'x' } },
  ],
  ['a deletion of an unknown item', '/menus/aside-2/items/9999999', { method: 'DELETE' }],
  ['an order that is none', '/menus/aside-2/reorder', { method: 'POST', body: { order: 'x' } }],
  [
    'an order of unknown items',
    '/menus/aside-2/reorder',
    { method: 'POST', body: { order: [9999999] } },
  ],
]

describe('the old endpoint refuses like wp-frames', () => {
  const probes = PROBES.map(([title, path, asked]) => ({ title, path, asked }))

  it.each(probes)('$title', async ({ path, asked }) => {
    const answers = await endpoints.both(`${site}${path}`, asked)
    expect(answers.new.status).toBeGreaterThanOrEqual(400)
    expect(shapeOf(answers.old)).toEqual(shapeOf(answers.new))
  })

  it.each(['/site/999999/frames', '/site/1/frames', '/site/x/frames', '/site/0/frames'])(
    'the site of %s',
    async (path) => {
      const answers = await endpoints.both(path)
      expect(answers.new.status).toBe(404)
      expect(shapeOf(answers.old)).toEqual(shapeOf(answers.new))
    },
  )

  it.each([
    '',
    '?blog_id=1',
    '?blog_id=999999',
    '?blog_id=x',
    '?domain=net.test',
    '?domain=',
    '?domain=other.test',
  ])('the site of /frames%s in the older addressing', async (query) => {
    const answers = await endpoints.both(`/frames${query}`)
    expect(answers.new.status).toBeGreaterThanOrEqual(400)
    expect(shapeOf(answers.old)).toEqual(shapeOf(answers.new))
    expect(answers.old.headers.get('x-svc-blog-source')).toBe(
      answers.new.headers.get('x-svc-blog-source'),
    )
  })

  it('a revoked token', async () => {
    const token = await endpoints.old.token(fixture.admin)
    expect((await endpoints.ask('old', `${site}/menus`, { token })).status).toBe(200)
    await endpoints.old.revoke(token)
    expect((await endpoints.ask('old', `${site}/menus`, { token })).body).toMatchObject({
      code: 'invalid_token',
    })
  })

  it('requests over the limit of a token', async () => {
    const token = await endpoints.old.token(fixture.admin, { requests_per_minute: 1 })
    const answers = []
    // A minute may end between two requests.
    for (let count = 0; count < 3; count += 1)
      answers.push(await endpoints.ask('old', `${site}/menus`, { token }))
    expect(answers[0]?.headers.get('x-ratelimit-remaining')).toBe('0')
    const refused = answers.find(({ status }) => status === 429)
    expect(refused?.body).toMatchObject({ code: 'too_many_requests', data: { status: 429 } })
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  it('an address after 20 failed authentications, also with a valid token', async () => {
    const headers = { 'X-Forwarded-For': '203.0.113.7' }
    const codes = []
    // More than one minute's attempts: the minute may end in between.
    for (let count = 0; count < 45; count += 1) {
      const { body } = await endpoints.ask('old', '/menus', { token: null, headers })
      codes.push((body as { code: string }).code)
      if (codes.at(-1) === 'too_many_auth_failures') break
    }
    expect(codes.at(-1)).toBe('too_many_auth_failures')
    expect(codes.length).toBeGreaterThan(20)
    const valid = await endpoints.ask('old', `${site}/menus`, { headers })
    if (valid.status !== 200) expect(valid.status).toBe(429)
  })
})
