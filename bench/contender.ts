import { request } from 'node:http'
import { text } from 'node:stream/consumers'

/** Who does the same work beside each other; `cached` is WordPress with a persistent object cache in Redis. */
export const CONTENDERS = ['service', 'floor', 'wordpress', 'cached'] as const

export type ContenderName = (typeof CONTENDERS)[number]

/** A server under load, and where it has things. */
export type Contender = {
  readonly name: ContenderName
  /** Address of the measured site's API: `/frames` is to be appended. */
  readonly apiUrl: string
  /** Address of the measured site's pages: `/about-us/` is to be appended. */
  readonly frontUrl: string
  /** The host by which WordPress and the front know the site, and the token. */
  readonly headers: { readonly host: string; readonly authorization: string }
  /** The processes that do the work, the database's aside. */
  processes(): number[]
  /** Lets go of what it remembers, where the tables were changed behind its back. */
  forget?(): Promise<void>
}

/** A request, the same for every contender. */
export type Ask = {
  readonly method?: 'GET' | 'PUT' | 'POST' | 'PATCH'
  /** Which of the site's addresses the path is below [api]. */
  readonly at?: 'api' | 'front'
  readonly path: string
  readonly body?: object
  /** Without the token, as visitors come: to them, WordPress's pages have no admin bar. */
  readonly anonymous?: boolean
}

export type Answer = { readonly status: number; readonly body: string; readonly ms: number }

/** A request as it goes to a contender: its address, headers and bytes. */
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

/** Sends a request once and gives the whole answer. */
export async function send(contender: Contender, ask: Ask): Promise<Answer> {
  const { url, method, headers, body } = requestTo(contender, ask)
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
