import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer, type Server, type Socket } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { WebhookSender } from '../../src/changes/webhooks/webhook-sender.ts'
import { ReceiverClient } from '../../src/host/receivers/receiver-client.ts'
import { Receivers } from '../../src/host/receivers/receivers.ts'
import { FAST } from '../support/timings.ts'

/**
 * A receiver of webhooks answers without an end before the status; and all other sites waited.
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
  const options = {
    receivers: new Receivers(['127.0.0.1']),
    timings: { ...FAST.webhooks, sendTimeoutMs: 20_000 },
  }
  const client = new ReceiverClient(options)
  const sender = new WebhookSender(options)
  afterAll(() => {
    client.close()
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
    const attempt = await client.send(await start(answer), message)
    expect(attempt).toMatchObject({ status: 'failed', http_status: null })
    expect(attempt.ms).toBeLessThan(15_000)
  })

  it('may send a few informational responses', async () => {
    const url = await start((socket) => {
      socket.write('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(3))
      socket.end('HTTP/1.1 204 No Content\r\n\r\n')
    })
    expect(await client.send(url, message)).toMatchObject({ status: 'delivered', http_status: 204 })
  })

  it.each([
    ['site', { sites: [1, 1, 1, 1, 2], users: [1, 2, 3, 4, 5] }],
    ['user', { sites: [1, 2, 3, 4, 5], users: [1, 1, 1, 1, 2] }],
  ])('get two messages at once that are sent by hand, of a %s', async (_, { sites, users }) => {
    let end = () => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    const running: number[] = []
    const sent = sites.map((site, at) =>
      sender.byHand(site, users[at] ?? 0, async () => {
        running.push(at)
        await ended
      }),
    )
    await new Promise(setImmediate)
    expect(running.sort()).toEqual([0, 1, 4])
    end()
    await Promise.all(sent)
    expect(running).toHaveLength(5)
  })

  it('leave room for a user whose messages are of other sites than those that wait', async () => {
    let end = () => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    const running: number[] = []
    const send = (site: number, user: number) =>
      sender.byHand(site, user, async () => {
        running.push(user)
        await ended
      })
    // More than a process sends at once; all but two of a site wait.
    const waiting = [1, 2].flatMap((site) =>
      [1, 2, 3, 1, 2, 3].map((user) => send(site, 10 * site + user)),
    )
    const other = [send(3, 31), send(3, 31)]
    await new Promise(setImmediate)
    expect(running.sort()).toEqual([11, 12, 21, 22, 31, 31])
    end()
    await Promise.all([...waiting, ...other])
  })
})
