import { once } from 'node:events'
import {
  IncomingMessage,
  type RequestListener,
  Server,
  type ServerOptions,
  ServerResponse,
} from 'node:http'
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { Log } from './log.ts'

/** How long clients may take, in milliseconds. */
export type ServerTimeouts = {
  readonly headersTimeout: number
  /** Until the request has come whole. */
  readonly requestTimeout: number
  readonly keepAliveTimeout: number
  readonly connectionsCheckingInterval: number
}

/** Idle connections stay longer than the minute for which proxies keep them, so that none is closed as a request comes in. */
const TIMEOUTS: ServerTimeouts = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2_000,
}

/** How long a server that stops waits for requests that are on their way on idle connections, in milliseconds. */
const GRACE_MS = 500
/** How often it then looks for connections that have become idle, in milliseconds. */
const SWEEP_MS = 100

/** Most bytes of answers that wait until clients take them, in the process. */
export const MAX_UNSENT_BYTES = 64 * 1024 * 1024
/** A connection is closed when its client takes nothing of a waiting answer for this long, in milliseconds. */
export const UNSENT_TIMEOUT_MS = 30_000

/**
 * Answers that were handed to connections whose clients have not taken them yet. Few are: the system takes most answers at once. Where all
 * together take too much memory, the connections of the largest are closed: a client that reads has little left to wait for.
 */
export class UnsentResponses {
  readonly #maxBytes: number
  readonly #timeoutMs: number
  /** By buffer, or by response where it has one of its own: a buffer that many clients are sent is in memory once. */
  readonly #waiting = new Map<object, { readonly bytes: number; responses: Set<ServerResponse> }>()
  #bytes = 0

  constructor({ maxBytes = MAX_UNSENT_BYTES, timeoutMs = UNSENT_TIMEOUT_MS } = {}) {
    this.#maxBytes = maxBytes
    this.#timeoutMs = timeoutMs
  }

  /**
   * @param response one that has ended and is not sent whole
   * @param chunk what it ended with
   */
  add(response: ServerResponse, chunk: unknown): void {
    const key = Buffer.isBuffer(chunk) ? chunk : response
    const waiting = this.#waiting.get(key) ?? this.#begin(key, response.writableLength)
    waiting.responses.add(response)
    response.once('close', () => this.#remove(key, response))
    if (response.socket) this.#limitSilence(response, response.socket)
    // A later one of several requests on a connection gets it when the earlier ones are answered.
    else response.once('socket', (socket: Socket) => this.#limitSilence(response, socket))
    while (this.#bytes > this.#maxBytes) this.#closeLargest()
  }

  #begin(key: object, bytes: number) {
    const begun = { bytes, responses: new Set<ServerResponse>() }
    this.#waiting.set(key, begun)
    this.#bytes += bytes
    return begun
  }

  #remove(key: object, response: ServerResponse): void {
    const waiting = this.#waiting.get(key)
    if (!waiting?.responses.delete(response) || waiting.responses.size > 0) return
    this.#waiting.delete(key)
    this.#bytes -= waiting.bytes
  }

  /** Node closes the connection when the time is over, and begins it again where the client has taken something meanwhile. */
  #limitSilence(response: ServerResponse, socket: Socket): void {
    socket.setTimeout(this.#timeoutMs)
    // Before Node sets the time for which the connection may then be idle.
    response.prependOnceListener('finish', () => socket.setTimeout(0))
  }

  #closeLargest(): void {
    let [largest] = this.#waiting
    for (const entry of this.#waiting)
      if (entry[1].bytes > (largest?.[1].bytes ?? 0)) largest = entry
    for (const response of largest?.[1].responses ?? []) {
      this.#remove(largest?.[0] ?? response, response)
      response.req.socket.destroy()
    }
  }
}

export type HttpServerOptions = {
  readonly timeouts?: ServerTimeouts
  /** Shared by the servers of a process. */
  readonly unsent?: UnsentResponses
  readonly log?: Log
  /** Answers a request in the application's stead, and says so. */
  readonly before?: (request: IncomingMessage, response: ServerResponse) => boolean
}

/** A server that answers 408 to clients who send so slowly that they only mean to occupy it, and closes their connections. */
export class HttpServer extends Server {
  readonly #running = new Set<ServerResponse>()
  readonly #connections = new Set<Socket>()
  readonly #log: Log | undefined
  #stopping = false

  constructor(
    app: App,
    { timeouts = TIMEOUTS, before, unsent = new UnsentResponses(), log }: HttpServerOptions = {},
  ) {
    super({ ...timeouts, ...messagesOf(app, unsent) }, (request, response) => {
      this.#running.add(response)
      response.once('close', () => this.#running.delete(response))
      if (this.#stopping) response.setHeader('Connection', 'close')
      if (!before?.(request, response)) app(request, response)
    })
    this.#log = log
    this.on('connection', (socket) => {
      this.#connections.add(socket)
      socket.once('close', () => this.#connections.delete(socket))
    })
  }

  /** Resolves when it listens: where it is reached, `http://127.0.0.1:8080`. */
  async start(host: string, port: number): Promise<string> {
    await once(this.listen(port, host), 'listening')
    // A connection that could not be accepted, for want of file descriptors for instance.
    this.on('error', (error) => this.#log?.error({ err: error }, 'a server failed'))
    const { address, family, port: chosen } = this.address() as AddressInfo
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${chosen}`
  }

  /**
   * Takes no new connections and resolves when every request that came is answered whole. Answers say that their connection ends, so that
   * nobody sends another request on one as it is closed. What is open after the longest of the time-outs is cut.
   */
  async stop(): Promise<void> {
    this.#stopping = true
    for (const response of this.#running) {
      if (!response.headersSent) response.setHeader('Connection', 'close')
    }
    const deadline = setTimeout(() => this.closeAllConnections(), this.requestTimeout)
    // An HTTP server closes at once what is idle, though a request may be coming in there.
    const closed = new Promise<void>((resolve) => {
      NetServer.prototype.close.call(this, () => resolve())
    })
    await Promise.race([closed, sleep(GRACE_MS, undefined, { ref: false })])
    // After a pause of the process timers come first: what arrived meanwhile is read before its connection is taken for idle.
    await nextTurn()
    this.close()
    // Opened in advance, as browsers and balancers do, and idle only to us: Node waits there for the headers of a request.
    for (const socket of this.#connections) if (socket.bytesRead === 0) socket.destroy()
    const sweep = setInterval(() => this.closeIdleConnections(), SWEEP_MS)
    await closed
    clearInterval(sweep)
    clearTimeout(deadline)
  }
}

/** What requests are handed to: a bare listener, or an Express application with what its requests and responses inherit. */
type App = RequestListener & { request?: IncomingMessage; response?: ServerResponse }

/**
 * Requests and responses that are an Express application's from the start. Those of Node are made into such when they come, by a change of
 * their prototype, after which the engine takes each for something that it has never met: all that reads them is three times slower.
 */
function messagesOf(
  app: App,
  unsent: UnsentResponses,
): Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'> {
  class AppRequest extends IncomingMessage {}
  class AppResponse<T extends IncomingMessage> extends ServerResponse<T> {
    override end(...sent: unknown[]): this {
      Reflect.apply(super.end, this, sent)
      if (this.writableLength > 0) unsent.add(this, sent[0])
      return this
    }
  }
  const { request, response } = app
  if (request) app.request = Object.setPrototypeOf(AppRequest.prototype, request)
  if (response) app.response = Object.setPrototypeOf(AppResponse.prototype, response)
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse }
}
