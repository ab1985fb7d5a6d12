import { describe, expect, it } from 'vitest'
import { tokensTable } from '../../src/record/auth/tokens.ts'
import { checksumsOf, tablesOf } from '../support/checksums.ts'
import { useMenusApi } from '../support/menus-api.ts'

const menus = await useMenusApi()
const { network, api, send } = menus
const { db, globals } = network
await send('post', '/frames', { slug: 'kept', html: '<p>kept</p>' })
const { menu, items } = await menus.makeMenu(['home', 'about-us'])
const [first, second] = items.map(({ id }: { id: number }) => id)
const admin = await api.as('admin')
const { body: hook } = await admin.post('/site/2/webhooks').send({ url: 'https://hooks.example/' })

/** Everything that a write could change: the rows of the site, and those of the service. */
async function rows(): Promise<unknown> {
  const names = await tablesOf(network)
  const own = names.filter((name) => !/_tokens$|_(?:log|usage)$/.test(name))
  return checksumsOf(network, own)
}

const WRITES: readonly (readonly [method: string, path: string, body: object])[] = [
  ['post', '/frames', { slug: 'new', html: '<p>new</p>' }],
  ['put', '/frames/kept', { html: '<p>other</p>' }],
  ['patch', '/frames/kept', { slug: 'renamed' }],
  ['delete', '/frames/kept', {}],
  ['post', '/frames/kept/assign', { page: 'about-us' }],
  ['post', '/menus', { name: 'Dry', items: ['home'] }],
  ['patch', `/menus/${menu.id}`, { name: 'Other' }],
  ['delete', `/menus/${menu.id}`, {}],
  ['put', `/menus/${menu.id}/location`, { location: 'footer_3' }],
  ['put', `/menus/${menu.id}/items`, { items: ['home'] }],
  ['post', `/menus/${menu.id}/items`, { page: 'home' }],
  ['patch', `/menus/${menu.id}/items/${first}`, { title: 'Other' }],
  ['delete', `/menus/${menu.id}/items/${first}`, {}],
  ['post', `/menus/${menu.id}/reorder`, { order: [second, first] }],
  ['post', '/batch', { requests: [{ method: 'DELETE', path: '/frames/kept' }] }],
  ['post', '/restore', { entry: 1 }],
  ['patch', `/webhooks/${hook.webhook.id}`, { kinds: ['frame'] }],
  ['post', `/webhooks/${hook.webhook.id}/rotate`, {}],
  ['delete', `/webhooks/${hook.webhook.id}`, {}],
]

describe('a dry run', async () => {
  const before = await rows()

  it.each(WRITES)('of %s %s says so', async (method, path, body) => {
    const { status, body: answer } = await send(method as 'post', path, { ...body, dry_run: true })
    // The history of the site begins with another entry.
    if (path !== '/restore') expect([status, answer.dry_run]).toEqual([200, true])
    if (status === 200) expect(answer.warnings).toEqual([])
    if ('applied' in answer) expect([answer.applied, 'bake' in answer]).toEqual([false, false])
    const inQuery = await send(method as 'post', `${path}?dry_run=1`, body)
    expect([inQuery.status, inQuery.body.dry_run]).toEqual([status, answer.dry_run])
  })

  it('stores nothing', async () => expect(await rows()).toEqual(before))

  it('of a token and of a plan stores nothing, and shows no secret', async () => {
    const before = await db.sql(tokensTable(globals)).count()
    const issued = await admin.post('/network/tokens').send({ user: 'alice', dry_run: true })
    expect(issued.body).toMatchObject({ dry_run: true, token: '(shown when it is issued)' })
    expect(await db.sql(tokensTable(globals)).count()).toEqual(before)
    const { body } = await send('post', `/webhooks/${hook.webhook.id}/rotate`, { dry_run: true })
    expect(body.secret).toBe('(shown when it is issued)')
  })

  it('that is no boolean is refused', async () => {
    const refused = await send('delete', `/menus/${menu.id}`, { dry_run: 'maybe' })
    expect(refused.body.data.params).toEqual({ dry_run: 'must be true or false' })
  })

  it('is refused where something is sent', async () => {
    const test = await send('post', `/webhooks/${hook.webhook.id}/test`, { dry_run: true })
    expect(test.status).toBe(400)
  })
})

describe('a field that the service does not use', () => {
  it.each([
    [
      'post',
      '/frames',
      { slug: 'w1', html: 'x', dryrun: 0 },
      '"dryrun" is not used. Did you mean "dry_run"?',
    ],
    ['put', '/frames/kept', { html: '<p>kept</p>', foo: 1 }, '"foo" is not used.'],
    ['patch', `/menus/${menu.id}`, { name: 'Fields', item: [] }, '"item" is not used.'],
    [
      'put',
      `/menus/${menu.id}/items`,
      { items: ['home'], Allow_Invalid: 1 },
      'Did you mean "allow_invalid"?',
    ],
    [
      'put',
      `/menus/${menu.id}/items`,
      { items: [{ page: 'home', parent: 3 }] },
      '"parent" is not used.',
    ],
    [
      'put',
      `/menus/${menu.id}/items`,
      { items: [{ page: 'home', url: '/x' }] },
      '"url" is not used.',
    ],
    ['put', `/menus/${menu.id}/items?lang=en`, { items: ['home'] }, '"lang" is not used.'],
    [
      'post',
      `/menus/${menu.id}/items`,
      { page: 'home', allow_invalid: true },
      '"allow_invalid" is not used.',
    ],
    [
      'post',
      '/frames/kept/assign',
      { page: 'about-us', clear: true, baked: 1 },
      'Did you mean "bake"?',
    ],
  ] as const)('is a warning: %s %s %j', async (method, path, body, warning) => {
    const { status, body: answer } = await send(method, path, { ...body, dry_run: true })
    expect(status, JSON.stringify(answer)).toBe(200)
    const ignored = answer.warnings.filter((one: string) => one.startsWith('field_ignored: '))
    expect(ignored).toEqual([expect.stringContaining(warning)])
  })

  it.each(['/frames', '/frames/kept', '/menus'])('is a warning of GET %s', async (path) => {
    const plain = await send('get', path)
    const { body } = await send('get', `${path}?per_page=5&serach=x`)
    const { warnings, ...rest } = body
    expect(warnings.join()).toContain('field_ignored: "per_page" is not used.')
    const { warnings: _, ...expected } = plain.body
    expect(rest).toEqual(expected)
    expect((await send('get', path)).body).toEqual(plain.body)
  })

  it.each([
    ['get', '/work?foo=1', {}, 'foo'],
    ['get', '/history?limt=1', {}, 'limt'],
    ['post', '/webhooks', { url: 'https://hooks.example/', typs: [] }, 'typs'],
    ['post', '/batch', { requests: [], dryRun: true }, 'dryRun'],
  ] as const)(
    'is refused where only this service has the endpoint: %s %s',
    async (method, path, body, name) => {
      const { status, body: answer } = await send(method, path, body)
      expect([status, answer.code]).toEqual([400, 'rest_invalid_param'])
      expect(answer.data.params[name]).toMatch(/^is not a field of this request\./)
    },
  )

  it.each([
    ['post', '/batch?bake=0', { requests: [{ method: 'DELETE', path: '/frames/kept' }] }, 'bake'],
    ['patch', `/webhooks/${hook.webhook.id}?enabled=0`, {}, 'enabled'],
    ['post', '/restore?at=2026-03-01', { entry: 1 }, 'at'],
  ] as const)('is refused where it is not read: %s %s', async (method, path, body, name) => {
    const before = await rows()
    const { status, body: answer } = await send(method, path, body)
    expect([status, answer.code]).toEqual([400, 'rest_invalid_param'])
    expect(answer.data.params).toEqual({ [name]: 'must be in the body, not in the query.' })
    expect(await rows()).toEqual(before)
  })
})

describe('what the service did differently', () => {
  it.each([
    ['post', '/frames', { slug: 'w1', html: 'x', type: 'x' }, 'type_ignored'],
    ['post', '/frames', { slug: 'w1', html: 'x', default: 'x' }, 'default_ignored'],
    ['post', '/frames', { slug: 'w1', html: 'x', is_default: 'x' }, 'default_ignored'],
    ['post', '/frames', { slug: 'w1', html: 'x', name: 'x' }, 'name_ignored'],
    ['post', '/frames', { slug: 'UPPER', html: 'x' }, 'slug_changed'],
    ['put', '/frames/kept', { slug: 'Kept-Too', html: 'x' }, 'slug_changed'],
    ['patch', '/frames/kept', { slug: 'KEPT-2' }, 'slug_changed'],
    [
      'put',
      '/frames/kept',
      { html: '<!-- svc/frame {"name":"kept"} /-->', bake: false },
      'This frame embeds itself; the inner one prints nothing.',
    ],
    [
      'post',
      '/frames',
      { slug: 'defaults', html: 'x' },
      'slug_reserved: the address /frames/defaults is that of removed endpoints and answers 410. Name this frame by its id.',
    ],
  ] as const)('is a warning: %s %s %j', async (method, path, body, warning) => {
    const { status, body: answer } = await send(method, path, { ...body, dry_run: true })
    expect([status, answer.warnings]).toEqual([200, [warning]])
  })

  it('is a warning: a slug that is the id of another frame', async () => {
    const { id } = (await send('get', '/frames/kept')).body.frame
    const { body } = await send('post', '/frames', { slug: id, html: 'x', dry_run: true })
    expect(body.warnings).toEqual([expect.stringMatching(/^slug_is_id: /)])
  })

  it('is a warning: a frame that is cleared from a page that has another one, or none', async () => {
    await send('post', '/frames', { slug: 'second', html: '<p>2</p>' })
    const clear = async () =>
      (await send('post', '/frames/kept/assign', { page: 'about-us', clear: true })).body.warnings
    expect(await clear()).toEqual(['not_on_page: the page has another frame, or none.'])
    await send('post', '/frames/second/assign', { page: 'about-us' })
    expect(await clear()).toEqual(['not_on_page: the page has another frame, or none.'])
    await send('post', '/frames/kept/assign', { page: 'about-us' })
    expect(await clear()).toEqual([])
  })

  it('is a warning: nothing was found to be built', async () => {
    const { body } = await send('post', '/frames/rebake', { frames: ['nope'], datasets: null })
    expect(body.warnings).toEqual(['nothing_rebaked: no frame of the site shows what was named.'])
  })

  it('null is no value', async () => {
    const { status, body } = await send('put', '/frames/kept', {
      slug: null,
      url: null,
      html: '<p>kept</p>',
    })
    expect([status, body.frame.slug]).toEqual([200, 'kept'])
  })

  it('an error names the field that was perhaps meant', async () => {
    const { body } = await send('post', '/frames', { slugg: 'x', html: 'a' })
    expect(body.message).toContain('Did you mean "slug"?')
    const tree = await send('put', `/menus/${menu.id}/items`, { items: [{ titel: 'x' }] })
    expect(tree.body.message).toContain('field_ignored: "titel" is not used. Did you mean "title"?')
  })
})

describe('what a PHP client sends', () => {
  it('may be the route in the query, which web servers pass on beside the path', async () => {
    const read = await send('get', '/menus/~header?rest_route=/svc/v1/site/2/menus/~header')
    expect([read.status, read.body.warnings]).toEqual([200, undefined])
    const query = 'dry_run=1&rest_route=/svc/v1/site/2/frames'
    const { body } = await send('post', `/frames?${query}`, { slug: 'by-route', html: '<p>1</p>' })
    expect(body).toMatchObject({ dry_run: true, warnings: [] })
  })

  it('may be in the query: the body wins', async () => {
    const assign = (query: string, body: object) =>
      send('put', `/menus/${menu.id}/location?${query}`, { ...body, dry_run: true })
    expect((await assign('lang=fr', { location: 'footer_2' })).body).toMatchObject({ lang: 'fr' })
    const { body } = await assign('location=footer_1', { location: 'footer_2' })
    expect(body.location).toBe('footer_2')
    const { body: created } = await send(
      'post',
      '/frames?slug=in-query&html=%3Cp%3E1%3C/p%3E&dry_run=1',
      [],
    )
    expect(created).toMatchObject({ dry_run: true, frame: { slug: 'in-query' } })
  })

  it('may be a list with holes', async () => {
    const { body } = await send('put', `/menus/${menu.id}/items`, {
      items: { 0: 'home', 3: { page: 'about-us', children: { 1: 'home' } } },
      dry_run: true,
    })
    expect(body.total).toBe(3)
    const rebaked = await send('post', '/frames/rebake', { frames: { 2: 'kept' }, dry_run: true })
    expect(rebaked.body.changed).toEqual({ frames: ['kept'] })
  })

  it('may be classes as a list', async () => {
    const item = { page: 'home', classes: ['one', 'two'] }
    const added = await send('post', `/menus/${menu.id}/items`, { ...item, dry_run: true })
    expect([added.status, added.body.warnings]).toEqual([200, []])
    const changed = await send('patch', `/menus/${menu.id}/items/${first}`, {
      classes: ['one', 'two'],
      dry_run: true,
    })
    expect(changed.body.item.classes).toEqual({ from: '', to: 'one two' })
  })

  it('never means the main site if it names sites as a list', async () => {
    const { status, body } = await (await api.as('admin')).get('/menus?blog_id[]=2')
    expect([status, body.data.params]).toEqual([
      400,
      { 'blog_id[]': 'must be one value, not a list' },
    ])
  })
})
