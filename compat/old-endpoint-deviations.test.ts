import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CompatFixture, createCompatFixture } from './support/compat-fixture.ts'
import { type Deviations, deviationHeader } from './support/old-endpoint.ts'
import { type Asked, type TwoEndpoints, twoEndpoints } from './support/two-endpoints.ts'

let fixture: CompatFixture
let endpoints: TwoEndpoints
let site = ''
let pages: readonly number[] = []

beforeAll(async () => {
  fixture = await createCompatFixture()
  endpoints = await twoEndpoints(fixture)
  site = `/site/${fixture.site.blogId}`
  pages = await fixture.wp<number[]>('make_pages', [{ title: 'One' }, { title: 'Two' }])
  await fixture.done('post', '/frames', { slug: 'bare', html: '<p>a</p>\n<p>b</p>\r\n' })
  await fixture.done('post', '/frames', { slug: 'page', html: '<p data-op-bind="page.title"></p>' })
  for (const page of pages) await fixture.done('post', '/frames/page/assign', { page })
})
afterAll(() => fixture?.close())

describe('the old endpoint deviates, if it is asked to, by', () => {
  const read = async (path: string, deviations: Deviations, asked: Asked = {}) =>
    endpoints.ask('old', `${site}${path}`, { ...asked, headers: deviationHeader(deviations) })
  const list = async (deviations: Deviations) =>
    ((await read('/frames?include_html=1', deviations)).body as { frames: Frame[] }).frames
  type Frame = { slug: string; html: string; inserts: unknown; binds: number; pages?: unknown[] }

  it('another order', async () => {
    const slugs = (frames: readonly Frame[]) => frames.map(({ slug }) => slug)
    expect(slugs(await list({ order: true }))).toEqual(slugs(await list({})).reverse())
  })

  it('[] for {}', async () => {
    const [bare] = (await list({ arrays: true })).filter(({ slug }) => slug === 'bare')
    expect(bare?.inserts).toEqual([])
  })

  it('a notice before the JSON', async () => {
    const { text, body } = await read('/menus', { notices: true })
    expect(text).toMatch(/^<br \/>\n<b>Warning<\/b>.*\n\{"success":true/s)
    expect(body).toBeUndefined()
  })

  it('ids as texts', async () => {
    const { body } = await read('/menus', { ids: true })
    expect(body).toMatchObject({ site_id: String(fixture.site.blogId) })
    const [page] = (await list({ ids: true })).filter(({ slug }) => slug === 'page')
    expect(page?.pages).toEqual(pages.map(String))
  })

  it('a missing field, an additional field, and another value', async () => {
    const [before] = await list({})
    const [after] = await list({ missing: 'sha256', extra: true, value: 'binds' })
    expect(after).not.toHaveProperty('sha256')
    expect(after).toHaveProperty('extra')
    expect(after?.binds).toBe((before?.binds ?? 0) + 1)
  })

  it('other bytes of the markup', async () => {
    const text = (frames: readonly Frame[]) => frames.map(({ html }) => html).join()
    expect(text(await list({ markup: true }))).toBe(text(await list({})).replace(/\r?\n/g, '\r\n'))
  })

  it('a late answer', async () => {
    const start = Date.now()
    expect((await read('/menus', { slow: 400 })).status).toBe(200)
    expect(Date.now() - start).toBeGreaterThanOrEqual(400)
  })

  it('errors', async () => {
    expect((await read('/menus', { errors: true })).body).toMatchObject({ code: 'internal_error' })
    expect((await read('/menus', { errors: 0 })).status).toBe(200)
  })

  it('a redirect to the login page, and an HTML page', async () => {
    const login = await read('/menus', { login: true })
    expect([login.status, login.headers.get('location')]).toEqual([
      302,
      expect.stringContaining('wp-login.php'),
    ])
    const page = await read('/menus', { html: true })
    expect([page.status, page.text.slice(0, 15)]).toEqual([200, '<!DOCTYPE html>'])
  })

  it('a write in spite of dry_run', async () => {
    const write = { method: 'POST', body: { slug: 'dry', html: '<i></i>', dry_run: true } }
    expect((await read('/frames', {}, write)).body).toMatchObject({ dry_run: true, applied: false })
    expect((await read('/frames/dry', {})).status).toBe(404)
    expect((await read('/frames', { dry_run: true }, write)).body).toMatchObject({ applied: true })
    expect((await read('/frames/dry', {})).status).toBe(200)
    await read('/frames/dry', {}, { method: 'DELETE' })
  })

  it('429 with Retry-After', async () => {
    const statuses = []
    for (let count = 0; count < 6; count += 1) {
      const { status, headers } = await read('/menus', { busy: 3 })
      statuses.push(status)
      if (status === 429) expect(headers.get('retry-after')).toBe('1')
    }
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(1)
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(3)
  })

  it('setting it for a user, in one family and for one method', async () => {
    const { old } = endpoints
    await old.deviate(fixture.admin, { html: true, on: 'menus', method: 'GET' })
    expect((await read('/menus', {})).body).toBeUndefined()
    expect((await read('/frames', {})).body).toMatchObject({ success: true })
    await old.deviate(fixture.admin, {})
    expect((await read('/menus', {})).body).toMatchObject({ success: true })
  })
})
