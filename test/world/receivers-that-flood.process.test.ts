import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer, type Server, type Socket } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { Receivers } from '../../src/webhooks/receivers.ts'
import { WebhookSender } from '../../src/webhooks/webhook-sender.ts'
import { FAST } from '../support/timings.ts'

/**
 * A receiver of webhooks answers without an end before the status, or its name is at a name server that is silent; and all other sites waited.
 * Right: RFC 9110, section 15.2: informational responses are interim; nobody has to read them for ever.
 */
describe('receivers that flood', () => {
  const sockets = new Set<Socket>()
  const servers = new Set<Server>()
  const start = async (answer: (socket: Socket) => void): Promise<string> => {
    const server = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => {}).once('data', () => answer(socket))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    servers.add(server)
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  }
  const sender = new WebhookSender({
    receivers: new Receivers(['127.0.0.1']),
    timings: { ...FAST.webhooks, sendTimeoutMs: 20_000 },
  })
  afterAll(() => {
    sender.close()
    for (const socket of sockets) socket.destroy()
    for (const server of servers) server.close()
  })
  const message = { headers: {}, body: '{}' }

  /** Writes as long as the connection takes it. */
  const endless = (socket: Socket, text: string) => {
    const write = () => {
      while (!socket.destroyed && socket.write(text.repeat(100)));
      if (!socket.destroyed) socket.once('drain', write)
    }
    write()
  }

  it.each([
    [
      'informational responses',
      (socket: Socket) => endless(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n'),
    ],
    [
      'headers of one',
      (socket: Socket) => {
        socket.write('HTTP/1.1 103 Early Hints\r\n')
        endless(socket, 'Link: </a>; rel=preload\r\n')
      },
    ],
    [
      'headers of the response',
      (socket: Socket) => {
        socket.write('HTTP/1.1 200 OK\r\n')
        endless(socket, 'X-More: 1\r\n')
      },
    ],
  ])('are cut off: %s', async (_, answer) => {
    const attempt = await sender.send(await start(answer), message)
    expect(attempt).toMatchObject({ outcome: 'failed', status: null })
    expect(attempt.ms).toBeLessThan(15_000)
  })

  it('may send a few informational responses', async () => {
    const url = await start((socket) => {
      socket.write('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(3))
      socket.end('HTTP/1.1 204 No Content\r\n\r\n')
    })
    expect(await sender.send(url, message)).toMatchObject({ outcome: 'delivered', status: 204 })
  })

  it('send as many messages by hand as the others of the network allow: two of a site at once', async () => {
    let end = () => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    const running = new Map<number, number>()
    const work = (site: number) => async () => {
      running.set(site, (running.get(site) ?? 0) + 1)
      await ended
    }
    const sent = [1, 1, 1, 1, 2].map((site) => sender.byHand(site, work(site)))
    await new Promise(setImmediate)
    expect([...running]).toEqual([
      [1, 2],
      [2, 1],
    ])
    end()
    await Promise.all(sent)
  })

  it('do not hold up others where their name server is silent', async () => {
    const silent = createSocket('udp4')
    silent.bind(0, '127.0.0.1')
    await once(silent, 'listening')
    const queries: Buffer[] = []
    silent.on('message', (query) => queries.push(query))
    const slow = new WebhookSender({
      receivers: new Receivers([]),
      timings: { ...FAST.webhooks, lookupMs: 100 },
      nameServers: [`127.0.0.1:${silent.address().port}`],
    })
    const attempts = await Promise.all(
      Array.from({ length: 20 }, (_, at) => slow.send(`https://h${at}.slow.example/`, message)),
    )
    expect(attempts.map(({ error }) => error)).toEqual(
      Array(20).fill(expect.stringContaining('could not be reached')),
    )
    expect(queries.length).toBeGreaterThanOrEqual(20)
    slow.close()
    silent.close()
  })
})
