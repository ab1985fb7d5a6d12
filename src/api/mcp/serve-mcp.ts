import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  type Request as ExpressRequest,
  type Response as ExpressResponse,
  type RequestHandler,
  Router,
} from 'express'
import type { ByteBudget } from '../../host/concurrency/byte-budget.ts'
import { AppError } from '../../host/errors.ts'
import { callerOf } from '../authenticate-request.ts'
import { hasBody, MAX_LARGE_BODY_BYTES, readJson } from '../request-body.ts'
import { timingsOf } from '../server-timing.ts'
import type { ClientChoice } from './client-choice.ts'
import type { McpEndpoint } from './mcp-endpoint.ts'
import type { McpServices } from './mcp-request.ts'

/** Where MCP clients connect. */
const MCP_PATH = '/mcp'

export type McpOptions = McpServices & { readonly bodies: ByteBudget; readonly basePath: string }

/**
 * The MCP endpoint.
 * @param open loads the SDK and creates the endpoint
 */
export function serveMcp(options: McpOptions, open = openEndpoint): Router {
  const router = Router()
  const answer = answerMessages(options, open)
  router.route(`${options.basePath}${MCP_PATH}`).post(answer).all(refuseMethod)
  return router
}

const openEndpoint = async (services: McpServices): Promise<McpEndpoint> =>
  (await import('./mcp-endpoint.ts')).openMcpEndpoint(services)

/** The SDK is loaded at the first request, and again at the next one if that fails: too many open files are a failure that passes. */
function answerMessages(services: McpOptions, open: typeof openEndpoint): RequestHandler {
  let opened: Promise<McpEndpoint> | undefined
  const openOnce = (): Promise<McpEndpoint> => {
    opened ??= open(services).catch((error: unknown) => {
      opened = undefined
      throw error
    })
    return opened
  }
  return async (request, response) => {
    response.locals.route = MCP_PATH
    const caller = callerOf(response)
    const reservation = hasBody(request)
      ? services.bodies.reserve(String(caller.user.id))
      : undefined
    try {
      const body = reservation && (await readJson(request, MAX_LARGE_BODY_BYTES, reservation))
      // Each message is one request of the rate limit.
      if (Array.isArray(body))
        throw new AppError(
          'rest_invalid_json',
          'Send one JSON-RPC message in each request, not a list.',
        )
      const endpoint = await openOnce()
      const { id: requestId } = request
      const outcome = response.locals
      const authenticate = async () => caller
      const message = { requestId, timings: timingsOf(response), outcome, authenticate }
      const headers = Object.entries(request.headers).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, String(value)] as [string, string]],
      )
      const web = new Request(`http://localhost${MCP_PATH}`, { method: 'POST', headers })
      await send(await endpoint(web, body, message, choiceOf(request)), response)
    } finally {
      reservation?.release()
    }
  }
}

/** What the address says about tools. A parameter that is repeated is a list. */
function choiceOf({ query: { tools } }: ExpressRequest): ClientChoice {
  return { tools: tools === undefined ? undefined : String(tools) }
}

/** Refuses the methods with which clients open streams and end sessions: there are none. */
const refuseMethod: RequestHandler = (_request, response) => {
  response.locals.route = MCP_PATH
  const message = 'Method not allowed. Send each message with POST.'
  const error = { jsonrpc: '2.0', error: { code: -32000, message }, id: null }
  response.status(405).set('Allow', 'POST').json(error)
}

async function send(answer: Response, response: ExpressResponse): Promise<void> {
  response.status(answer.status)
  for (const [name, value] of answer.headers) response.setHeader(name, value)
  if (!answer.body) return void response.end()
  // The type of `node:stream/web` differs from the global one.
  const body = Readable.fromWeb(answer.body as Parameters<typeof Readable.fromWeb>[0])
  // Fails if the client disconnects.
  await pipeline(body, response).catch(() => {})
}
