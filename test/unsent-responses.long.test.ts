import type { RequestListener, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import express from 'express'
import { afterEach, describe, expect, it } from 'vitest'
import { HttpServer, UnsentResponses } from '../src/host/http-server.ts'
import { eventually } from './support/eventually.ts'
import { FAST } from './support/timings.ts'

const MEBIBYTE = 1024 * 1024
const LONG_MS = 600_000
const SHORT_MS = 300

let server: HttpServer
let port: number
let responses: ServerResponse[]
const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
  server.closeAllConnections()
  server.close()
})

const start = async (app: RequestListener, options: { maxBytes?: number; timeoutMs: number }) => {
  responses = []
  const handle = (_request: object, response: ServerResponse, next: () => void) => {
    responses.push(response)
    next()
  }
  server = new HttpServer(app, {
    timings: FAST.http,
    keepAliveMs: 65_000,
    handle,
    unsent: new UnsentResponses(options),
  })
  port = Number(new URL(await server.start('127.0.0.1', 0)).port)
}

/** A client that requests a path and reads nothing of the response. */
const ask = (...paths: string[]): Socket => {
  const socket = connect(port, '127.0.0.1').pause()
  sockets.push(socket)
  socket.on('error', () => {})
  socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''))
  return socket
}

/** Responds with as many megabytes as the path says; every response has its own buffer. */
const sized: RequestListener = (request, response) => {
  response.end(Buffer.alloc(Number(request.url?.slice(1)) * MEBIBYTE, 'x'))
}

/** The requests whose connection was closed. */
const cut = (): number[] => responses.flatMap(({ req }, at) => (req.socket.destroyed ? [at] : []))

describe('a response that its client does not read', () => {
  it.each<[string, RequestListener]>([
    ['listener', sized],
    ['Express application', express().use((request, response) => sized(request, response))],
  ])('ends its connection when nothing is taken for a while: %s', async (_what, app) => {
    await start(app, { timeoutMs: SHORT_MS })
    ask('/20')
    await eventually(() => expect(cut()).toEqual([0]))
  })

  it('is sent completely to a slow client', async () => {
    // On a busy machine progress takes long: the system reports it to the server only after a part of its buffer, about a megabyte, was read.
    const timeoutMs = 5 * SHORT_MS
    await start(sized, { timeoutMs })
    const socket = ask('/40')
    const begun = performance.now()
    let taken = 0
    socket.on('data', async ({ length }) => {
      taken += length
      socket.pause()
      await sleep(4)
      socket.resume()
    })
    socket.resume()
    await eventually(() => expect(taken).toBeGreaterThan(40 * MEBIBYTE))
    expect(performance.now() - begun).toBeGreaterThan(timeoutMs)
    expect(cut()).toEqual([])
  })

  it('does not limit the time until the next request of its connection', async () => {
    // A busy machine takes long for the first response.
    const timeoutMs = 5 * SHORT_MS
    const slow: RequestListener = (request, response) => {
      if (request.url !== '/slow') return sized(request, response)
      setTimeout(() => response.end('late'), 2 * timeoutMs)
    }
    await start(slow, { timeoutMs })
    const socket = ask('/20', '/slow')
    await eventually(() => expect(responses).toHaveLength(2))
    let all = ''
    for await (const chunk of socket) {
      all = (all + chunk).slice(-100)
      if (all.endsWith('late')) break
    }
    expect(all).toMatch(/late$/)
  })

  it('closes the connection of the largest response if all together are too large', async () => {
    await start(sized, { maxBytes: 50 * MEBIBYTE, timeoutMs: LONG_MS })
    for (const path of ['/15', '/20', '/10']) {
      ask(path)
      const count = responses.length + 1
      await eventually(() => expect(responses).toHaveLength(count))
    }
    expect(cut()).toEqual([])
    ask('/12')
    await eventually(() => expect(cut()).toEqual([1]))
    ask('/12')
    await eventually(() => expect(responses).toHaveLength(5))
    expect(cut()).toEqual([1])
  })

  it('counts once if the same buffer is sent to many clients', async () => {
    const same = Buffer.alloc(20 * MEBIBYTE, 'x')
    await start((_request, response) => response.end(same), {
      maxBytes: 50 * MEBIBYTE,
      timeoutMs: LONG_MS,
    })
    for (let client = 0; client < 6; client += 1) ask('/')
    const ended = () => responses.filter(({ writableEnded }) => writableEnded)
    await eventually(() => expect(ended()).toHaveLength(6))
    expect(cut()).toEqual([])
  })

  it('is counted behind another response on the same connection', async () => {
    await start(sized, { maxBytes: 50 * MEBIBYTE, timeoutMs: LONG_MS })
    ask(...Array<string>(20).fill('/20'))
    await eventually(() => expect(cut().length).toBeGreaterThan(0))
  })
})
