/** An answer of the service, or the reason why there was none: its process ended, or the request timed out. */
export type Answer =
  | {
      readonly status: number
      readonly ms: number
      readonly retryAfter: string | null
      /** By which the log of the service names the request. */
      readonly requestId: string | null
      readonly body: AnswerBody
    }
  | { readonly status: undefined; readonly ms: number; readonly reason: string }

/** The fields of bodies that are used. */
type AnswerBody = {
  readonly code?: string
  readonly error?: string
  readonly message?: string
  readonly item?: { readonly id: number }
  readonly static?: { readonly url: string | null }
}

/** Longer than any answer of the service may take, in milliseconds. */
const SILENCE_MS = 60_000

type CallerOptions = { readonly token: string; readonly blogId: number; readonly url?: string }

/** Calls the service about one site, at an address that may change. */
export class Caller {
  readonly #token: string
  readonly #blogId: number
  /** Name in reports. */
  readonly name: string
  /** Address of the API. */
  url: string

  constructor(name: string, { token, blogId, url = '' }: CallerOptions) {
    this.name = name
    this.#token = token
    this.#blogId = blogId
    this.url = url
  }

  /** Never throws: a failure is returned as an answer. */
  async call(method: string, path: string, body?: object): Promise<Answer> {
    const began = performance.now()
    try {
      const response = await fetch(`${this.url}/site/${this.#blogId}${path}`, {
        method,
        headers: { Authorization: `Bearer ${this.#token}`, 'Content-Type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(SILENCE_MS),
      })
      const answer = (await response.json()) as AnswerBody
      return {
        status: response.status,
        ms: performance.now() - began,
        retryAfter: response.headers.get('retry-after'),
        requestId: response.headers.get('x-request-id'),
        body: answer,
      }
    } catch (error) {
      return { status: undefined, ms: performance.now() - began, reason: reasonOf(error) }
    }
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}
