import { signOut, token } from './session.ts'

/** An endpoint of `src/api`, as far as its answers go. */
export type Called = { readonly $response?: object }
export type AnswerOf<Endpoint extends Called> = NonNullable<Endpoint['$response']>

/** An error that the API reported, or that kept its answer from arriving. */
export class ApiError extends Error {
  readonly status: number
  /** The error code of the API; `network` if there was no answer. */
  readonly code: string
  /** All fields of the error. */
  readonly fields: Readonly<Record<string, unknown>>

  constructor(status: number, code: string, message: string, fields: Record<string, unknown> = {}) {
    super(message)
    this.status = status
    this.code = code
    this.fields = fields
  }
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

type Options = {
  readonly body?: object
  readonly signal?: AbortSignal
  readonly headers?: Readonly<Record<string, string>>
  /** The token to send instead of that of the session. */
  readonly as?: string
}

/** The console is at `<base>/console/`, and the API at `<base>`. */
const BASE = new URL('..', document.baseURI).href.replace(/\/$/, '')

/** The address of something in the API: each value is encoded. */
export function path(texts: TemplateStringsArray, ...values: (string | number)[]): string {
  return String.raw({ raw: texts }, ...values.map((value) => encodeURIComponent(value)))
}

/** A query string of the parameters that have a value, with `?`. */
export function queryOf(params: Readonly<Record<string, string | number | undefined>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(params))
    if (value !== undefined && value !== '') query.set(name, String(value))
  return query.size > 0 ? `?${query}` : ''
}

/**
 * Calls the API.
 * @throws ApiError If the token of the session is no longer valid, the session ends too.
 */
export async function call<Endpoint extends Called>(
  method: Method,
  address: string,
  { body, signal, headers = {}, as = token.value }: Options = {},
): Promise<AnswerOf<Endpoint>> {
  const response = await send(`${BASE}${address}`, {
    method,
    headers: {
      ...headers,
      ...(as === undefined ? {} : { Authorization: `Bearer ${as}` }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  })
  const answer = await response.json().catch(() => ({}))
  if (response.ok) return answer
  const error = errorOf(response.status, answer)
  if (response.status === 401 && as === token.value)
    signOut(
      'The token is no longer valid: it has expired or was revoked. Sign in with another one.',
    )
  throw error
}

async function send(address: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(address, request)
  } catch (error) {
    if (request.signal?.aborted) throw error
    throw new ApiError(
      0,
      'network',
      'The service did not answer. Check the connection, then try again.',
    )
  }
}

/** The two shapes of errors: of an endpoint, and before it. */
function errorOf(status: number, answer: Record<string, unknown>): ApiError {
  const { message = `The service answered with ${status}.` } = answer
  const code = answer.error ?? answer.code ?? 'unknown'
  return new ApiError(status, String(code), String(message), answer)
}
