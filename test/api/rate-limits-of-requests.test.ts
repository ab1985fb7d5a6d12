import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { RateLimits } from '../../src/record/auth/rate-limits.ts'
import { startApi, type TestApi } from '../support/api.ts'
import { useNetwork } from '../support/network.ts'
import { openUnreachable } from '../support/open-database.ts'

const START = new Date('2026-03-01T12:00:00Z')

let api: TestApi
const network = await useNetwork()

// Only the clock is faked: sockets and the database need real timers.
beforeEach(() => {
  vi.useFakeTimers({ now: START, toFake: ['Date'] })
})
afterEach(async () => {
  vi.useRealTimers()
  await api.close()
})

const start = async (
  overrides: Parameters<typeof startApi>[1] = {},
  limits: Partial<ConstructorParameters<typeof RateLimits>[0]> = {},
): Promise<void> => {
  api = await startApi(network, {
    limits: new RateLimits({ rateLimitPerMinute: 120, authFailuresPerMinute: 20, ...limits }),
    ...overrides,
  })
}

const pass = (seconds: number): void => {
  vi.setSystemTime(new Date(Date.now() + seconds * 1000))
}

const PATH = '/site/2/menus'

describe('every response', () => {
  const away = () => openUnreachable()

  it('has X-RateLimit-Remaining, one less each time', async () => {
    await start()
    const alice = await api.as('alice')
    const json = { 'Content-Type': 'application/json' }
    const answers = [
      await alice.get(PATH).expect(200),
      await alice.head(PATH).expect(200),
      await alice.get('/site/3/menus').expect(404),
      await alice.get('/menus?blog_id=3').expect(403),
      await alice.get('/menus?blog_id=x').expect(400),
      await alice.get('/site/2/none').expect(404),
      await alice.options(PATH).expect(404),
      await alice.get('/site/2/frames/%E0%A4%A').expect(404),
      await alice.post('/site/2/frames').set(json).send('{').expect(400),
      await alice.post('/site/2/frames').set('Content-Type', 'text/plain').send('x').expect(415),
      await alice
        .post('/site/2/frames')
        .set(json)
        .send(`"${'x'.repeat(2 ** 24)}"`)
        .expect(413),
      await alice.get('/site/2/frames/defaults').expect(410),
    ]
    expect(answers.map((answer) => Number(answer.get('X-RateLimit-Remaining')))).toEqual(
      answers.map((_, sent) => 119 - sent),
    )
  })

  it('has it without a token, and with an invalid one', async () => {
    await start()
    const nobody = await api.as()
    const missing = await nobody.get(PATH).expect(401)
    const wrong = await nobody.get(PATH).set('X-Svc-Key', 'op_x').expect(401)
    expect(missing.get('X-RateLimit-Remaining')).toBe('119')
    expect(wrong.get('X-RateLimit-Remaining')).toBe('118')
  })

  it('has it while the database is unreachable', async () => {
    const db = away()
    await start({ db })
    const alice = await api.as('alice')
    const answer = await alice.get(PATH).expect(503)
    expect(answer.get('X-RateLimit-Remaining')).toBe('119')
    expect(answer.get('Retry-After')).toBe('5')
    await db.close()
  })

  it('also has the headers of the draft standard', async () => {
    await start()
    const alice = await api.as('alice')
    await alice.get(PATH)
    pass(20)
    const answer = await alice.get(PATH)
    expect(answer.get('RateLimit-Policy')).toBe('"default";q=120;w=60')
    expect(answer.get('RateLimit')).toBe('"default";r=118;t=40')
  })
})

describe('a request beyond the limit of a minute', () => {
  it('is rejected with Retry-After, and the first request after that time is accepted', async () => {
    await start({}, { rateLimitPerMinute: 3 })
    const alice = await api.as('alice')
    for (let sent = 0; sent < 3; sent += 1) await alice.get('/none').expect(404)
    pass(25)
    const refused = await alice.get(PATH).expect(429)
    expect(refused.get('Retry-After')).toBe('35')
    expect(refused.get('X-RateLimit-Remaining')).toBe('0')
    expect(refused.get('RateLimit')).toBe('"default";r=0;t=35')
    expect(refused.body).toEqual({
      code: 'too_many_requests',
      message: expect.any(String),
      data: { status: 429, retry_after: 35 },
    })
    await (await api.as('bob')).get('/site/3/menus').expect(200)
    pass(35)
    await alice.get(PATH).expect(200)
  })
})

describe('the 21st failure of a minute', () => {
  const fail = async (count: number, headers: Record<string, string> = {}): Promise<void> => {
    const nobody = await api.as()
    for (let failed = 0; failed < count; failed += 1) {
      // A missing token counts like an invalid one.
      const token: Record<string, string> = failed % 2 === 0 ? {} : { 'X-Svc-Key': 'op_wrong' }
      await nobody
        .get(PATH)
        .set({ ...token, ...headers })
        .expect(401)
    }
  }

  it('blocks the address, whatever token it sends, until Retry-After has passed', async () => {
    await start()
    await fail(20)
    pass(15)
    const alice = await api.as('alice')
    for (const answer of [await (await api.as()).get(PATH), await alice.get(PATH)]) {
      expect(answer.status).toBe(429)
      expect(answer.get('Retry-After')).toBe('45')
      expect(answer.body).toEqual({
        code: 'too_many_auth_failures',
        message: expect.any(String),
        data: { status: 429, retry_after: 45 },
      })
    }
    pass(45)
    await alice.get(PATH).expect(200)
  })

  it('is not reached by requests with a valid token', async () => {
    await start()
    await fail(19)
    const alice = await api.as('alice')
    for (let sent = 0; sent < 10; sent += 1) await alice.get('/none').expect(404)
    await fail(1)
    await alice.get('/none').expect(429)
  })

  it('is still reported after the address has also sent too many requests', async () => {
    await start({}, { rateLimitPerMinute: 22 })
    await fail(20)
    const nobody = await api.as()
    for (let sent = 0; sent < 3; sent += 1) {
      const { body } = await nobody.get(PATH).expect(429)
      expect(body.code).toBe('too_many_auth_failures')
    }
  })

  it('is reached whatever X-Forwarded-For contains, if no proxy is trusted', async () => {
    await start()
    for (let failed = 0; failed < 20; failed += 1) {
      await fail(1, { 'X-Forwarded-For': `192.0.2.${failed}` })
    }
    await (await api.as('alice')).get(PATH).set('X-Forwarded-For', '192.0.2.99').expect(429)
  })
})

it('an address without a token has as many requests as a token if failures are not limited', async () => {
  await start({}, { rateLimitPerMinute: 3, authFailuresPerMinute: 0 })
  const nobody = await api.as()
  for (let sent = 0; sent < 3; sent += 1) await nobody.get(PATH).expect(401)
  const { body } = await nobody.get(PATH).expect(429)
  expect(body.code).toBe('too_many_requests')
  await (await api.as('alice')).get(PATH).expect(200)
})
