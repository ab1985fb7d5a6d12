import { afterEach, describe, expect, it } from 'vitest'
import { FOLLOWERS } from '../../../src/api/event-requests.ts'
import { issueTokenFor, startApi } from '../../support/api.ts'
import { openStream, type TestStream } from '../../support/event-stream.ts'
import { eventually } from '../../support/eventually.ts'
import { useNetwork } from '../../support/network.ts'
import { use } from '../../support/use.ts'

const network = await useNetwork({ timings: { events: { heartbeatMs: 200, slowClientMs: 1000 } } })
const api = await use(startApi(network))
const alice = await api.as('alice')
const token = await api.token('alice')

const opened: TestStream[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((stream) => stream.close()))
})

type OpenOptions = {
  readonly path?: string
  readonly as?: string
  readonly lastId?: string
  readonly url?: string
}

async function open(query = '?since=now', options: OpenOptions = {}): Promise<TestStream> {
  const { path = '/site/2/changes', as = token, url = api.url, ...more } = options
  const stream = await openStream(`${url}${path}${query}`, { token: as, ...more })
  opened.push(stream)
  return stream
}

let frames = 0
/** Creates a frame. @returns its slug */
async function write(html = '<br>'): Promise<string> {
  frames += 1
  const slug = `streamed-${frames}`
  await alice.post('/site/2/frames').send({ slug, html, bake: false }).expect(200)
  return slug
}

const namesIn = ({ events }: TestStream) => events.map(({ data }) => data.things[0]?.name)

const now = async (): Promise<string> => (await alice.get('/site/2/changes?since=now')).body.cursor

describe('a stream of changes', () => {
  it('sends each event once, with its cursor and its type, and nothing that a proxy or a browser could keep', async () => {
    const stream = await open()
    const { status, headers } = stream.response
    expect(status).toBe(200)
    expect(headers.get('Content-Type')).toBe('text/event-stream; charset=utf-8')
    expect(headers.get('Cache-Control')).toBe('no-store')
    expect(headers.get('X-Accel-Buffering')).toBe('no')
    await eventually(() => expect(stream.retry()).toBeGreaterThanOrEqual(1000))
    const slugs = [await write(), await write()]
    await stream.until(2)
    expect(namesIn(stream)).toEqual(slugs)
    const [first, second] = stream.events
    expect(first).toMatchObject({ type: 'changed', data: { type: 'changed', site_id: 2 } })
    expect(stream.lastId()).toBe(second?.data.id)
    const { body } = await alice.get(`/site/2/changes?since=${first?.data.id}`)
    expect(body.events).toEqual([second?.data])
  })

  it('goes on behind Last-Event-ID, which counts more than since', async () => {
    const since = await now()
    await write()
    const second = await write()
    const all = await open(`?since=${since}`)
    await all.until(2)
    const again = await open('?since=now', { lastId: `${all.events[0]?.data.id}` })
    await again.until(1)
    expect(namesIn(again)).toEqual([second])
  })

  it('says where it begins, so that nothing is missed by a client that connects again before the first event', async () => {
    const stream = await open()
    await eventually(() => expect(stream.lastId()).not.toBe(''))
    await stream.close()
    const slug = await write()
    const again = await open('?since=now', { lastId: stream.lastId() })
    await again.until(1)
    expect(namesIn(again)).toEqual([slug])
  })

  it('begins with a reset for a cursor that the database does not know', async () => {
    const stream = await open('', { lastId: '999999999-4f1c2d3e' })
    await stream.until(1)
    expect(stream.events[0]).toMatchObject({ type: 'reset', data: { reason: 'unknown' } })
    const slug = await write()
    await stream.until(2)
    expect(namesIn(stream)[1]).toBe(slug)
  })

  it('has the changes of all sites for super administrators only', async () => {
    const admin = await api.token('admin')
    const stream = await open('?since=now', { path: '/network/changes', as: admin })
    const slug = await write()
    await stream.until(1)
    expect(namesIn(stream)).toEqual([slug])
    const refused = await open('?since=now', { path: '/network/changes' })
    expect(refused.response.status).toBe(403)
  })

  it('refuses a cursor that is none before it begins', async () => {
    const { response } = await open('?since=yesterday')
    expect(response.status).toBe(400)
    expect(response.headers.get('Content-Type')).toContain('application/json')
  })

  it('is for clients that ask for one: others get JSON', async () => {
    for (const accept of ['*/*', 'application/json', 'text/event-stream;q=0.1, application/json'])
      await alice
        .get('/site/2/changes?since=now')
        .set('Accept', accept)
        .expect(200, /cursor/)
  })

  it('sends comments while nothing happens', async () => {
    const stream = await open()
    await eventually(() => expect(stream.comments()).toBeGreaterThan(2))
    expect(stream.hasEnded()).toBe(false)
  })

  it('ends when its token is revoked, and sends nothing more', async () => {
    const own = await issueTokenFor(network, 'alice', { label: 'streaming' })
    const stream = await open('?since=now', { as: own })
    await write()
    await stream.until(1)
    const admin = await api.as('admin')
    const { body } = await admin.get('/network/tokens')
    const { id } = body.tokens.find(({ label }: { label: string }) => label === 'streaming')
    await admin.delete(`/network/tokens/${id}`).expect(200)
    await eventually(() => expect(stream.hasEnded()).toBe(true))
    await write()
    expect(stream.events).toHaveLength(1)
    expect((await open('?since=now', { as: own })).response.status).toBe(401)
  })
})

describe('requests that wait for changes', () => {
  it('are limited for each token, long polls and streams together, and free their slot when the client leaves', async () => {
    const own = await issueTokenFor(network, 'alice')
    const headers = { Authorization: `Bearer ${own}` }
    const abort = new AbortController()
    const url = `${api.url}/site/2/changes?since=${await now()}`
    const polls = Array.from({ length: FOLLOWERS.ofToken - 1 }, () =>
      fetch(`${url}&wait=30`, { headers, signal: abort.signal }).catch(() => undefined),
    )
    const streamed = await eventually(async () => {
      const stream = await open('?since=now', { as: own })
      expect(stream.response.status).toBe(200)
      return stream
    })
    const refused = await eventually(async () => {
      const response = await fetch(`${url}&wait=0.1`, { headers })
      expect(response.status).toBe(429)
      return response
    })
    expect(refused.headers.get('Retry-After')).toBe('15')
    expect(await refused.text()).toContain(`${FOLLOWERS.ofToken} requests`)
    expect((await open('?since=now', { as: own })).response.status).toBe(429)
    // Others, and those that do not wait, are answered.
    expect((await fetch(url, { headers })).status).toBe(200)
    expect((await open()).response.status).toBe(200)
    await streamed.close()
    await eventually(async () =>
      expect((await open('?since=now', { as: own })).response.status).toBe(200),
    )
    abort.abort()
    await Promise.all(polls)
    await eventually(async () =>
      expect((await fetch(`${url}&wait=0.1`, { headers })).status).toBe(200),
    )
  })

  it('of equal clients wait at the same time', async () => {
    const url = `${api.url}/site/2/changes?since=${await now()}&wait=1`
    const headers = { Authorization: `Bearer ${token}` }
    const begin = performance.now()
    await Promise.all([1, 2, 3].map(async () => (await fetch(url, { headers })).text()))
    expect(performance.now() - begin).toBeLessThan(2500)
  })
})
