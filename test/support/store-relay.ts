import { request as forward, type IncomingMessage, type ServerResponse } from 'node:http'
import { listen } from './listen.ts'

/** What happens to a request before the store gets it. */
type Interference =
  | { readonly drop: readonly string[] }
  | { readonly status: number; readonly code: string; readonly headers?: Record<string, string> }
  | undefined

/** A relay in front of a store: it leaves headers out, or answers in place of the store, in the shape that is documented. */
export type StoreRelay = {
  readonly endpoint: string
  /** Method and path of all requests, in order. */
  readonly requests: string[]
  /** Decides on each request [none]. */
  interfere: (request: IncomingMessage) => Interference
  stop(): Promise<void>
}

export async function startStoreRelay(endpoint: string): Promise<StoreRelay> {
  const { hostname, port } = new URL(endpoint)
  const server = await listen((request, response) => {
    relay.requests.push(`${request.method} ${request.url}`)
    const interference = relay.interfere(request)
    if (interference && 'status' in interference) return refuse(request, response, interference)
    const headers = { ...request.headers }
    for (const name of interference?.drop ?? []) delete headers[name]
    const { method, url: path } = request
    const onward = forward({ hostname, port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
    onward.on('error', () => response.destroy())
    request.pipe(onward)
  })
  const relay: StoreRelay = {
    endpoint: `http://127.0.0.1:${server.port}`,
    requests: [],
    interfere: () => undefined,
    stop: () => server.close(),
  }
  return relay
}

function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  {
    status,
    code,
    headers = {},
  }: { status: number; code: string; headers?: Record<string, string> },
): void {
  request.resume()
  const body = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>-</Message></Error>`
  request.on('end', () => {
    response.writeHead(status, { 'Content-Type': 'application/xml', ...headers })
    response.end(request.method === 'HEAD' ? undefined : body)
  })
}
