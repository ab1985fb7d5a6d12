import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { CLIENT, CLIENT_PATH, EVENTS_PATH } from './dev-client.ts'

/** The answer to a request for a page: its HTML, or the address where it is. */
export type DevAnswer =
  | { readonly status: number; readonly html: string }
  | { readonly location: string }

/** Only this machine reaches it. */
const HOST = '127.0.0.1'

/**
 * The pages' scripts run with an origin of their own: they read no cookies and no other page of this server. The origin is opaque, so
 * the events below are sent to `null`.
 */
const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "sandbox allow-scripts allow-forms allow-modals allow-popups allow-downloads; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
}

/** Serves pages to browsers on this machine, and tells them to reload. */
export class DevServer {
  readonly #server: Server
  readonly #answer: (target: string) => Promise<DevAnswer>
  readonly #listeners = new Set<ServerResponse>()
  readonly #startedAt = Date.now()
  #changes = 0

  /** @param answer of a path with its query; it reports its own errors */
  constructor(answer: (target: string) => Promise<DevAnswer>) {
    this.#answer = answer
    const serve: RequestListener = (request, response) => void this.#serve(request, response)
    this.#server = createServer(serve)
  }

  /** Identifies the state of the folder, also after a restart. */
  get revision(): string {
    return `${this.#startedAt}.${this.#changes}`
  }

  /** @returns the origin: `http://127.0.0.1:8082` */
  async start(port: number): Promise<string> {
    this.#server.listen(port, HOST)
    await once(this.#server, 'listening')
    return `http://${HOST}:${this.#port}`
  }

  /** Reloads all pages. */
  reload(): void {
    this.#changes += 1
    for (const response of this.#listeners) this.#send(response)
  }

  async stop(): Promise<void> {
    this.#server.close()
    this.#server.closeAllConnections()
    await once(this.#server, 'close')
  }

  get #port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url = '', headers } = request
    // A page elsewhere may have given its host name the address of this machine (DNS rebinding).
    if (headers.host !== `${HOST}:${this.#port}` && headers.host !== `localhost:${this.#port}`)
      return end(response, 421, `This server is http://${HOST}:${this.#port}.`)
    if (method !== 'GET' && method !== 'HEAD') return end(response, 405, 'Pages can only be read.')
    if (url === EVENTS_PATH) return this.#listen(response)
    if (url === CLIENT_PATH) {
      response.setHeader('Content-Type', 'text/javascript; charset=utf-8')
      return void response.end(CLIENT)
    }
    const answer = await this.#answer(url)
    if ('location' in answer)
      return void response.writeHead(302, { Location: answer.location }).end()
    response.writeHead(answer.status, PAGE_HEADERS).end(answer.html)
  }

  /** Server-Sent Events: the revision now and after each change. */
  #listen(response: ServerResponse): void {
    response.writeHead(200, {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-store',
      'Access-Control-Allow-Origin': 'null',
    })
    this.#listeners.add(response)
    response.once('close', () => this.#listeners.delete(response))
    this.#send(response)
  }

  #send(response: ServerResponse): void {
    response.write(`retry: 500\ndata: ${this.revision}\n\n`)
  }
}

function end(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' }).end(`${text}\n`)
}
