import { type OutgoingHttpHeaders, request } from 'node:http'
import { text } from 'node:stream/consumers'

/** The servers that give the same answers; `cached` is WordPress with a persistent object cache in Redis. */
export const CONTENDERS = ['service', 'express', 'wordpress', 'cached'] as const

export type ContenderName = (typeof CONTENDERS)[number]

/** A server under load, and its addresses. */
export type Contender = {
  readonly name: ContenderName
  /** Address of the measured site's API, to which `/frames` is appended. */
  readonly apiUrl: string
  /** Address of the measured site's pages, to which `/about-us/` is appended. */
  readonly frontUrl: string
  /** The host by which WordPress and the front know the site, and the token. */
  readonly headers: { readonly host: string; readonly authorization: string }
  /** The ids of the processes that do the work, without the database. */
  processes(): number[]
  /** Clears its caches after the data of a workload was created. */
  clearCache?(): Promise<void>
}

/** A request, the same for every contender. */
export type Ask = {
  readonly method?: 'GET' | 'PUT' | 'POST' | 'PATCH'
  /** The base address of the path [api]. */
  readonly at?: 'api' | 'front'
  readonly path: string
  readonly body?: object
  /** Sends no token, like a visitor: WordPress's pages for visitors have no admin bar. */
  readonly anonymous?: boolean
}

export type Answer = { readonly status: number; readonly body: string; readonly ms: number }

/** A request to a contender: its address, headers and bytes. */
export function requestTo(contender: Contender, ask: Ask) {
  const { method = 'GET', at = 'api', path, body, anonymous = false } = ask
  const { authorization, ...bare } = contender.headers
  return {
    url: `${at === 'api' ? contender.apiUrl : contender.frontUrl}${path}`,
    method,
    headers: {
      ...bare,
      ...(anonymous ? {} : { authorization }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  }
}

/** Sends a request once and returns the whole answer. */
export function send(contender: Contender, ask: Ask): Promise<Answer> {
  const { url, ...sent } = requestTo(contender, ask)
  return exchange(url, sent)
}

/**
 * Sends a request that must succeed.
 * @throws Error unless the answer is a success
 */
export async function ask(contender: Contender, asked: Ask): Promise<Answer> {
  const answer = await send(contender, asked)
  if (answer.status === 200) return answer
  throw new Error(`${asked.method} ${asked.path} was answered ${answer.status}: ${answer.body}`)
}

/** Sends a request to any address: the host of `headers` need not be that of the address. */
export function exchange(
  url: string,
  {
    method = 'GET',
    headers = {},
    body,
  }: {
    readonly method?: string
    readonly headers?: OutgoingHttpHeaders
    readonly body?: string | undefined
  } = {},
): Promise<Answer> {
  const start = performance.now()
  return new Promise((answered, failed) => {
    const sent = request(url, { method, headers }, async (response) => {
      const received = await text(response)
      const ms = performance.now() - start
      answered({ status: response.statusCode ?? 0, body: received, ms })
    })
    sent.once('error', failed)
    sent.end(body)
  })
}
