import type { IncomingMessage, ServerResponse } from 'node:http'
import supertest from 'supertest'
import { type ApiOptions, createApiApp } from '../../src/api/api-app.ts'
import { serveMcp } from '../../src/api/mcp/serve-mcp.ts'
import type { TokenLimits } from '../../src/record/auth/token-scopes.ts'
import { issueToken } from '../../src/record/auth/tokens.ts'
import { findUserByLogin } from '../../src/wordpress/users/users.ts'
import { Contract } from './contract.ts'
import { listen } from './listen.ts'
import { asTestExecutor } from './local-executor.ts'
import { type TestNetwork, useNetwork } from './network.ts'
import { openTestService } from './service.ts'
import { use } from './use.ts'

/** The API over HTTP on a test network. */
export type TestApi = Awaited<ReturnType<typeof startApi>>

/** Starts the API as it is served, without rate limits, log and static copies unless `overrides` has them. */
export async function startApi(network: TestNetwork, overrides: Partial<ApiOptions> = {}) {
  const service = await openTestService(network)
  const options = { ...service.apiOptions(), ...overrides }
  const app = createApiApp({ ...options, mcp: overrides.mcp ?? serveMcp(options) })
  const executor = asTestExecutor(service.builder, network)
  const faults: string[] = []
  const { basePath = '' } = overrides
  const server = await listen((request, response) => {
    checkResponse(request, response, basePath, faults)
    app(request, response)
  })
  const url = `http://127.0.0.1:${server.port}`
  const tokens = new Map<string, Promise<string>>()
  const token = (login: string): Promise<string> => {
    const issued = tokens.get(login) ?? issueTokenFor(network, login)
    tokens.set(login, issued)
    return issued
  }
  return {
    /** Base address, without a slash at the end. */
    url,
    /** What builds pages, unless the options have another one. */
    executor,
    /** The token of the user with this login, issued at the first call. */
    token,
    /** Sends requests as this user: `(await api.as('alice')).get('/site/2/frames')`. Without a login it sends no token. */
    as: async (login?: string) => {
      const agent = supertest.agent(url)
      return login === undefined
        ? agent
        : agent.set('Authorization', `Bearer ${await token(login)}`)
    },
    /** Throws if a response did not match the OpenAPI document. */
    close: async () => {
      service.changes.close()
      await server.close()
      await service.close()
      if (faults.length > 0) throw new Error([...new Set(faults)].join('\n'))
    },
  }
}

/** Starts the API on a network of its own; both end with the tests. */
export async function useApi(
  overrides: Partial<ApiOptions> = {},
): Promise<{ readonly network: TestNetwork; readonly api: TestApi }> {
  const network = await useNetwork()
  return { network, api: await use(startApi(network, overrides)) }
}

const contract = new Contract()

/** Compares each response with the OpenAPI document, except answers to preflights and those of the documentation, the page at the root, the console, the MCP server and the old endpoint. */
function checkResponse(
  { method = '', url = '' }: IncomingMessage,
  response: ServerResponse,
  basePath: string,
  faults: string[],
): void {
  const path = url.slice(basePath.length)
  if (
    method === 'OPTIONS' ||
    !url.startsWith(basePath) ||
    /^\/(?:$|docs|console|mcp|openapi\.json)/.test(path)
  )
    return
  const { end } = response
  response.end = ((...sent: unknown[]) => {
    const [chunk] = sent
    const body = typeof chunk === 'string' || Buffer.isBuffer(chunk) ? String(chunk) : undefined
    const { statusCode: status } = response
    // What the old endpoint answers is its own.
    if (Reflect.get(response, 'locals')?.route !== 'legacy')
      faults.push(
        ...contract.faultsOf({ method, path, status, headers: response.getHeaders(), body }),
      )
    return Reflect.apply(end, response, sent)
  }) as typeof end
}

/** A new token of the user with this login. */
export async function issueTokenFor(
  { db, globals }: TestNetwork,
  login: string,
  more: {
    readonly expiresAt?: Date
    readonly label?: string
    readonly limits?: TokenLimits
  } = {},
): Promise<string> {
  const user = await findUserByLogin(db, globals, login)
  if (!user) throw new Error(`no user ${login}`)
  const request = { userId: user.id, now: new Date(), ...more }
  return (await db.write({}, (tx) => issueToken(tx, globals, request))).token
}
