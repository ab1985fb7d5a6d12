import { PSEUDONYM } from './legacy-endpoint.ts'

/** What the old endpoint says about a token. */
export type TokenAnswer =
  /** It is valid for an administrator of the site, it is not valid, or it is valid for another site only. */
  | { readonly answer: 'accepted' | 'refused' | 'other_site' }
  | {
      readonly answer: 'unknown'
      /** The end of a sentence about the old endpoint. */
      readonly reason: string
      /**
       * No connection can be made, so other questions would get no answer either. Everything else may be due to this question, and says nothing about
       * others: a firewall that blocks the address of the client or ends its connection, an error for this site, a slow answer.
       */
      readonly isOutage: boolean
      readonly retryAfterSeconds?: number
    }

export type TokenQuestion = {
  readonly token: string
  readonly blogId: number
  /** Whose request it is, for the limits of the old endpoint; its protocol is `http` or `https`. */
  readonly client: { readonly address: string; readonly protocol: string } | undefined
}

export type AskAboutToken = (question: TokenQuestion) => Promise<TokenAnswer>

/** Longest answer that is read, in bytes. */
export const MAX_TOKEN_ANSWER_BYTES = 1024 * 1024

/**
 * Asks the endpoint at an address about tokens: a read of the site's menus, which stores nothing. Only answers of the contract decide: a page of a login, of a
 * firewall or of a WordPress without the endpoint says nothing about a token.
 * @param url without a slash at the end
 * @param timeoutMs longest time of one question, in milliseconds
 */
export function askEndpoint(url: string, timeoutMs: number): AskAboutToken {
  return async ({ token, blogId, client }) => {
    try {
      const response = await fetch(`${url}/site/${blogId}/menus`, {
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
        headers: {
          Accept: 'application/json',
          // Some web servers do not pass Authorization to PHP.
          Authorization: `Bearer ${token}`,
          'X-Svc-Key': token,
          Via: `1.1 ${PSEUDONYM}`,
          ...forwardedHeaders(client),
        },
      })
      return judge(response, await readJsonObject(response), blogId)
    } catch (error) {
      const isOutage = NO_CONNECTION.has(codeOf(error))
      return { answer: 'unknown', reason: describeFailure(error, timeoutMs), isOutage }
    }
  }
}

function forwardedHeaders(client: TokenQuestion['client']): Record<string, string> {
  if (!client) return {}
  return { 'X-Forwarded-For': client.address, 'X-Forwarded-Proto': client.protocol }
}

/** Statuses and codes of the contract that say something about the token (section 7). */
const MEANINGS: readonly (readonly [number, string, 'refused' | 'other_site'])[] = [
  [401, 'invalid_token', 'refused'],
  [403, 'insufficient_role', 'other_site'],
  [403, 'insufficient_scope', 'other_site'],
  [404, 'site_not_found', 'other_site'],
]

/** Failures before anything of the question is sent. */
const NO_CONNECTION: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

const codeOf = (error: unknown): string =>
  (error as { readonly cause?: NodeJS.ErrnoException }).cause?.code ?? ''

function judge(
  { status, headers }: Response,
  body: Readonly<Record<string, unknown>> | undefined,
  blogId: number,
): TokenAnswer {
  if (status === 200 && body?.success === true) {
    // A WordPress without the endpoint may answer everything with success.
    if (body.site_id === blogId && Array.isArray(body.menus)) return { answer: 'accepted' }
    // A web server in between may have lost the site.
    const reason =
      typeof body.site_id === 'number' && body.site_id !== blogId
        ? 'answers for another site'
        : 'answers 200 without the number of the site and its menus'
    return { answer: 'unknown', reason, isOutage: false }
  }
  const code = body?.code ?? body?.error
  const [, , answer] = MEANINGS.find((known) => known[0] === status && known[1] === code) ?? []
  if (answer !== undefined) return { answer }
  // Its limits are those of one token or address.
  const wait = Number(headers.get('retry-after'))
  if (status === 429)
    return {
      answer: 'unknown',
      reason: 'answers 429: too many requests',
      isOutage: false,
      ...(wait > 0 ? { retryAfterSeconds: Math.min(Math.ceil(wait), 60) } : {}),
    }
  return { answer: 'unknown', reason: describeAnswer(status, body, code), isOutage: false }
}

function describeAnswer(status: number, body: object | undefined, code: unknown): string {
  if (status >= 300 && status < 400) return `redirects (${status}), perhaps to a login`
  if (!body) return `answers ${status} without a JSON object`
  // Codes are identifiers; another text could be anything.
  return typeof code === 'string' && /^[a-z_]{1,40}$/.test(code)
    ? `answers ${status} with the code ${code}`
    : `answers ${status} with JSON that the contract does not have`
}

/** Undefined if the body is no JSON object, or too long. */
async function readJsonObject(response: Response): Promise<Record<string, unknown> | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > MAX_TOKEN_ANSWER_BYTES) return undefined
    chunks.push(chunk)
  }
  try {
    const value: unknown = JSON.parse(Buffer.concat(chunks).toString())
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}

function describeFailure(error: unknown, timeoutMs: number): string {
  if (error instanceof Error && error.name === 'TimeoutError')
    return `has not answered within ${timeoutMs / 1000} seconds`
  return `cannot be reached (${codeOf(error) || 'no answer'})`
}
