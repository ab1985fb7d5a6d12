import { connect, type Socket } from 'node:net'
import { exchange, type Received } from '../hostile/exchange.ts'

/** One tenant with one token: sends requests and counts the answers. */
export class Tenant {
  readonly statuses = new Map<string, number>()
  /** Prefix of the names of created things, so that one attack does not reuse those of another. */
  readonly name: string
  readonly #url: string
  readonly #token: string
  readonly #blogId: number

  constructor(
    name: string,
    { url, token, blogId }: { url: string; token: string; blogId: number },
  ) {
    this.name = name
    this.#url = url
    this.#token = token
    this.#blogId = blogId
  }

  /** Sends a request; `body` is sent as JSON, or unchanged if it is a buffer with a content coding. */
  async send(method: string, path: string, body?: object | Buffer): Promise<Received> {
    const isCoded = Buffer.isBuffer(body)
    const received = await exchange(this.#url, {
      method,
      path: this.#path(path),
      headers: { ...this.#headers(), ...(isCoded ? { 'Content-Encoding': 'gzip' } : {}) },
      ...(body === undefined ? {} : { body: isCoded ? body : JSON.stringify(body) }),
    })
    return this.#count(received)
  }

  /** Calls a tool of the MCP endpoint, which is none of the site's paths. */
  async callTool(name: string, input: object): Promise<Received> {
    const params = { name, arguments: { site_id: this.#blogId, ...input } }
    const received = await exchange(this.#url, {
      method: 'POST',
      path: '/mcp',
      headers: { ...this.#headers(), Accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    })
    const isRefused = received.text.includes('"isError":true')
    return this.#count(received, isRefused ? ' with the error of a tool' : '')
  }

  /** Opens a connection and writes the head of a request; the caller may misuse the connection. */
  open(method: string, path: string, headers: Readonly<Record<string, string>> = {}): Socket {
    const { hostname, port } = new URL(this.#url)
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    const lines = Object.entries({ Host: 'x', ...this.#headers(), ...headers })
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
    socket.write(`${method} ${this.#path(path)} HTTP/1.1\r\n${head}\r\n`)
    return socket
  }

  #count(received: Received, detail = ''): Received {
    const answer = `${received.status ?? 'no answer'}${detail}`
    this.statuses.set(answer, (this.statuses.get(answer) ?? 0) + 1)
    return received
  }

  #path(path: string): string {
    return `/site/${this.#blogId}${path}`
  }

  #headers() {
    return { Authorization: `Bearer ${this.#token}`, 'Content-Type': 'application/json' }
  }
}
