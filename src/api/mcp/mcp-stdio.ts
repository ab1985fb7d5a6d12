import { randomUUID } from 'node:crypto'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { readVersion } from '../../host/package-version.ts'
import type { AskedTokens } from '../../record/auth/asked-tokens.ts'
import { authenticate, type Caller, findStoredToken } from '../../record/auth/authenticate.ts'
import type { RateLimits } from '../../record/auth/rate-limits.ts'
import type { TokenUse } from '../../record/auth/tokens.ts'
import { countFailure } from '../authenticate-request.ts'
import { ServerTiming } from '../server-timing.ts'
import { type ClientChoice, chooseTools } from './client-choice.ts'
import type { McpMessage, McpServices } from './mcp-request.ts'
import { createMcpServer } from './mcp-server.ts'
import { openTools } from './tools.ts'

export type McpStdioServices = McpServices & {
  readonly limits: RateLimits
  readonly tokenUse: TokenUse
  /** Tokens that the old endpoint is asked about [none]. */
  readonly asked?: AskedTokens | undefined
}

/** A client on this machine has no address, and no limit of failed authentications. */
const LOCAL_CLIENT = {
  client: undefined,
  headers: {},
  addressKey: 'local',
  mayNameSiteInBody: false,
  mayAsk: async () => {},
}

/**
 * Serves one MCP client on standard input and output. The token is authenticated for each message, so that it can be revoked.
 * @returns a function that ends the connection
 * @throws AppError `invalid_token`, `rest_invalid_param` for a choice that the server does not have
 */
export async function serveMcpOverStdio(
  services: McpStdioServices,
  token: string,
  choice: ClientChoice,
): Promise<() => Promise<void>> {
  const { db, globals, limits, tokenUse, now, log, asked } = services
  const find = () => findStoredToken(db, globals, token, { now: now(), blogId: 0 })
  const stdio = { token, choice: { by: 'default' }, ...LOCAL_CLIENT, find } as const
  const findCaller = async (): Promise<Caller> => {
    const caller = asked
      ? await asked.findCaller(stdio)
      : await authenticate(db, globals, token, now())
    const counted = await limits.countRequest(`token:${caller.tokenId}`)
    if (counted?.exceeded) throw counted.exceeded
    tokenUse.record(caller.tokenId, now())
    return caller
  }
  const { tokenId } = await findCaller()
  const receive = (): McpMessage => {
    const outcome: McpMessage['outcome'] = {}
    return {
      requestId: randomUUID(),
      timings: new ServerTiming(),
      outcome,
      authenticate: findCaller,
      answered: () => {
        const { failedStatus: status = 200, site } = outcome
        countFailure(tokenUse, tokenId, { status, site })
      },
    }
  }
  const offered = { version: await readVersion(), tools: chooseTools(await openTools(), choice) }
  const connection = serveStdio(() => createMcpServer(services, offered, receive), {
    onerror: (error) => log.debug({ err: error }, 'MCP request refused'),
  })
  return () => connection.close()
}
