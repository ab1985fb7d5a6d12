import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import type { AppError } from '../../host/errors.ts'
import { mayManageNetwork } from '../authorize-network.ts'
import { callTool } from './call-tool.ts'
import { instructionsFor } from './instructions.ts'
import {
  type McpMessage,
  type McpRequest,
  type McpServices,
  reportedErrorOf,
} from './mcp-request.ts'
import type { Tools } from './tools.ts'

/**
 * Creates the server of one connection, or over HTTP of one message.
 * @param receive is called for each message
 */
export function createMcpServer(
  services: McpServices,
  { version, tools }: { readonly version: string; readonly tools: Tools },
  receive: () => McpMessage,
): Server {
  const server = new Server(
    { name: 'wp-frames', title: 'wp-frames', version },
    {
      capabilities: { tools: {} },
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
    answer((request) => callTool({ services, tools, request }, name, sent)),
  )
  return server
}

/** Without the other fields of the error: they may have texts of sites, and nothing marks them here. */
function protocolErrorOf({ code, message }: AppError, requestId: string): ProtocolError {
  const isUnexpected = code === 'internal_error' || code === 'database_unavailable'
  const kind = isUnexpected ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams
  return new ProtocolError(kind, message, { code, request_id: requestId })
}
