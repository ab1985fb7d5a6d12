import { createServer } from 'node:http'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { useApi } from '../../../test/support/api.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { type ChangeEvent, createClient } from '../src/index.ts'

const { api } = await useApi()
const token = await api.token('alice')
const alice = createClient({ url: api.url, token })
const admin = createClient({ url: api.url, token: await api.token('admin') })

const write = (slug: string) =>
  alice.createFrame({ site_id: 2, body: { slug, html: '<i></i>', bake: false } })
const nameOf = ({ things }: ChangeEvent) => things[0]?.name

/** Takes so many events. */
async function take(
  events: AsyncGenerator<ChangeEvent, void, undefined>,
  count: number,
): Promise<ChangeEvent[]> {
  const taken: ChangeEvent[] = []
  for await (const event of events) if (taken.push(event) === count) break
  return taken
}

describe('followChanges', () => {
  it('has each change of a site as it comes, and goes on behind a former one', async () => {
    const { cursor: since } = await alice.listChanges({ site_id: 2, since: 'now' })
    const following = take(alice.followChanges({ site_id: 2, since }), 3)
    for (const slug of ['first', 'second', 'third']) await write(slug)
    const events = await following
    expectTypeOf(events).toEqualTypeOf<ChangeEvent[]>()
    expect(events.map(nameOf)).toEqual(['first', 'second', 'third'])
    const rest = await take(alice.followChanges({ site_id: 2, since: `${events[0]?.id}` }), 2)
    expect(rest).toEqual(events.slice(1))
  })

  it('begins now, also with what comes before the first wait', async () => {
    let requests = 0
    const fetchAndWrite = async (request: Request): Promise<Response> => {
      const response = await fetch(request)
      requests += 1
      if (requests === 1) await write('before-the-wait')
      return response
    }
    const client = createClient({ url: api.url, token, fetch: fetchAndWrite })
    const [event] = await take(client.followChanges({ site_id: 2 }), 1)
    expect(event && nameOf(event)).toBe('before-the-wait')
  })

  it('has the changes of all sites without a site', async () => {
    const { cursor: since } = await admin.listNetworkChanges({ since: 'now' })
    await write('of-the-network')
    const [event] = await take(admin.followChanges({ since }), 1)
    expect(event).toMatchObject({ type: 'changed', site_id: 2 })
  })

  it('ends with the signal, also while it waits', async () => {
    const aborter = new AbortController()
    const sent: string[] = []
    const client = createClient({
      url: api.url,
      token,
      fetch: async (request) => {
        sent.push(request.url)
        return fetch(request)
      },
    })
    const following = take(client.followChanges({ site_id: 2, signal: aborter.signal }), 1)
    following.catch(() => {})
    await eventually(() => expect(sent.some((url) => /wait=[1-9]/.test(url))).toBe(true))
    aborter.abort(new Error('enough'))
    await expect(following).rejects.toThrow('enough')
  })

  it('throws if the first request is refused', async () => {
    await expect(take(alice.followChanges(), 1)).rejects.toMatchObject({
      code: 'insufficient_role',
    })
    const bad = alice.followChanges({ site_id: 2, since: 'yesterday' })
    await expect(take(bad, 1)).rejects.toMatchObject({ code: 'rest_invalid_param' })
  })

  it('goes on when the service was away, and misses nothing', async () => {
    const port = await freePort()
    const startProxy = async () => {
      const proxy = createServer(async ({ url = '', headers }, response) => {
        const { authorization = '' } = headers
        const answer = await fetch(`${api.url}${url}`, { headers: { authorization } })
        response.writeHead(answer.status, { 'Content-Type': 'application/json' })
        response.end(await answer.text())
      })
      await new Promise<void>((done) => proxy.listen(port, '127.0.0.1', done))
      return async () => {
        proxy.closeAllConnections()
        await new Promise((done) => proxy.close(done))
      }
    }
    let stop = await startProxy()
    let failed = 0
    const onRetry = () => {
      failed += 1
    }
    const client = createClient({ url: `http://127.0.0.1:${port}`, token, retries: 1, onRetry })
    const { cursor: since } = await alice.listChanges({ site_id: 2, since: 'now' })
    const names: unknown[] = []
    const following = (async () => {
      for await (const event of client.followChanges({ site_id: 2, since, waitSeconds: 1 })) {
        names.push(nameOf(event))
        if (names.length === 3) return
      }
    })()
    await write('before-it')
    await eventually(() => expect(names).toEqual(['before-it']))
    await stop()
    await write('while-it-was-away')
    await eventually(() => expect(failed).toBeGreaterThan(1))
    stop = await startProxy()
    await write('after-it')
    await following
    await stop()
    expect(names).toEqual(['before-it', 'while-it-was-away', 'after-it'])
  })
})
