import { createSocket, type RemoteInfo } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ReceiverClient } from '../../src/host/receivers/receiver-client.ts'
import { ReceiverNames } from '../../src/host/receivers/receiver-names.ts'
import { Receivers } from '../../src/host/receivers/receivers.ts'
import { eventually } from '../support/eventually.ts'
import { FAST } from '../support/timings.ts'
import { use } from '../support/use.ts'

type Query = { readonly name: string; refuse(): void }

/** The name in a message of a name server (RFC 1035, section 4.1.2). */
function nameIn(message: Buffer): string {
  const labels: string[] = []
  for (let at = 12; message[at]; at += 1 + (message[at] ?? 0))
    labels.push(message.toString('latin1', at + 1, at + 1 + (message[at] ?? 0)))
  return labels.join('.').toLowerCase()
}

/** A resolver waits five seconds for each name server at most: with so many, it does not give up by itself within a test. */
const MANY = 16

/** Name servers that answer when they are asked to. */
async function startNameServers() {
  const socket = createSocket('udp4')
  socket.bind(0)
  await once(socket, 'listening')
  const queries: Query[] = []
  socket.on('message', (message: Buffer, { port, address }: RemoteInfo) => {
    const refuse = () => {
      const answer = Buffer.from(message)
      // A response, with the code "no such name" (RFC 1035, section 4.1.1).
      answer.set([(message[2] ?? 0) | 0x80, 0x83], 2)
      socket.send(answer, port, address)
    }
    queries.push({ name: nameIn(message), refuse })
  })
  return {
    addresses: Array.from(
      { length: MANY },
      (_, at) => `127.0.0.${at + 1}:${socket.address().port}`,
    ),
    queries,
    names: () => [...new Set(queries.map(({ name }) => name))],
    close: async () => void socket.close(),
  }
}

/**
 * A site had webhooks whose names are at a silent name server; and the requests of all others waited for the threads of the system's lookups.
 * Right: RFC 1034, section 5.3.3: a resolver bounds the amount of work; RFC 2308, section 7.2: it may remember that no server answers.
 */
describe('receivers of silent name servers', () => {
  const message = { headers: {}, body: '{}' }
  const start = async ({ lookupMs = 60_000, failedNameMs = 60_000, count = MANY } = {}) => {
    const server = await use(startNameServers())
    const sender = new ReceiverClient({
      receivers: new Receivers([]),
      timings: { ...FAST.webhooks, lookupMs, failedNameMs },
      nameServers: server.addresses.slice(0, count),
    })
    onTestFinished(() => sender.close())
    const send = (name: string, options: Parameters<ReceiverClient['send']>[2] = {}) =>
      sender.send(`https://${name}/`, message, options)
    return { ...server, sender, send }
  }

  it('fail in the time of a lookup', async () => {
    const { send } = await start({ lookupMs: 50, count: 1 })
    expect(await send('a.example')).toMatchObject({
      status: 'failed',
      error: 'The receiver could not be reached (ETIMEOUT).',
    })
  })

  it('hold up no lookup of the system', async () => {
    const { send, sender, names } = await start()
    const attempts = Array.from({ length: 20 }, (_, at) => send(`h${at}.example`, { blogId: at }))
    await eventually(() => expect(names()).toHaveLength(20))
    expect((await lookup('localhost')).address).toBeTypeOf('string')
    sender.close()
    for (const { status } of await Promise.all(attempts)) expect(status).toBe('failed')
  })

  it('are asked for one after the other, of one site', async () => {
    const { send, queries, names } = await start()
    const first = send('a.example', { blogId: 2 })
    const second = send('b.example', { blogId: 2 })
    const other = send('c.example', { blogId: 3 })
    await eventually(() => expect(names()).toContain('c.example'))
    expect(names()).toEqual(['a.example', 'c.example'])
    await eventually(() => expect(queries).toHaveLength(4))
    for (const query of queries) query.refuse()
    expect((await first).error).toContain('ENOTFOUND')
    await eventually(() => expect(queries.slice(4).map(({ name }) => name)).toHaveLength(2))
    for (const query of queries.slice(4)) query.refuse()
    expect((await second).status).toBe('failed')
    expect((await other).status).toBe('failed')
  })

  it.each([
    ['not asked for again for some seconds', 60_000],
    ['asked for again afterwards', 1],
  ])('are %s after a failure', async (_, failedNameMs) => {
    const { send, queries, sender } = await start({ failedNameMs })
    const first = send('a.example')
    await eventually(() => expect(queries).toHaveLength(2))
    for (const query of queries) query.refuse()
    const { error } = await first
    if (failedNameMs > 1) {
      expect(await send('a.example')).toMatchObject({ status: 'failed', error })
      expect(queries).toHaveLength(2)
    } else {
      const later: Promise<unknown>[] = []
      await eventually(() => {
        later.push(send('a.example'))
        expect(queries.length).toBeGreaterThan(2)
      })
      sender.close()
      await Promise.all(later)
    }
  })

  it('are not waited for when the try has ended', async () => {
    const { send, queries, names } = await start()
    const ended = new AbortController()
    const first = send('a.example', { signal: ended.signal })
    const second = send('b.example')
    await eventually(() => expect(queries).toHaveLength(2))
    ended.abort()
    expect((await first).status).toBe('failed')
    // The next one of the site, although no answer has come.
    await eventually(() => expect(names()).toContain('b.example'))
    await eventually(() => expect(queries).toHaveLength(4))
    for (const query of queries.slice(2)) query.refuse()
    await second
    // Nobody knows whether it would have failed.
    const again = send('a.example')
    await eventually(() => expect(queries).toHaveLength(6))
    for (const query of queries.slice(4)) query.refuse()
    expect((await again).error).toContain('ENOTFOUND')
  })

  it('are not waited for when the process stops', async () => {
    const { addresses: nameServers, names } = await use(startNameServers())
    const timings = { lookupMs: 60_000, failedNameMs: 60_000 }
    const receivers = new ReceiverNames({ timings, nameServers })
    const { signal } = new AbortController()
    const lookups = ['a.example', 'b.example'].map((name) => receivers.find(name, 2, signal))
    await eventually(() => expect(names()).toEqual(['a.example']))
    receivers.close()
    const ended = await Promise.allSettled(lookups)
    expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(names()).toEqual(['a.example'])
  })
})
