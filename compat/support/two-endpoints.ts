import { randomBytes } from 'node:crypto'
import type { CompatFixture } from './compat-fixture.ts'
import { type OldEndpoint, oldEndpoint } from './old-endpoint.ts'

type Side = 'old' | 'new'

/** A request below the address of an endpoint. */
export type Asked = {
  readonly method?: string
  /** A text and a form are sent as they are, an object as JSON. */
  readonly body?: string | FormData | object
  readonly headers?: Readonly<Record<string, string>>
  /** `null`: no token [a token of the site's administrator]. */
  readonly token?: string | null
}

export type Answered = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The JSON of the body; undefined if it is none. */
  readonly body: unknown
}

/** The old endpoint and wp-frames, asked the same. */
export type TwoEndpoints = {
  readonly old: OldEndpoint
  ask(side: Side, path: string, asked?: Asked): Promise<Answered>
  /** The answers of the old endpoint and of wp-frames. */
  both(path: string, asked?: Asked): Promise<{ readonly old: Answered; readonly new: Answered }>
}

/** Both endpoints, with tokens of the fixture's administrator. */
export async function twoEndpoints({ api, admin }: CompatFixture): Promise<TwoEndpoints> {
  const old = oldEndpoint()
  const addresses = { old: old.url, new: api.url }
  const tokens = { old: await old.token(admin), new: await api.token(admin) }
  // Failed authentications of one address count in all test files.
  const address = { 'X-Forwarded-For': `2001:db8::${randomBytes(2).toString('hex')}` }
  const ask: TwoEndpoints['ask'] = (side, path, { token = tokens[side], headers, ...asked } = {}) =>
    send(`${addresses[side]}${path}`, { ...asked, token, headers: { ...address, ...headers } })
  return {
    old,
    ask,
    both: async (path, asked) => ({
      old: await ask('old', path, asked),
      new: await ask('new', path, asked),
    }),
  }
}

/** Sends a request, and reads the answer without following redirects. */
async function send(
  url: string,
  { method = 'GET', body, headers = {}, token }: Asked = {},
): Promise<Answered> {
  const raw = typeof body === 'object' && !(body instanceof FormData) ? JSON.stringify(body) : body
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: {
      ...(body === undefined || body instanceof FormData
        ? {}
        : { 'Content-Type': 'application/json' }),
      ...(token == null ? {} : { Authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(raw === undefined ? {} : { body: raw }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: jsonOf(text) }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** An image of one pixel. All of its bytes are ASCII, so it can be sent as text. */
export const GIF = 'GIF89a\x01\0\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\0;'
