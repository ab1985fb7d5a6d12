import type { Response } from 'supertest'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { RateLimits } from '../../src/record/auth/rate-limits.ts'
import { generateToken, TokenUse } from '../../src/record/auth/tokens.ts'
import { startApi, type TestApi } from '../support/api.ts'
import { eventually } from '../support/eventually.ts'
import { useNetwork } from '../support/network.ts'
import { openUnreachable } from '../support/open-database.ts'
import { recordLog } from '../support/recorded-log.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

let api: TestApi
const { log, lines, entries: logged } = recordLog()
const network = await useNetwork()
beforeEach(() => {
  lines.length = 0
})
afterEach(() => api.close())

const start = async (overrides: Parameters<typeof startApi>[1] = {}): Promise<void> => {
  api = await startApi(network, { log, ...overrides })
}

const preHandler = (code: string, status: number, fields: object = {}) => ({
  code,
  message: expect.stringMatching(/^[A-Z].*\.$/),
  data: { status, ...fields },
})

/** A dry run that fails with an unexpected error. */
const failing = (): Partial<Parameters<typeof startApi>[1]> => ({
  db: {
    ...network.db,
    write: (options, work) =>
      options.dryRun
        ? Promise.reject(new Error("SELECT * FROM wp_users at '/srv/app.ts'"))
        : network.db.write(options, work),
  },
})
const dryRun = { slug: 'new', html: 'x', dry_run: true }

describe('an error before an endpoint', () => {
  it('has one shape for every code', async () => {
    await start()
    const [nobody, alice] = [await api.as(), await api.as('alice')]
    const answers: [Response, object][] = [
      [await nobody.get('/site/2/menus'), preHandler('missing_token', 401)],
      [await nobody.get('/').set('X-Svc-Key', 'x'), preHandler('invalid_token', 401)],
      [await alice.get('/site/3/menus'), preHandler('site_not_found', 404)],
      [await alice.get('/menus?blog_id=3'), preHandler('insufficient_role', 403)],
      [
        await alice.get('/menus?blog_id=x'),
        preHandler('rest_invalid_param', 400, { params: { blog_id: expect.any(String) } }),
      ],
      [await alice.get('/site/2/none'), preHandler('rest_no_route', 404)],
      [await alice.put('/site/2/frames'), preHandler('rest_no_route', 404)],
      [await alice.options('/site/2/frames'), preHandler('rest_no_route', 404)],
      [await alice.get('/site/2/frames/%E0%A4%A'), preHandler('rest_no_route', 404)],
      [
        await alice.post('/site/2/frames').type('json').send('{"slug"'),
        preHandler('rest_invalid_json', 400),
      ],
      [
        await alice.post('/site/2/frames').type('text').send('x'),
        preHandler('rest_unsupported_media_type', 415),
      ],
      [
        await alice.post('/site/2/frames').send({ ...dryRun, bake: 'perhaps', dry_run: [] }),
        preHandler('rest_invalid_param', 400, {
          params: { bake: 'must be true or false', dry_run: 'must be true or false' },
        }),
      ],
    ]
    for (const [answer, body] of answers) {
      expect(answer.body).toEqual(body)
      expect(answer.status).toBe(answer.body.data.status)
    }
  })

  it('also has the shape of errors of endpoints, if the contract does not have the endpoint', async () => {
    await start()
    const [nobody, alice] = [await api.as(), await api.as('alice')]
    const answers: [Response, string, number, object][] = [
      [await nobody.get('/site/2/history'), 'missing_token', 401, {}],
      [await nobody.get('/network/plans'), 'missing_token', 401, {}],
      [await alice.get('/site/3/work'), 'site_not_found', 404, {}],
      [
        await alice.get('/site/2/pages?limit=x'),
        'rest_invalid_param',
        400,
        { params: { limit: expect.any(String) } },
      ],
    ]
    for (const [answer, code, status, fields] of answers) {
      const { message } = answer.body
      const inBoth = { ...preHandler(code, status, fields), ...fields, message }
      expect(answer.body).toEqual({ ...inBoth, success: false, error: code })
    }
    const old = await alice.get('/history?blog_id=3')
    expect(old.body).toEqual(preHandler('insufficient_role', 403))
  })

  it('describes an unexpected error only by the request id', async () => {
    await start(failing())
    const alice = await api.as('alice')
    const answer = await alice.post('/site/2/frames').send(dryRun).expect(500)
    expect(answer.body).toEqual(
      preHandler('internal_error', 500, { request_id: answer.get('X-Request-Id') }),
    )
    expect(logged()).toContainEqual(
      expect.objectContaining({
        msg: 'request failed',
        req: expect.objectContaining({ id: answer.get('X-Request-Id') }),
        err: expect.objectContaining({ message: expect.stringContaining('wp_users') }),
      }),
    )
  })

  it('is 503 while the database is unreachable, before and in the endpoint', async () => {
    const away = openUnreachable()
    const refused = preHandler('database_unavailable', 503, { retry_after: 5 })
    await start({ db: away })
    const before = await (await api.as('alice')).get('/site/2/menus').expect(503)
    expect(before.body).toEqual(refused)
    expect(before.get('Retry-After')).toBe('5')
    await api.close()

    await start({ db: { ...network.db, write: away.write } })
    const inside = await (await api.as('alice')).post('/site/2/frames').send(dryRun).expect(503)
    expect(inside.body).toEqual(refused)
    await away.close()
  })
})

describe('a missing site and a site of other administrators', () => {
  it.each(['99', '5', '6', '0', '-1', '02', '2x', '1e1', '9'.repeat(40), '%32%20'])(
    'are answered alike, byte for byte: 3 and %s',
    async (id) => {
      await start()
      const alice = await api.as('alice')
      const partsOf = ({ status, text, headers }: Response) => ({
        status,
        text,
        headers: Object.keys(headers),
      })
      const foreign = partsOf(await alice.get('/site/3/menus').expect(404))
      expect(partsOf(await alice.get(`/site/${id}/menus`))).toEqual(foreign)
    },
  )
})

describe('every response', () => {
  it('has X-Request-Id, the id of its line in the log', async () => {
    await start()
    const [nobody, alice] = [await api.as(), await api.as('alice')]
    const answers = [
      await alice.get('/site/2/menus').set('X-Request-Id', 'mine').expect(200),
      await nobody.get('/site/2/menus').expect(401),
      await alice.get('/none').expect(404),
      await alice.post('/site/2/frames').type('json').send('{').expect(400),
    ]
    const ids = answers.map((answer) => answer.get('X-Request-Id'))
    for (const id of ids) expect(id).toMatch(UUID)
    await eventually(() =>
      expect(logged().map(({ req }) => (req as { id: string }).id)).toEqual(ids),
    )
    expect(logged()[0]).toMatchObject({
      req: { method: 'GET', path: '/site/2/menus' },
      res: { status: 200 },
    })
  })

  it('forbids browsers to interpret it and caches to store it', async () => {
    await start()
    for (const agent of [await api.as('alice'), await api.as()]) {
      const { headers } = await agent.get('/site/2/menus')
      expect(headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'content-security-policy': "default-src 'none';frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
      })
      expect(headers).not.toHaveProperty('x-powered-by')
      expect(headers).not.toHaveProperty('strict-transport-security')
    }
  })
})

describe('the log', () => {
  it('never contains a token, however it was sent and whatever failed', async () => {
    await start(failing())
    const good = await api.token('alice')
    const wrong = generateToken()
    const nobody = await api.as()
    for (const token of [good, wrong, `${good}x`, good.slice(0, 40)]) {
      const sent = [
        { Authorization: `Bearer ${token}` },
        { 'X-Svc-Key': token },
        { Authorization: token },
      ]
      for (const headers of sent) {
        await nobody.get(`/site/2/menus?token=${token}&x=1`).set(headers)
        await nobody.post('/site/2/frames').set(headers).send(dryRun)
        await nobody.post('/site/2/frames').set(headers).type('json').send('{')
      }
    }
    await eventually(() =>
      expect(logged().filter(({ msg }) => msg === 'request failed')).toHaveLength(2),
    )
    await eventually(() => expect(logged().length).toBeGreaterThanOrEqual(36))
    for (const token of [good, wrong]) expect(lines.join('')).not.toContain(token.slice(3, 30))
  })

  it('never contains a token when the database is unreachable', async () => {
    const db = openUnreachable({ log })
    await start({
      db,
      tokenUse: new TokenUse(db, network.globals, log),
      limits: new RateLimits({ rateLimitPerMinute: 120, authFailuresPerMinute: 20 }),
    })
    const token = await api.token('alice')
    await (await api.as('alice')).get('/site/2/menus').expect(503)
    await eventually(() => expect(logged().length).toBeGreaterThanOrEqual(2))
    expect(lines.join('')).not.toContain(token.slice(3, 30))
    await db.close()
  })
})
