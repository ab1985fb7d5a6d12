import { Agent, request as forward, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { listen } from '../../../test/support/listen.ts'

type Refused = {
  readonly status: number
  readonly code: string
  /** In XML [`-`]. */
  readonly message?: string
  readonly headers?: Record<string, string>
}

/** What happens to a request before the store gets it, and to its answer. */
type Interference =
  | { readonly drop: readonly string[] }
  | Refused
  /** The connection ends in the middle: of the request, which the store does not get, or of the answer to a request that it has executed. */
  | { readonly cut: 'request' | 'answer' }
  /** The store gets the request later, or after something else. */
  | { readonly delayMs: number }
  | { readonly after: Promise<unknown> }
  /** The connection ends without an answer, and the store gets the request later. */
  | { readonly lateMs: number }
  | undefined

/** A relay in front of a store: it leaves headers out, or answers in place of the store, in the shape that is documented. */
export type StoreRelay = {
  readonly endpoint: string
  /** Method and path of all requests, in order, unless `keepsRequests` is false. */
  readonly requests: string[]
  /** Decides on each request [none]. */
  interfere: (request: IncomingMessage) => Interference
  /** Resolves when the store has answered all delayed requests. */
  untilSent(): Promise<void>
  stop(): Promise<void>
}

/** @param keepsRequests false for a relay of very many requests */
export async function startStoreRelay(
  endpoint: string,
  { keepsRequests = true }: { readonly keepsRequests?: boolean } = {},
): Promise<StoreRelay> {
  const { hostname, port } = new URL(endpoint)
  const agent = new Agent({ keepAlive: true })
  const late: Promise<void>[] = []
  const server = await listen((request, response) => {
    if (keepsRequests) relay.requests.push(`${request.method} ${request.url}`)
    const interference = relay.interfere(request)
    if (interference && 'status' in interference) return refuse(request, response, interference)
    const cut = interference && 'cut' in interference ? interference.cut : undefined
    if (cut === 'request') return void request.once('data', endSocket).once('end', endSocket)
    const headers = { ...request.headers }
    if (interference && 'drop' in interference)
      for (const name of interference.drop) delete headers[name]
    const { method, url: path } = request
    const send = async (body: Buffer | undefined): Promise<void> => {
      const onward = forward({ hostname, port, method, path, headers, agent }, (answer) => {
        if (cut === 'answer') return cutAnswer(answer, request.socket)
        response.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(response)
      })
      onward.on('error', () => response.destroy())
      if (body) onward.end(body)
      else request.pipe(onward)
      await new Promise((resolve) => onward.once('close', resolve))
    }
    function endSocket(): void {
      request.socket.destroy()
    }
    const isLate = interference !== undefined && 'lateMs' in interference
    const isDelayed = interference !== undefined && 'after' in interference
    const delayMs = isLate ? interference.lateMs : delayOf(interference)
    if (delayMs === undefined && !isDelayed) return void send(undefined)
    const sent = buffer(request).then(async (body) => {
      if (isLate) endSocket()
      await (isDelayed ? interference.after : sleep(delayMs))
      await send(body)
    })
    // The client has gone in the middle of its request.
    late.push(sent.catch(endSocket))
  })
  const relay: StoreRelay = {
    endpoint: `http://127.0.0.1:${server.port}`,
    requests: [],
    interfere: () => undefined,
    untilSent: async () => void (await Promise.all(late.splice(0))),
    stop: async () => {
      await server.close()
      agent.destroy()
    },
  }
  return relay
}

const delayOf = (interference: Interference): number | undefined =>
  interference && 'delayMs' in interference ? interference.delayMs : undefined

/** Sends the status line and some headers, and in longer answers a part of the body. */
function cutAnswer(answer: IncomingMessage, socket: Socket): void {
  const length = Number(answer.headers['content-length'] ?? 0)
  const head = `HTTP/1.1 ${answer.statusCode} \r\ncontent-length: ${length}\r\n`
  const body = length > 1 ? `\r\n${'-'.repeat(Math.floor(length / 2))}` : ''
  answer.resume()
  socket.end(head + body, () => socket.destroy())
}

function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  { status, code, message = '-', headers = {} }: Refused,
): void {
  request.resume()
  const body = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`
  request.on('end', () => {
    response.writeHead(status, { 'Content-Type': 'application/xml', ...headers })
    response.end(request.method === 'HEAD' ? undefined : body)
  })
}
