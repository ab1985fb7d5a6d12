import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { legacyAt } from '../packages/migration/test/old-endpoint.ts'
import { Metrics } from '../src/host/metrics.ts'
import { TIMINGS } from '../src/host/timings.ts'
import { hashToken } from '../src/record/auth/tokens.ts'
import { startApi, type TestApi } from '../test/support/api.ts'
import { eventually } from '../test/support/eventually.ts'
import { type CompatFixture, createCompatFixture } from './support/compat-fixture.ts'
import { oldEndpoint } from './support/old-endpoint.ts'
import { GIF } from './support/two-endpoints.ts'

/** A token of the old endpoint only: nothing but passed requests can use it. */
let token = ''
let fixture: CompatFixture
let staticDir = ''
const apis: TestApi[] = []

beforeAll(async () => {
  staticDir = mkdtempSync(join(tmpdir(), 'wp-frames-passed-'))
  fixture = await createCompatFixture({ staticDir })
  token = await oldEndpoint().token(fixture.admin)
})
afterAll(async () => {
  for (const api of apis) await api.close()
  await fixture?.close()
  rmSync(staticDir, { recursive: true, force: true })
})

/** wp-frames in front of the old endpoint. */
async function inFront(families = '', metrics = new Metrics(TIMINGS.health)): Promise<string> {
  const { network, executor } = fixture
  const legacy = legacyAt(oldEndpoint().url, families)
  const api = await startApi(network, { executor, ...legacy, metrics })
  apis.push(api)
  return `${api.url}/site/${fixture.site.blogId}`
}

type Sent = { method?: string; body?: FormData | object; headers?: Record<string, string> }

async function ask(url: string, { method = 'GET', body, headers = {} }: Sent = {}) {
  const isJson = body !== undefined && Object.getPrototypeOf(body) === Object.prototype
  const response = await fetch(url, {
    method,
    headers: {
      ...(isJson ? { 'Content-Type': 'application/json' } : {}),
      Authorization: `Bearer ${token}`,
      ...headers,
    },
    ...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : (body as FormData) }),
  })
  const text = await response.text()
  if (response.status >= 500) throw new Error(text)
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) }
}

const copyOf = (url: string): string =>
  readFileSync(join(staticDir, url.replace('http://', ''), 'index.html'), 'utf8')

describe('the PHP endpoint behind wp-frames', () => {
  it('stores uploads, and returns their bytes', async () => {
    const front = await inFront()
    const form = new FormData()
    form.set('file', new Blob([GIF], { type: 'image/gif' }), 'form.gif')
    const uploaded = await ask(`${front}/media`, { method: 'POST', body: form })
    expect(uploaded.body).toMatchObject({ success: true, media: { bytes: GIF.length } })
    const response = await fetch(`${front}/media/${uploaded.body.media.id}/bytes`, {
      headers: { 'X-Svc-Key': token },
    })
    expect([response.headers.get('content-type'), await response.text()]).toEqual([
      'image/gif',
      GIF,
    ])
  })

  it('answers as it does directly, with the same headers', async () => {
    const front = await inFront('frames,menus,data,pages')
    const direct = `${oldEndpoint().url}/site/${fixture.site.blogId}`
    for (const path of ['/frames?include_html=1', '/menus', '/pages', '/frames/none', '/pages/0']) {
      const [one, other] = [await ask(direct + path), await ask(front + path)]
      const visible = ({ headers }: typeof one) =>
        [...headers].filter(
          ([name]) => !/^(?:date|connection|x-ratelimit|keep-alive|transfer-encoding)/.test(name),
        )
      expect([other.status, other.text, visible(other)]).toEqual([
        one.status,
        one.text,
        visible(one),
      ])
    }
  })

  it('shows what it writes on the page, when the answer arrives', async () => {
    const front = await inFront('frames,pages')
    await ask(`${front}/frames`, {
      method: 'POST',
      body: { slug: 'page', html: '<h1 data-op-bind="page.title"></h1>' },
    })
    const { body } = await ask(`${front}/pages`, {
      method: 'POST',
      body: { title: 'One', status: 'publish' },
    })
    const { id, link } = body.page
    await ask(`${front}/frames/page/assign`, { method: 'POST', body: { page: id } })
    expect(copyOf(link)).toBe('<h1>One</h1>')
    await ask(`${front}/pages/${id}`, { method: 'PUT', body: { title: 'Two' } })
    expect(copyOf(link)).toBe('<h1>Two</h1>')
    await ask(`${front}/frames/page`, {
      method: 'PUT',
      body: { html: '<p data-op-bind="page.title"></p>' },
    })
    expect(copyOf(link)).toBe('<p>Two</p>')
    // In the old addressing, with the site in the body.
    const old = front.replace(/\/site\/\d+$/, '')
    const change = { title: 'Three', blog_id: fixture.site.blogId }
    await ask(`${old}/pages/${id}`, { method: 'PUT', body: change })
    expect(copyOf(link)).toBe('<p>Three</p>')
  })

  it('gives families up, and gets them back, with what the other side has written', async () => {
    const before = await inFront('frames,menus')
    const moved = await fixture.api.as(fixture.admin)
    const site = `/site/${fixture.site.blogId}`
    await ask(`${before}/frames`, { method: 'POST', body: { slug: 'moving', html: 'by PHP' } })
    expect((await moved.get(`${site}/frames/moving`)).body.frame.html).toBe('by PHP')
    await moved.put(`${site}/frames/moving`).send({ html: 'by wp-frames' }).expect(200)
    const back = await ask(`${before}/frames/moving`)
    expect(back.body.frame.html).toBe('by wp-frames')
    const menu = await ask(`${before}/menus`, { method: 'POST', body: { name: 'Moving' } })
    const items = { items: [{ url: '/a', title: 'A' }] }
    const path = `${site}/menus/${menu.body.menu.id}/items`
    await moved.put(path).send(items).expect(200)
    const listed = await ask(`${before}/menus`)
    expect(listed.body.menus).toContainEqual(
      expect.objectContaining({ id: menu.body.menu.id, items: 1 }),
    )
  })

  it('is compared while it answers, and each deviation is counted by its kind', async () => {
    const metrics = new Metrics(TIMINGS.health)
    const front = await inFront('frames=compare,menus=compare', metrics)
    const { done } = fixture
    await done('post', '/menus', { name: 'Compared', location: 'header' })
    const shared = await oldEndpoint().token(fixture.admin)
    await fixture.network.db.sql('wp_svc_tokens').insert({
      user_id: (
        await fixture.network.db.sql('wp_users').where({ user_login: fixture.admin }).first('ID')
      ).ID,
      hash: hashToken(shared),
      label: 'of the old endpoint',
      created_at: '2026-01-01 00:00:00',
    })
    const read = (deviation?: string) =>
      ask(`${front}/menus`, {
        headers: {
          Authorization: `Bearer ${shared}`,
          ...(deviation === undefined ? {} : { 'X-Deviate': deviation }),
        },
      })
    const counts = async (name: string) => {
      const metric = (await metrics.read()).find((one) => one.name === `wp_frames_legacy_${name}`)
      return (metric?.values ?? []).map(
        ({ labels, value }) => `${Object.values(labels).join(' ')} ${value}`,
      )
    }
    await read()
    await eventually(async () =>
      expect(await counts('comparisons_total')).toEqual(['menus equal 1']),
    )
    await read('ids')
    await eventually(async () =>
      expect(await counts('differences_total')).toContain('menus type 1'),
    )
    await read('notices').catch(() => {})
    await eventually(async () =>
      expect(await counts('differences_total')).toContain('menus text_around_json 1'),
    )
  })
})
