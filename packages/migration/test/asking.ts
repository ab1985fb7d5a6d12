import { beforeEach, onTestFinished } from 'vitest'
import { createLog, type Log } from '../../../src/host/log.ts'
import { RateLimits } from '../../../src/record/auth/rate-limits.ts'
import { checksTable } from '../../../src/record/auth/token-scopes.ts'
import {
  generateToken,
  hashToken,
  listTokens,
  type Token,
  tokensTable,
} from '../../../src/record/auth/tokens.ts'
import { historyTable } from '../../../src/record/history/history-row.ts'
import { startApi } from '../../../test/support/api.ts'
import { type TestNetwork, useNetwork } from '../../../test/support/network.ts'
import { use } from '../../../test/support/use.ts'
import { askEndpoint } from '../src/old-endpoint/ask-about-token.ts'
import { TokensOfOldEndpoint } from '../src/old-endpoint/asked-tokens.ts'
import { type OldEndpoint, startOldEndpoint } from './old-endpoint.ts'

/** An API that asks an old endpoint about tokens. */
type AskingApi = Awaited<ReturnType<typeof startAskingApi>>

/** A response of the API. */
export type AskedAnswer = {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests read fields of the response
  readonly body: any
  readonly headers: Headers
}

/** Answers to reads of sites as the contract says. @param valid the sites for which each token is valid */
export function answerAbout(
  valid: ReadonlyMap<string, ReadonlySet<number>>,
): OldEndpoint['answer'] {
  return ({ headers, url }, response) => {
    const sites = valid.get(headers.authorization?.slice('Bearer '.length) ?? '')
    const site = Number(/\/site\/(\d+)\//.exec(url ?? '')?.[1])
    const answer = (status: number, body: object) =>
      void response
        .writeHead(status, { 'Content-Type': 'application/json' })
        .end(JSON.stringify(body))
    if (!sites) answer(401, { code: 'invalid_token', message: '', data: { status: 401 } })
    else if (sites.has(site)) answer(200, { success: true, site_id: site, menus: [] })
    else answer(404, { code: 'site_not_found', message: '', data: { status: 404 } })
  }
}

type AskingOptions = {
  /** What LEGACY_TOKEN_USER says. */
  readonly login?: string
  readonly authFailuresPerMinute?: number
  readonly log?: Log
} & Parameters<typeof startApi>[1]

/** The API on a network of its own. Before each test, the old endpoint has no fault and has received nothing. */
export async function useAskingApi() {
  const network = await useNetwork()
  const asking = await use(startAskingApi(network))
  beforeEach(() => {
    asking.fault = undefined
    asking.old.received.length = 0
    // Beyond the pause after a question without an answer.
    asking.pass(1)
  })
  /** Another API on the same network, until the end of a test. */
  const startOther = async (options: AskingOptions): Promise<AskingApi> => {
    const other = await startAskingApi(network, options)
    onTestFinished(() => other.close())
    return other
  }
  return { network, asking, stored: storedTokens(network), startOther }
}

async function startAskingApi(
  network: TestNetwork,
  { login, authFailuresPerMinute = 0, log = createLog('silent'), ...overrides }: AskingOptions = {},
) {
  const { db, globals } = network
  const old = await startOldEndpoint()
  const valid = new Map<string, Set<number>>()
  let passed = 0
  const now = () => new Date(Date.now() + passed)
  const ask = askEndpoint(old.url, 1000)
  const asked = new TokensOfOldEndpoint({ db, globals, log, now, ask, login })
  const limits = new RateLimits({ rateLimitPerMinute: 0, authFailuresPerMinute })
  const api = await startApi(network, { asked, now, limits, log, ...overrides })
  old.answer = (request, response) => {
    const { fault } = asking
    if (fault) fault(request, response)
    else answerAbout(valid)(request, response)
  }
  const send = async (
    method: string,
    path: string,
    token: string,
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<AskedAnswer> => {
    const response = await fetch(`${api.url}${path}`, {
      method,
      headers: {
        ...(token === '' ? {} : { Authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: await response.json(), headers: response.headers }
  }
  const asking = {
    api,
    old,
    /** The time of the service. */
    now,
    /** The sites for which the old endpoint accepts each token. */
    valid,
    /** What the old endpoint does instead of answering. */
    fault: undefined as OldEndpoint['answer'] | undefined,
    /** A token of the old endpoint, valid for these sites. */
    oldToken: (...sites: number[]) => {
      const token = generateToken()
      valid.set(token, new Set(sites))
      return token
    },
    /** How often the old endpoint was asked. */
    questions: (token?: string) =>
      old.received.filter(
        ({ headers }) => token === undefined || headers.authorization === `Bearer ${token}`,
      ).length,
    /** Lets time pass for the service. */
    pass: (minutes: number) => {
      passed += minutes * 60_000
    },
    get: (path: string, token = '') => send('GET', path, token, undefined),
    send,
    close: async () => {
      await api.close()
      await old.close()
    },
  }
  return asking
}

/** What is stored of tokens of the old endpoint. */
function storedTokens({ db, globals }: TestNetwork) {
  const rowOf = async (token: string): Promise<Token | undefined> => {
    const all = await listTokens(db, globals)
    const [row] = await db.sql(tokensTable(globals)).where({ hash: hashToken(token) })
    return all.find(({ id }) => id === row?.id)
  }
  const idOf = async (token: string): Promise<number> => (await rowOf(token))?.id ?? 0
  return {
    rowOf,
    /** The sites for which the token was accepted, each with the id of its user. */
    checksOf: async (token: string): Promise<number[][]> => {
      const rows = await db
        .sql(checksTable(globals))
        .where({ token_id: await idOf(token) })
        .orderBy('blog_id')
      return rows.map(({ blog_id, user_id }) => [blog_id, user_id])
    },
    /** Its entries in the history. */
    entriesOf: async (token: string): Promise<{ action: string; label: string; state: string }[]> =>
      db
        .sql(historyTable(globals))
        .where({ kind: 'token', ref: String(await idOf(token)) })
        .orderBy('id'),
  }
}

/** The status and the code of a response. */
export const codeOf = ({ status, body }: Pick<AskedAnswer, 'status' | 'body'>): string =>
  `${status} ${body.code ?? body.error ?? ''}`.trim()

/** Answers every request with this. */
export const answerWith =
  (status: number, body: string, type = 'application/json'): OldEndpoint['answer'] =>
  (_request, response) =>
    void response.writeHead(status, { 'Content-Type': type }).end(body)
