import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CompatFixture, createCompatFixture } from './support/compat-fixture.ts'
import { readMenuRows } from './support/menu-rows.ts'
import { type Asked, type TwoEndpoints, twoEndpoints } from './support/two-endpoints.ts'

/** Two equal sites: the old endpoint writes to one, wp-frames to the other. */
type Sister = { fixture: CompatFixture; endpoints: TwoEndpoints; side: 'old' | 'new' }
let sisters: readonly Sister[] = []

beforeAll(async () => {
  sisters = await Promise.all(
    (['old', 'new'] as const).map(async (side) => {
      const fixture = await createCompatFixture()
      return { fixture, endpoints: await twoEndpoints(fixture), side }
    }),
  )
  for (const { fixture } of sisters)
    await fixture.wp('make_pages', [
      { title: 'Team' },
      { title: 'Über', under: 0 },
      { title: 'Draft', slug: 'draft', status: 'draft' },
    ])
})
afterAll(async () => {
  for (const { fixture } of sisters) await fixture.close()
})

type Body = Record<string, unknown>

/** A step of a scenario: a request that may depend on former answers, by their names. */
type Step = readonly [
  name: string,
  method: string,
  path: string | ((former: Former) => string),
  body?: Body | ((former: Former) => Body),
]
type Former = Readonly<Record<string, { readonly items: readonly { readonly id: number }[] }>>

/** Effects, which the old endpoint does not have, and what only wp-frames reports. */
const NOT_COMPARED = ['bake', 'rebaked', 'static', 'republish', 'pending', 'warnings']

/** Runs the steps on one site, and returns what the contract fixes of each answer, without ids, dates and addresses of the site. */
async function run({ fixture, endpoints, side }: Sister, steps: readonly Step[]) {
  const former: Record<string, Former[string]> = {}
  const answers = []
  for (const [name, method, path, body] of steps) {
    const sent = typeof body === 'function' ? body(former) : body
    const asked: Asked = { method, ...(sent ? { body: sent } : {}) }
    const at = typeof path === 'function' ? path(former) : path
    const answer = await endpoints.ask(side, `/site/${fixture.site.blogId}${at}`, asked)
    former[name] = answer.body as Former[string]
    const fields = Object.entries(answer.body as Body).filter(
      ([field]) => !NOT_COMPARED.includes(field),
    )
    answers.push([name, answer.status, Object.fromEntries(fields)])
  }
  return masked(fixture, answers)
}

/** The value with ids of frames in the order of their occurrence, and without dates and what belongs to the site. */
function masked({ site, home }: CompatFixture, value: unknown): unknown {
  const ids = new Map<string, string>()
  const text = JSON.stringify(value)
    .replaceAll(home, 'HOME')
    .replaceAll(`"site_id":${site.blogId}`, '"site_id":"SITE"')
    .replaceAll(`/site/${site.blogId}/`, '/site/SITE/')
    .replace(/"updated_by":\d+/g, '"updated_by":"USER"')
    // The contract fixes no sentences.
    .replace(/"message":"(?:[^"\\]|\\.)*"/g, '"message":"TEXT"')
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, 'TIME')
    .replace(/(?<![0-9a-f])[0-9a-f]{16}(?![0-9a-f])/g, (id) => {
      ids.set(id, ids.get(id) ?? `FRAME ${ids.size + 1}`)
      return ids.get(id) ?? ''
    })
  return JSON.parse(text)
}

/** Runs the steps on both sites. */
async function runBoth(steps: readonly Step[]) {
  const [old, ours] = await Promise.all(sisters.map((sister) => run(sister, steps)))
  return { old, new: ours }
}

/** What wp-frames reads of each site. */
async function stateOf({ fixture, endpoints }: Sister) {
  const paths = ['/frames?include_html=1', '/menus', '/data/menu.header', '/data/menu.footer_1']
  const answers = []
  for (const path of paths)
    answers.push((await endpoints.ask('new', `/site/${fixture.site.blogId}${path}`)).body)
  return masked(fixture, answers)
}

/** The rows of the menus of a site, without their author, who is another one on each site. */
async function rowsOf({ fixture: { network, site } }: Sister) {
  const { posts = [], ...rows } = await readMenuRows(network.db, site)
  return { ...rows, posts: posts.map(({ post_author: _, ...post }) => post) }
}

const FRAMES: readonly Step[] = [
  ['create', 'POST', '/frames', { slug: 'Card', html: '<p data-op-bind="page.title">\r\n</p>' }],
  [
    'create an embedder',
    'POST',
    '/frames',
    {
      slug: 'page__main',
      markup:
        '<!doctype html><body><!-- svc/frame { "slug" : "card", "a":[] } /--><!-- svc/partial {"name":"card","id":"CARD"} /--><!-- svc/repeat {"source":"pages","frame":"card"} /--><!-- svc/menu {"location":"header"} /--></body>',
      type: 'x',
    },
  ],
  ['dry run', 'POST', '/frames', { slug: 'dry', html: '<!-- svc/content /-->', dry_run: true }],
  ['dry rename', 'PATCH', '/frames/card', { slug: 'tile', dry_run: true }],
  ['rename', 'PATCH', '/frames/card', { slug: 'tile--big', name: 'x' }],
  ['replace', 'PUT', '/frames/page__main', { content: '<!-- svc/frame {"ref":"tile--big"} /-->' }],
  ['replace and rename', 'PUT', '/frames/tile--big', { slug: 'tile', html: '<b>ü</b>' }],
  ['dry replacement', 'PUT', '/frames/tile', { html: 'x', dry_run: '1' }],
  ['assign', 'POST', '/frames/page__main/assign', { page: 'team' }],
  ['assign a child', 'POST', '/frames/page__main/assign', { page: 'team/uber' }],
  ['assign a draft', 'POST', '/frames/tile/assign', { page: '/draft/' }],
  ['clear', 'POST', '/frames/page__main/assign', { page: 'team', clear: true }],
  ['clear a page of another frame', 'POST', '/frames/tile/assign', { page: 'uber', clear: true }],
  ['delete', 'DELETE', '/frames/tile', { bake: false }],
  ['list', 'GET', '/frames?include_html=1'],
]

const MENUS: readonly Step[] = [
  [
    'create',
    'POST',
    '/menus',
    {
      name: 'Main & <b>more</b>',
      location: 'header',
      items: [
        { page: 'team', classes: 'a  b!', children: ['team/uber'] },
        { url: '/x', title: 'X & <b>y</b> "z" \\', target: '_blank', children: [{ url: '#a' }] },
        { url: 'https://example.com/ü?a[]=1' },
      ],
    },
  ],
  ['create an equal name', 'POST', '/menus', { name: 'Main & <b>more</b>', slug: 'main-more' }],
  [
    'create with a draft',
    'POST',
    '/menus',
    { name: 'D', items: [{ page: 'draft', children: ['team'] }, 'team'], allow_invalid: true },
  ],
  ['rename', 'PATCH', '/menus/d', { name: 'Ünder', slug: 'Ünder & co' }],
  ['assign', 'PUT', '/menus/~header/location', { location: 'footer_1' }],
  [
    'assign in another theme',
    'PUT',
    '/menus/~header/location',
    { location: 'footer_2', theme: 'old' },
  ],
  ['list', 'GET', '/menus'],
  ['add', 'POST', '/menus/~header/items', { page: 'team', title: 'Last' }],
  [
    'add below',
    'POST',
    '/menus/~header/items',
    ({ create }) => ({ item: { url: '/new' }, parent: create?.items[0]?.id }),
  ],
  [
    'change',
    'PATCH',
    ({ create }) => `/menus/~header/items/${create?.items[0]?.id}`,
    { title: 'T & <i>t</i>', target: 'X y', classes: 'c' },
  ],
  [
    'change to a link',
    'PATCH',
    ({ create }) => `/menus/~header/items/${create?.items[1]?.id}`,
    { url: '/other' },
  ],
  [
    'change to a page',
    'PATCH',
    ({ create }) => `/menus/~header/items/${create?.items[4]?.id}`,
    { page: 'team/uber' },
  ],
  [
    'move',
    'PATCH',
    ({ create }) => `/menus/~header/items/${create?.items[2]?.id}`,
    ({ create }) => ({ parent: create?.items[0]?.id }),
  ],
  [
    'move below itself',
    'PATCH',
    ({ create }) => `/menus/~header/items/${create?.items[0]?.id}`,
    ({ create }) => ({ parent: create?.items[2]?.id }),
  ],
  [
    'reorder',
    'POST',
    '/menus/~header/reorder',
    ({ create }) => ({ order: [create?.items[4]?.id] }),
  ],
  ['read', 'GET', '/data/menu.header'],
  ['remove', 'DELETE', ({ create }) => `/menus/~header/items/${create?.items[2]?.id}`],
  ['read again', 'GET', '/data/menu.header'],
]

const MORE_MENUS: readonly Step[] = [
  [
    'replace',
    'PUT',
    '/menus/~header/items',
    // Nothing that the menu has already: wp-frames keeps the ids of such items, and the old endpoint makes them again.
    { items: [{ url: '/', children: [{ url: '/below' }] }] },
  ],
  ['read', 'GET', '/data/menu.header'],
  ['delete', 'DELETE', '/menus/~header'],
  ['list', 'GET', '/menus'],
]

describe('the old endpoint writes like wp-frames', () => {
  it('frames, with equal answers and results', async () => {
    const answers = await runBoth(FRAMES)
    expect(answers.old).toEqual(answers.new)
    const [old, ours] = await Promise.all(sisters.map(stateOf))
    expect(old).toEqual(ours)
  })

  it('menus, with equal answers and rows', async () => {
    for (const steps of [MENUS, MORE_MENUS]) {
      const answers = await runBoth(steps)
      expect(answers.old).toEqual(answers.new)
      const [old, ours] = await Promise.all(sisters.map(stateOf))
      expect(old).toEqual(ours)
      const [oldRows, ourRows] = await Promise.all(sisters.map(rowsOf))
      expect(oldRows).toEqual(ourRows)
    }
  })
})
