import {
  createServer,
  IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'

/** Resolves when it listens. */
export function startServer(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve())
  })
}

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

/** A server that answers 408 to clients who send so slowly that they only mean to occupy it, and closes their connections. */
export function createHttpServer(app: App, timeouts = TIMEOUTS): Server {
  return createServer({ ...timeouts, ...messagesOf(app) }, app)
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

/** How often connections are looked through for those that have become idle, in milliseconds. */
const SWEEP_MS = 100

/**
 * Takes no new connections and resolves when the running requests are answered. A server that is closing no longer minds its
 * time-outs, so what is open after the longest of them is cut.
 */
export function stopServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS)
    const deadline = setTimeout(() => server.closeAllConnections(), server.requestTimeout)
    server.close(() => {
      clearInterval(sweep)
      clearTimeout(deadline)
      resolve()
    })
  })
}

/** Where a listening server is reached: `http://127.0.0.1:8080`. */
export function addressOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}
