import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import { mayManageNetwork } from '../api/network/authorize-network.ts'
import type { AppError } from '../errors.ts'
import { callTool } from './call-tool.ts'
import type { Offer } from './client-choice.ts'
import { instructionsFor } from './instructions.ts'
import {
  type McpMessage,
  type McpRequest,
  type McpServices,
  reportedErrorOf,
} from './mcp-request.ts'
import { completeRef, RESOURCE_TEMPLATES, RESOURCES, readResource } from './resources.ts'

/**
 * Creates the server of one connection, or over HTTP of one message.
 * @param receive is called for each message
 */
export function createMcpServer(
  services: McpServices,
  { version, ...offer }: Offer & { readonly version: string },
  receive: () => McpMessage,
): Server {
  const { tools, allTools } = offer
  const server = new Server(
    { name: 'wp-frames', title: 'wp-frames', version },
    {
      capabilities: { tools: {}, resources: {}, completions: {} },
      instructions: instructionsFor(tools),
    },
  )
  /** Answers with an error of the API, and never with an unexpected one. */
  const answer = async <T>(work: (request: McpRequest) => T | Promise<T>): Promise<T> => {
    const { authenticate, answered, ...message } = receive()
    try {
      return await work({ ...message, caller: await authenticate() })
    } catch (error) {
      throw protocolErrorOf(reportedErrorOf(services, message, error), message.requestId)
    } finally {
      answered?.()
    }
  }
  server.setRequestHandler('tools/list', () =>
    answer(async ({ caller }) => {
      const { db, globals } = services
      const managesNetwork = await mayManageNetwork(db, globals, caller)
      return { tools: tools.offeredTo(caller.limits, managesNetwork) }
    }),
  )
  server.setRequestHandler('tools/call', ({ params: { name, arguments: sent = {} } }) =>
    answer((request) => callTool(services, offer, request, name, sent)),
  )
  server.setRequestHandler('resources/list', () => answer(() => ({ resources: RESOURCES })))
  server.setRequestHandler('resources/templates/list', () =>
    answer(() => ({ resourceTemplates: RESOURCE_TEMPLATES })),
  )
  server.setRequestHandler('resources/read', ({ params: { uri } }) =>
    answer((request) => readResource(services, allTools, request, uri)),
  )
  server.setRequestHandler('completion/complete', ({ params: { ref, argument, context } }) =>
    answer((request) =>
      completeRef(services, allTools, request, {
        uri: ref.type === 'ref/resource' ? ref.uri : '',
        ...argument,
        siteId: context?.arguments?.site_id,
      }),
    ),
  )
  return server
}

/** Without the other fields of the error: they may have texts of sites, and nothing marks them here. */
function protocolErrorOf({ code, message }: AppError, requestId: string): ProtocolError {
  const isUnexpected = code === 'internal_error' || code === 'database_unavailable'
  const kind = isUnexpected ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams
  return new ProtocolError(kind, message, { code, request_id: requestId })
}
