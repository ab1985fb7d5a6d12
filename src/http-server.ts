import {
  IncomingMessage,
  type RequestListener,
  Server,
  type ServerOptions,
  ServerResponse,
} from 'node:http'
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'

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

export type HttpServerOptions = {
  readonly timeouts?: ServerTimeouts
  /** Answers a request in the application's stead, and says so. */
  readonly before?: (request: IncomingMessage, response: ServerResponse) => boolean
}

/** A server that answers 408 to clients who send so slowly that they only mean to occupy it, and closes their connections. */
export class HttpServer extends Server {
  readonly #running = new Set<ServerResponse>()
  readonly #connections = new Set<Socket>()
  #stopping = false

  constructor(app: App, { timeouts = TIMEOUTS, before }: HttpServerOptions = {}) {
    super({ ...timeouts, ...messagesOf(app) }, (request, response) => {
      this.#running.add(response)
      response.once('close', () => this.#running.delete(response))
      if (this.#stopping) response.setHeader('Connection', 'close')
      if (!before?.(request, response)) app(request, response)
    })
    this.on('connection', (socket) => {
      this.#connections.add(socket)
      socket.once('close', () => this.#connections.delete(socket))
    })
  }

  /** Resolves when it listens: where it is reached, `http://127.0.0.1:8080`. */
  async start(host: string, port: number): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.once('error', reject)
      this.listen(port, host, () => resolve())
    })
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
function messagesOf(app: App): Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'> {
  const { request, response } = app
  if (!request || !response) return {}
  class AppRequest extends IncomingMessage {}
  class AppResponse<T extends IncomingMessage> extends ServerResponse<T> {}
  app.request = Object.setPrototypeOf(AppRequest.prototype, request)
  app.response = Object.setPrototypeOf(AppResponse.prototype, response)
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse }
}
