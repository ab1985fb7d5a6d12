import { once } from 'node:events'
import {
  IncomingMessage,
  type RequestListener,
  Server,
  type ServerOptions,
  ServerResponse,
} from 'node:http'
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net'
import { setImmediate as nextMacrotask, setTimeout as sleep } from 'node:timers/promises'
import type { Log } from './log.ts'
import type { Timings } from './timings.ts'

/** Maximum memory of all responses that clients have not received yet, in bytes. */
export const MAX_UNSENT_BYTES = 64 * 1024 * 1024

/**
 * Responses that were written to connections whose clients have not received them yet. They are few, because the system buffers most
 * responses at once. If they take too much memory together, the connections of the largest response are closed: clients that do read have
 * little left to receive.
 */
export class UnsentResponses {
  readonly #maxBytes: number
  readonly #timeoutMs: number
  /** By buffer, or by response if it has its own: a buffer that is sent to many clients is in memory once. */
  readonly #waiting = new Map<object, { readonly bytes: number; responses: Set<ServerResponse> }>()
  #bytes = 0

  /** @param timeoutMs a connection is closed if its client receives nothing of a pending response for this long, in milliseconds */
  constructor({
    maxBytes = MAX_UNSENT_BYTES,
    timeoutMs,
  }: { readonly maxBytes?: number; readonly timeoutMs: number }) {
    this.#maxBytes = maxBytes
    this.#timeoutMs = timeoutMs
  }

  /**
   * @param response a response that has ended and is not fully sent
   * @param chunk the argument of its `end`
   */
  add(response: ServerResponse, chunk: unknown): void {
    const key = Buffer.isBuffer(chunk) ? chunk : response
    const waiting = this.#waiting.get(key) ?? this.#begin(key, response.writableLength)
    waiting.responses.add(response)
    response.once('close', () => this.#remove(key, response))
    if (response.socket) this.#limitSilence(response, response.socket)
    // A pipelined request gets the socket when the earlier ones are answered.
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

  /** Node closes the connection at the timeout, and restarts the timeout whenever the client receives something. */
  #limitSilence(response: ServerResponse, socket: Socket): void {
    socket.setTimeout(this.#timeoutMs)
    // Prepended: Node's own listener then sets the keep-alive timeout.
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
  readonly timings: Timings['http']
  /** How long an idle connection stays open, in milliseconds. */
  readonly keepAliveMs: number
  /** How long a request may take to arrive completely, in milliseconds [`http.requestTimeoutMs`]. */
  readonly uploadTimeoutMs?: number
  /** Shared by the servers of a process. */
  readonly unsent?: UnsentResponses
  readonly log?: Log
  /** Called instead of the application, which `next` calls. */
  readonly handle?: (request: IncomingMessage, response: ServerResponse, next: () => void) => void
}

/** An HTTP server with timeouts against slow clients (408 and the connection is closed), and with a graceful stop. */
export class HttpServer extends Server {
  readonly #running = new Set<ServerResponse>()
  readonly #connections = new Set<Socket>()
  readonly #log: Log | undefined
  readonly #timings: Timings['http']
  #stopping = false

  constructor(
    app: App,
    {
      timings,
      keepAliveMs,
      uploadTimeoutMs = timings.requestTimeoutMs,
      handle,
      unsent = new UnsentResponses({ timeoutMs: timings.unsentTimeoutMs }),
      log,
    }: HttpServerOptions,
  ) {
    const timeouts = {
      headersTimeout: timings.headersTimeoutMs,
      requestTimeout: uploadTimeoutMs,
      keepAliveTimeout: keepAliveMs,
      connectionsCheckingInterval: timings.checkIntervalMs,
    }
    super({ ...timeouts, ...messagesOf(app, unsent) }, (request, response) => {
      this.#running.add(response)
      response.once('close', () => this.#running.delete(response))
      if (this.#stopping) response.setHeader('Connection', 'close')
      const next = () => app(request, response)
      if (handle) handle(request, response, next)
      else next()
    })
    this.#log = log
    this.#timings = timings
    this.on('clientError', (error, socket) => this.#refuse(error, socket as Socket))
    this.on('connection', (socket) => {
      this.#connections.add(socket)
      socket.once('close', () => this.#connections.delete(socket))
    })
  }

  /**
   * Ends a connection after an error of the protocol or a timeout, with the statuses of Node. A connection that a load balancer opened in advance and did
   * not use ends without a response, which would be taken for the one to the next request.
   */
  #refuse({ code = '' }: NodeJS.ErrnoException, socket: Socket): void {
    const isAnswered = [...this.#running].some(
      (response) => response.socket === socket && response.headersSent,
    )
    if (socket.writable && socket.bytesRead > 0 && !isAnswered)
      socket.write(`HTTP/1.1 ${REFUSALS[code] ?? '400 Bad Request'}\r\nConnection: close\r\n\r\n`)
    socket.destroy()
  }

  /** Starts to listen. @returns the base URL, such as `http://127.0.0.1:8080` */
  async start(host: string, port: number): Promise<string> {
    await once(this.listen(port, host), 'listening')
    // For example a connection that cannot be accepted because there are no file descriptors left.
    this.on('error', (error) => this.#log?.error({ err: error }, 'server error'))
    const { address, family, port: chosen } = this.address() as AddressInfo
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${chosen}`
  }

  /**
   * Accepts no new connections, and resolves when every received request is answered completely. Responses carry `Connection: close`, so that
   * no client sends another request on a connection that is being closed. Connections still open after a minute are cut.
   */
  async stop(): Promise<void> {
    this.#stopping = true
    for (const response of this.#running) {
      if (!response.headersSent) response.setHeader('Connection', 'close')
    }
    const { requestTimeoutMs, graceMs, sweepMs } = this.#timings
    const deadline = setTimeout(() => this.closeAllConnections(), requestTimeoutMs)
    // `close` of the HTTP server would close idle connections at once, although a request may be arriving on one.
    const closed = new Promise<void>((resolve) => {
      NetServer.prototype.close.call(this, () => resolve())
    })
    await Promise.race([closed, sleep(graceMs, undefined, { ref: false })])
    // After a pause of the process timers run first: read what arrived meanwhile before its connection counts as idle.
    await nextMacrotask()
    this.close()
    // Connections that browsers and load balancers open in advance: Node does not treat them as idle, it waits for headers.
    for (const socket of this.#connections) if (socket.bytesRead === 0) socket.destroy()
    const sweep = setInterval(() => this.closeIdleConnections(), sweepMs)
    await closed
    clearInterval(sweep)
    clearTimeout(deadline)
  }
}

/** The status of an error of the protocol; 400 for all others. */
const REFUSALS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

/** A plain request listener, or an Express application with the prototypes of its requests and responses. */
type App = RequestListener & { request?: IncomingMessage; response?: ServerResponse }

/**
 * Classes whose instances have the prototypes of the Express application from the start. Otherwise Express calls setPrototypeOf on every
 * request and response, which de-optimizes property access: reading them becomes three times slower.
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
