import { Agent, get, type IncomingMessage, type RequestListener } from 'node:http'
import { connect, type Socket } from 'node:net'
import express from 'express'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { HttpServer } from '../../src/host/http-server.ts'
import type { Log } from '../../src/host/log.ts'
import { eventually } from '../support/eventually.ts'
import { FAST } from '../support/timings.ts'

const HOUR = 3_600_000
const longTimeouts = {
  headersTimeoutMs: HOUR,
  requestTimeoutMs: HOUR,
  checkIntervalMs: 20,
}

let server: HttpServer
let url: string
const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
  server.closeAllConnections()
  server.close()
})

const listen = async (
  app: RequestListener,
  timeouts?: typeof longTimeouts,
  keepAliveMs = HOUR,
): Promise<void> => {
  server = new HttpServer(app, { timings: { ...FAST.http, ...timeouts }, keepAliveMs })
  url = await server.start('127.0.0.1', 0)
}

const port = (): number => Number(new URL(url).port)

/** A socket that sends only these bytes; `received` is everything that it receives until the server closes it. */
function open(text: string): { socket: Socket; received: Promise<string> } {
  const socket = connect(port(), '127.0.0.1')
  sockets.push(socket)
  socket.write(text)
  let all = ''
  socket.on('data', (chunk) => {
    all += chunk
  })
  const received = new Promise<string>((resolve) => socket.on('close', () => resolve(all)))
  socket.on('error', () => {})
  return { socket, received }
}

/** Resolves when the server has accepted this many connections. */
const connections = (wanted: number): Promise<void> =>
  eventually(async () => {
    const count = await new Promise((resolve) => server.getConnections((_, n) => resolve(n)))
    expect(count).toBe(wanted)
  })

const echo: RequestListener = (request, response) => {
  request.resume().on('end', () => response.end('done'))
}

describe('HttpServer', () => {
  it('limits the time for headers and requests, below the limits of Node', async () => {
    await listen(echo)
    expect(server.headersTimeout).toBe(10_000)
    expect(server.requestTimeout).toBe(60_000)
    expect(server.keepAliveTimeout).toBe(HOUR)
  })

  it('creates requests and responses with the prototypes of the Express application', async () => {
    const app = express()
    const prototypes = (...messages: object[]) => messages.map((one) => Object.getPrototypeOf(one))
    let before: object[] = []
    let after: object[] = []
    app.use((request, response) => {
      after = prototypes(request, response)
      response.json({ path: request.path })
    })
    await listen(app)
    server.prependListener('request', (request, response) => {
      before = prototypes(request, response)
    })
    const answer = await fetch(`http://127.0.0.1:${port()}/a?b=1`)
    expect(await answer.json()).toEqual({ path: '/a' })
    expect(before).toHaveLength(2)
    expect(before.every((prototype, at) => prototype === after[at])).toBe(true)
  })

  it('closes a connection whose headers never end', async () => {
    await listen(echo, { ...longTimeouts, headersTimeoutMs: 100 })
    const { socket, received } = open('GET / HTTP/1.1\r\nHost: x\r\n')
    const drip = setInterval(() => socket.write('X-Slow: 1\r\n'), 10)
    expect(await received).toMatch(/^HTTP\/1\.1 408 /)
    clearInterval(drip)
  })

  it('closes a connection on which nothing is ever sent', async () => {
    await listen(echo, { ...longTimeouts, headersTimeoutMs: 100 })
    expect(await open('').received).toBe('')
    expect(await open('GET / HTTP/1.1\r\n').received).toMatch(/^HTTP\/1\.1 408 /)
  })

  it('closes a connection whose body never ends', async () => {
    await listen(echo, { ...longTimeouts, requestTimeoutMs: 100, headersTimeoutMs: 100 })
    const { socket, received } = open('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n')
    const drip = setInterval(() => socket.write('x'), 10)
    expect(await received).toMatch(/^HTTP\/1\.1 408 /)
    clearInterval(drip)
  })

  it('closes a connection that stays idle', async () => {
    await listen(echo, longTimeouts, 100)
    expect(await open('GET / HTTP/1.1\r\nHost: x\r\n\r\n').received).toMatch(/^HTTP\/1\.1 200 /)
  })

  it('waits for a response that takes longer than all timeouts', async () => {
    const short = { ...longTimeouts, headersTimeoutMs: 500, requestTimeoutMs: 500 }
    const late: RequestListener = (_request, response) =>
      void setTimeout(() => response.end('late'), 1500)
    await listen(late, short, 500)
    expect(await open('GET / HTTP/1.1\r\nHost: x\r\n\r\n').received).toContain('late')
  })
})

describe('an error of the server', () => {
  it('rejects `start`, and is logged later', async () => {
    const log = { error: vi.fn() } as unknown as Log
    server = new HttpServer(echo, { timings: FAST.http, keepAliveMs: HOUR, log })
    url = await server.start('127.0.0.1', 0)
    await expect(
      new HttpServer(echo, { timings: FAST.http, keepAliveMs: HOUR, log }).start(
        '127.0.0.1',
        port(),
      ),
    ).rejects.toMatchObject({
      code: 'EADDRINUSE',
    })
    expect(log.error).not.toHaveBeenCalled()
    for (const code of ['EMFILE', 'ENFILE']) server.emit('error', new Error(code))
    expect(log.error).toHaveBeenCalledTimes(2)
  })
})

describe('HttpServer.stop', () => {
  it('finishes the request in progress without waiting for the keep-alive timeout', async () => {
    let answer: (() => void) | undefined
    await listen((_request, response) => {
      answer = () => response.end('finished')
    }, longTimeouts)
    const agent = new Agent({ keepAlive: true })
    const answered = new Promise<IncomingMessage>((resolve) => {
      get({ port: port(), host: '127.0.0.1', agent }, resolve)
    })
    await eventually(() => expect(answer).toBeDefined())
    let stopped = false
    const stop = server.stop().then(() => {
      stopped = true
    })
    await eventually(() => expect(server.listening).toBe(false))
    expect(stopped).toBe(false)
    answer?.()
    const chunks = await (await answered).toArray()
    expect(Buffer.concat(chunks).toString()).toBe('finished')
    expect((await answered).headers.connection).toBe('close')
    await stop
    agent.destroy()
  })

  it('answers a request in transit on an idle or new connection, then closes the connection', async () => {
    await listen(echo, longTimeouts)
    const used = open('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await new Promise((resolve) => used.socket.once('data', resolve))
    const fresh = open('')
    await connections(2)
    const stopped = server.stop()
    for (const { socket } of [used, fresh]) socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    expect(await used.received).toMatch(/done.*HTTP\/1\.1 200 .*Connection: close.*done/s)
    expect(await fresh.received).toMatch(/^HTTP\/1\.1 200 .*Connection: close.*done/s)
    await stopped
  })

  it('answers requests that arrived while the process was blocked', async () => {
    await listen(echo, longTimeouts)
    const { socket, received } = open('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await new Promise((resolve) => socket.once('data', resolve))
    const stopped = server.stop()
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    const end = performance.now() + 700
    while (performance.now() < end);
    expect(await received).toMatch(/done.*HTTP\/1\.1 200 .*Connection: close.*done/s)
    await stopped
  })

  it('does not wait for idle connections, nor for connections without a request', async () => {
    await listen(echo, longTimeouts)
    const { socket, received } = open('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await new Promise((resolve) => socket.once('data', resolve))
    const silent = open('')
    await connections(2)
    await server.stop()
    expect(await received).toContain('done')
    expect(await silent.received).toBe('')
  })

  it('cuts clients that are still sending after the request timeout', async () => {
    await listen(echo, { ...longTimeouts, requestTimeoutMs: 200, headersTimeoutMs: 200 })
    const halves = [
      'GET / HTTP/1.1\r\n',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nx',
    ]
    const clients = halves.map(open)
    await connections(2)
    await server.stop()
    await Promise.all(clients.map(({ received }) => received))
  })
})
