import type { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { listen } from '../../../test/support/listen.ts'

/** A response of the endpoint behind it. */
type EndpointResponse = Awaited<ReturnType<typeof forward>>

/** A request that it has received. */
export type ReceivedRequest = {
  readonly method: string
  /** With the query. */
  readonly path: string
  /** What was sent in `Authorization`. */
  readonly token: string | undefined
}

/** Changes responses; may be slow. */
export type Deviation = (
  response: EndpointResponse,
  request: ReceivedRequest,
) => void | Promise<void>

type BeforeRequest = (request: ReceivedRequest) => Promise<unknown>

/** An endpoint that answers as the one behind it does, except for its deviation. */
export type DeviatingEndpoint = Awaited<ReturnType<typeof startDeviatingEndpoint>>

const HEADERS = ['authorization', 'x-svc-key', 'x-svc-blog-id', 'content-type', 'accept']

/** Starts it in front of an API. */
export async function startDeviatingEndpoint(url: string) {
  let deviation: Deviation | undefined
  let before: BeforeRequest | undefined
  const requests: ReceivedRequest[] = []
  const server = await listen(async (request, response) => {
    const received = {
      method: request.method ?? '',
      path: request.url ?? '',
      token: request.headers.authorization,
    }
    requests.push(received)
    if ((await before?.(received)) === 'drop') {
      request.socket.destroy()
      return
    }
    const answer = await forward(url, request).catch(() => undefined)
    // The client has closed the connection.
    if (!answer) return
    await deviation?.(answer, received)
    response.writeHead(answer.status, answer.headers).end(answer.body)
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    /** The requests since the last reset. */
    requests,
    deviate: (next: Deviation | undefined) => {
      deviation = next
    },
    /** Runs before a request is sent on. With `drop`, the connection is closed instead. */
    before: (work: BeforeRequest) => {
      before = work
    },
    reset: () => {
      requests.length = 0
      deviation = undefined
      before = undefined
    },
    close: () => server.close(),
  }
}

async function forward(url: string, request: IncomingMessage) {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const headers = HEADERS.flatMap((name) => {
    const value = request.headers[name]
    return typeof value === 'string' ? [[name, value] as [string, string]] : []
  })
  const response = await fetch(`${url}${request.url}`, {
    method: request.method ?? 'GET',
    headers,
    body: chunks.length > 0 ? Buffer.concat(chunks) : null,
    redirect: 'manual',
  })
  const { 'content-length': _, ...sent } = Object.fromEntries(response.headers)
  return { status: response.status, headers: sent, body: await response.text() }
}

/** Changes the JSON of successful responses to requests whose path matches. */
export const changingJson =
  (path: RegExp, change: (body: Record<string, unknown>) => unknown): Deviation =>
  (response, request) => {
    if (response.status !== 200 || !path.test(request.path)) return
    const body: Record<string, unknown> = JSON.parse(response.body)
    response.body = JSON.stringify(change(body) ?? body)
  }

/** Delays responses to requests whose path matches. */
export const delaying =
  (path: RegExp, ms: number): Deviation =>
  async (_, request) => {
    if (path.test(request.path)) await sleep(ms)
  }
