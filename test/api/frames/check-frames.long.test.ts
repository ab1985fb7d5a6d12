import { describe, expect, it } from 'vitest'
import { CHECKS_OF_USER, MAX_CHECKED_FRAMES } from '../../../src/api/endpoints/frame-bakes.ts'
import { MAX_UNSAVED_PROBLEMS } from '../../../src/api/endpoints/frame-fields.ts'
import { MAX_MARKUP_BYTES } from '../../../src/content/frames/frame-markup.ts'
import { issueTokenFor, startApi } from '../../support/api.ts'
import type { Answer } from '../../support/frames-api.ts'
import { useNetwork } from '../../support/network.ts'
import { createSiteFixture } from '../../support/site-fixture.ts'
import { use } from '../../support/use.ts'

// On a busy machine, a check of much markup takes some seconds.
const network = await useNetwork({ timings: { api: { userWaitMs: 60_000 } } })
const api = await use(startApi(network))
const shop = createSiteFixture(network.db, await network.site(2))
await shop.frame('part', '<p>stored</p>')
await shop.frame('page', '<!-- svc/frame {"name":"part"} /-->')

const check = async (frames: unknown, login = 'alice'): Promise<Answer> =>
  (await api.as(login)).post('/site/2/frames/check').send({ frames })
const part = (html: unknown) => [{ slug: 'part', html }]

const WRONG = `<b data-op-bind="site.titel"></b>
<!-- svc/frame {"name":"missing"} /--><!-- svc/menu {"location":"attic"} /-->
<!-- svc/meny /--><p data-op-bind="dataset.none"></p>`

describe('POST /frames/check', () => {
  it('reports the same problems as a preview and a plan, with line and column', async () => {
    const { status, body } = await check(part(WRONG))
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body).toMatchObject({ success: true, site_id: 2, total: 5 })
    expect(body.problems).toEqual([
      {
        frame: 'part',
        severity: 'error',
        code: 'unknown_value',
        line: 1,
        column: 1,
        message: expect.stringContaining('site.title'),
      },
      expect.objectContaining({ code: 'reference_missing', line: 2, column: 1 }),
      expect.objectContaining({ code: 'unknown_location', severity: 'warning' }),
      expect.objectContaining({ code: 'unknown_insert', line: 3, column: 1 }),
      expect.objectContaining({ code: 'unknown_dataset', line: 3 }),
    ])
    const agent = await api.as('alice')
    const preview = await agent
      .post('/site/2/preview')
      .send({ page: 7, assign: 'part', frames: part(WRONG) })
    expect(preview.body.problems).toEqual(body.problems)
    expect((await check(part('<p>fine</p>'))).body.problems).toEqual([])
  })

  it('knows the other frames of the request, also new ones, and finds their cycles', async () => {
    const { body } = await check([
      { slug: 'part', html: '<!-- svc/frame {"name":"new"} /-->' },
      { slug: 'new', html: '<!-- svc/frame {"name":"page"} /-->' },
    ])
    expect(body.problems).toEqual([
      expect.objectContaining({ code: 'frame_cycle', line: null, column: null }),
    ])
  })

  it('stores and builds nothing, and needs no right but to read', async () => {
    await check(part('<p>new</p>'))
    const agent = await api.as('alice')
    expect((await agent.get('/site/2/frames/part')).body.frame.html).toBe('<p>stored</p>')
    const limits = { scope: 'read', sites: [2] } as const
    const token = await issueTokenFor(network, 'admin', { limits })
    const { status } = await agent
      .post('/site/2/frames/check')
      .set('Authorization', `Bearer ${token}`)
      .send({ frames: part('<p>new</p>') })
    expect(status).toBe(200)
  })

  it.each([
    [[{ slug: 'No Slug', html: '' }], 'invalid_slug'],
    [[{ slug: 'part' }], 'frame_html_required'],
    [part('x'.repeat(MAX_MARKUP_BYTES + 1)), 'frame_too_large'],
    [part('<!-- svc/frame {"name":"page","id":"other"} /-->'), 'frame_ref_conflict'],
  ])('answers what a write would refuse with its error (%#: %j)', async (frames, code) => {
    const { status, body } = await check([{ slug: 'page', html: 'fine' }, ...frames])
    expect(body).toMatchObject({ error: code, unsaved: 'frames[1]' })
    expect(status).toBeGreaterThanOrEqual(400)
  })

  it('names the position of an insert that names different frames', async () => {
    const { body } = await check(part('\n <!-- svc/frame {"name":"page","id":"other"} /-->'))
    expect(body).toMatchObject({ error: 'frame_ref_conflict', line: 2, column: 2 })
  })

  it('takes a bounded number of frames, and lists a bounded number of problems', async () => {
    const many = Array.from({ length: MAX_CHECKED_FRAMES + 1 }, (_, at) => ({
      slug: `f${at}`,
      html: '',
    }))
    expect((await check(many)).body.code).toBe('rest_invalid_param')
    expect((await check(undefined)).body.code).toBe('rest_invalid_param')
    const wrong = (at: number) => `<!-- svc/frame {"name":"missing-${at}"} /-->`
    const { body } = await check(part(Array.from({ length: 200 }, (_, at) => wrong(at)).join('')))
    expect(body.total).toBe(200)
    expect(body.problems).toHaveLength(MAX_UNSAVED_PROBLEMS)
  })

  it('serves the checks of a user one after the other, and refuses those beyond the queue', async () => {
    const { concurrencyPerKey, maxWaitingPerKey } = CHECKS_OF_USER
    const served = concurrencyPerKey + maxWaitingPerKey
    const answers = await Promise.all(
      Array.from({ length: served + 3 }, () => check(part('<p>busy</p>'.repeat(100_000)))),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(served)
    expect(answers.find(({ status }) => status === 503)?.body.code).toBe('service_busy')
  })
})
