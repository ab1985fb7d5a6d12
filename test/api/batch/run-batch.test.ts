import { describe, expect, it } from 'vitest'
import { MAX_BATCH_REQUESTS } from '../../../src/api/endpoints/batch.ts'
import { INLINE_ANALYZER } from '../../../src/content/frames/frame-markup.ts'
import { workTable } from '../../../src/content/work/work-tables.ts'
import type { Database } from '../../../src/db/database.ts'
import { sitesTable } from '../../../src/wordpress/hosts/network-version.ts'
import { issueTokenFor, startApi } from '../../support/api.ts'
import type { Answer } from '../../support/frames-api.ts'
import { useMenusApi } from '../../support/menus-api.ts'
import { readRestorableState } from '../../support/restorable-state.ts'
import { use } from '../../support/use.ts'

const api = await useMenusApi()
// The first write of a site creates its registry.
await api.send('post', '/frames', { slug: 'first', html: '<i></i>', bake: false })

const put = (slug: string, html: string, more = {}) => ({
  method: 'PUT',
  path: `/frames/${slug}`,
  body: { html },
  ...more,
})
const create = (slug: string, html = slug) => ({
  method: 'POST',
  path: '/frames',
  body: { slug, html },
})
const batch = (requests: readonly object[], more: object = {}) =>
  api.send('post', '/batch', { requests, ...more })
const state = () => readRestorableState(api.network.db, api.site)
const versionOfSite = async (): Promise<number> => {
  const { db, globals } = api.network
  const row = await db.sql(sitesTable(globals)).where({ blog_id: 2 }).first('version')
  return row?.version ?? 0
}
const entries = async () => (await api.send('get', '/history')).body.entries

describe('POST /batch', () => {
  it('runs requests in order in one transaction with one version and one build', async () => {
    const before = await versionOfSite()
    const { status, body } = await batch([
      create('part', '<p>1</p>'),
      create('whole', '<!-- svc/frame {"name":"part"} /-->'),
      put('part', '<p>2</p>'),
      { method: 'POST', path: '/frames/whole/assign', body: { page: 3 } },
      {
        method: 'POST',
        path: '/menus',
        body: { name: 'Of batch', slug: 'of-batch', location: 'footer_2', items: [] },
      },
      { method: 'POST', path: '/menus/of-batch/items', body: { url: '/x', title: 'X' } },
    ])
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body).toMatchObject({ success: true, site_id: 2, dry_run: false })
    expect(body.responses.map(({ status }: Answer) => status)).toEqual(Array(6).fill(200))
    const [, whole, part, assigned, menu, item] = body.responses
    expect(part.body).toMatchObject({ updated: true, frame: { slug: 'part', bytes: 8 } })
    expect(assigned.body).toMatchObject({ frame: { slug: 'whole' }, page: { id: 3 } })
    expect(item.body).toMatchObject({ menu: { id: menu.body.menu.id }, item: { title: 'X' } })
    for (const { body: alone } of body.responses)
      for (const effect of ['bake', 'rebaked', 'republish', 'static', 'pending'])
        expect(alone).not.toHaveProperty(effect)
    expect(await versionOfSite()).toBe(before + 1)
    expect(body.republish.status).toBe('ok')
    expect(body.rebaked.frames.map(({ slug }: { slug: string }) => slug)).toContain('whole')
    const { db, globals } = api.network
    expect(await db.sql(workTable(globals)).where({ blog_id: 2 })).toEqual([])
    const read = await (await api.api.as('alice')).get('/site/2/frames/whole')
    expect(read.headers.etag).toContain(whole.headers.ETag.slice(1, -1))
  })

  it.each<[string, object, number, string]>([
    ['in its body', { method: 'PATCH', path: '/menus/x', body: 1 }, 400, 'rest_invalid_param'],
    ['for lack of a route', { method: 'POST', path: '/restore', body: {} }, 404, 'rest_no_route'],
    ['because it is a rebake', { method: 'POST', path: '/frames/rebake' }, 404, 'rest_no_route'],
    ['because it is a batch', { method: 'POST', path: '/batch' }, 404, 'rest_no_route'],
    ['because its path is not encoded', { method: 'PUT', path: '/frames/%' }, 404, 'rest_no_route'],
    ['because it was removed', { method: 'PUT', path: '/frames/defaults' }, 410, 'gone'],
    [
      'because of its condition',
      put('first', 'x', { headers: { 'If-Match': '"other"' } }),
      412,
      'precondition_failed',
    ],
    [
      'because it is a dry run',
      { ...create('dry'), body: { slug: 'dry', html: '<i></i>', dry_run: true } },
      400,
      'rest_invalid_param',
    ],
  ])('writes nothing if one request fails %s', async (_why, failing, status, code) => {
    const before = [await state(), await entries(), await versionOfSite()]
    const answer = await batch([create('lost-1'), put('first', 'lost'), failing, create('lost-2')])
    const { error, code: early, message, data = {} } = answer.body
    expect([answer.status, error ?? early]).toEqual([status, code])
    const request = answer.body.request ?? data.request
    expect(request).toMatchObject({ index: 2 })
    expect(message).toMatch(/Nothing of the batch was written\.$/)
    expect(message).toContain('requests[2]')
    expect([await state(), await entries(), await versionOfSite()]).toEqual(before)
  })

  it('stores exactly what a dry run has shown, or nothing', async () => {
    const requests = [create('shown', '<p>a</p>'), put('first', '<p>shown</p>')]
    const { plan, diffs, responses, ...dry } = (await batch(requests, { dry_run: true })).body
    expect(dry).toMatchObject({ success: true, dry_run: true })
    expect(dry).not.toHaveProperty('republish')
    for (const { headers, body } of responses) {
      expect(headers).toEqual({})
      expect(body).toMatchObject({ applied: false, dry_run: true })
    }
    expect(diffs).toMatchObject([
      { kind: 'frame', name: 'shown', action: 'created' },
      { kind: 'frame', name: 'first', action: 'replaced' },
    ])
    await batch([put('first', '<p>another</p>')])
    const before = [await state(), await entries()]
    const refused = await batch(requests, { plan })
    expect([refused.status, refused.body.error]).toEqual([409, 'plan_changed'])
    expect(refused.body.diffs[1].diff).toContain('-<p>another</p>')
    expect([await state(), await entries()]).toEqual(before)
    const stored = await batch(requests, { plan: refused.body.plan })
    expect(stored.status).toBe(200)
    const framesOf = (parts: readonly Answer[]) =>
      parts.map(({ body }) => [body.frame.slug, body.frame.sha256])
    expect(framesOf(stored.body.responses)).toEqual(framesOf(responses))
    expect(stored.body).not.toHaveProperty('plan')
    expect((await batch([put('first', '<p>shown</p>')], { plan: '' })).status).toBe(409)
  })

  it('checks the condition of each request, against what earlier ones have written', async () => {
    const agent = await api.api.as('alice')
    const { headers } = await agent.put('/site/2/frames/first').send({ html: 'v1' })
    const condition = { headers: { 'If-Match': String(headers.etag) } }
    expect((await batch([put('first', 'v2', condition)])).status).toBe(200)
    expect((await batch([put('first', 'v3', condition)])).status).toBe(412)
    const { headers: current } = await agent.get('/site/2/frames/first')
    const late = put('first', 'v4', { headers: { 'If-Match': current.etag } })
    expect((await batch([put('first', 'v3'), late])).body.request).toMatchObject({ index: 1 })
    const onBatch = agent.post('/site/2/batch').set('If-Match', String(current.etag))
    expect((await onBatch.send({ requests: [create('unmet')] })).body.code).toBe(
      'rest_invalid_param',
    )
  })

  it('needs the scope of each request', async () => {
    const limits = { scope: 'frames', sites: null } as const
    const token = await issueTokenFor(api.network, 'alice', { limits })
    const send = async (requests: readonly object[]) => {
      const agent = await api.api.as()
      const sent = agent.post('/site/2/batch').set('Authorization', `Bearer ${token}`)
      const { status, body } = await sent.send({ requests })
      return [status, body.data?.request?.index]
    }
    const menu = { method: 'POST', path: '/menus', body: { name: 'No' } }
    expect(await send([put('first', 'scoped')])).toEqual([200, undefined])
    expect(await send([put('first', 'not scoped'), menu])).toEqual([403, 1])
    expect((await api.send('get', '/frames/first')).body.frame.html).toBe('scoped')
  })

  it('needs the right to write markup', async () => {
    const other = await use(startApi(api.network, { markupWriters: 'super-admins' }))
    const agent = await other.as('alice')
    const send = async (requests: object[]) =>
      (await agent.post('/site/2/batch').send({ requests })).body
    expect(await send([put('first', 'refused')])).toMatchObject({
      error: 'unfiltered_html_required',
      request: { index: 0 },
    })
    const rename = { method: 'PATCH', path: '/frames/first', body: { slug: 'first' } }
    expect(await send([rename])).toMatchObject({ success: true })
  })

  it.each<[string, object]>([
    ['no requests', { requests: [] }],
    ['too many', { requests: Array(MAX_BATCH_REQUESTS + 1).fill(create('x')) }],
    ['a read', { requests: [{ method: 'GET', path: '/frames' }] }],
    ['other headers', { requests: [{ ...create('x'), headers: { Host: 'a' } }] }],
    ['other fields', { requests: [{ ...create('x'), site: 4 }] }],
    ['a number as query', { requests: [{ ...create('x'), query: { lang: 1 } }] }],
  ])('refuses %s', async (_what, body) => {
    const answer = await api.send('post', '/batch', body)
    expect([answer.status, answer.body.code]).toEqual([400, 'rest_invalid_param'])
  })

  it('refuses a body that is too large for its request alone', async () => {
    const request = { method: 'PATCH', path: '/menus/any', body: { name: 'x'.repeat(1024 ** 2) } }
    expect((await batch([request])).body.code).toBe('rest_body_too_large')
  })

  it('builds nothing with bake: false, but removes copies of pages without a frame', async () => {
    const before = await versionOfSite()
    const { body } = await batch([create('quiet'), put('quiet', 'b')], { bake: false })
    expect(body).toMatchObject({ rebaked: { status: 'skipped' }, republish: { status: 'skipped' } })
    expect(await versionOfSite()).toBe(before)
  })

  it.each([{}, { 'Idempotency-Key': 'ahead' }])(
    'analyzes all markup before its transaction: %j',
    async (headers) => {
      const { network } = api
      let open = 0
      const db: Database = {
        ...network.db,
        write: (options, work) =>
          network.db.write(options, async (tx) => {
            open += 1
            try {
              return await work(tx)
            } finally {
              open -= 1
            }
          }),
      }
      const analyzed: [html: string, open: number][] = []
      const analyze = (html: string) => {
        analyzed.push([html, open])
        return INLINE_ANALYZER.analyze(html)
      }
      const markupAnalyzer = () => ({ ...INLINE_ANALYZER, analyze })
      const other = await use(startApi(network, { db, markupAnalyzer }))
      const agent = await other.as('alice')
      const slug = `ahead-${Object.keys(headers).length}`
      const requests = [create(slug, 'a'), put(slug, 'b'), put(slug, 'a')]
      const { status } = await agent.post('/site/2/batch').set(headers).send({ requests })
      expect(status).toBe(200)
      expect(analyzed).toEqual([
        ['a', 0],
        ['b', 0],
      ])
    },
  )

  it('reports the result of the last attempt if the transaction is repeated', async () => {
    const { network } = api
    let attempts = 0
    const db: Database = {
      ...network.db,
      write: (options, work) =>
        network.db.write(options, async (tx) => {
          const result = await work(tx)
          attempts += options.site ? 1 : 0
          if (attempts === 1) throw Object.assign(new Error('deadlock'), { errno: 1213 })
          return result
        }),
    }
    const other = await use(startApi(network, { db }))
    const agent = await other.as('alice')
    const requests = [create('repeated'), put('repeated', 'b')]
    const { body } = await agent.post('/site/2/batch').send({ requests })
    expect(attempts).toBe(2)
    expect(body.responses).toHaveLength(2)
    const { body: read } = await api.send('get', '/frames/repeated')
    expect(body.responses[0].body.frame.id).toBe(read.frame.id)
    expect(read.frame.html).toBe('b')
  })
})
