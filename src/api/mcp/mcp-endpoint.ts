import { createMcpHandler, originValidationResponse } from '@modelcontextprotocol/server'
import { readVersion } from '../../host/package-version.ts'
import { type ClientChoice, chooseTools } from './client-choice.ts'
import type { McpMessage, McpServices } from './mcp-request.ts'
import { createMcpServer } from './mcp-server.ts'
import { openTools } from './tools.ts'

/**
 * Answers one HTTP request whose body was read and whose caller is known.
 * @throws AppError `rest_invalid_param` for a choice that the server does not have
 */
export type McpEndpoint = (
  request: Request,
  body: unknown,
  message: McpMessage,
  choice: ClientChoice,
) => Promise<Response>

/** Creates the endpoint of the streamable HTTP transport. It keeps nothing between requests, so that any instance can answer any of them. */
export async function openMcpEndpoint(services: McpServices): Promise<McpEndpoint> {
  const version = await readVersion()
  const tools = await openTools()
  return async (request, body, message, choice) => {
    // No browser uses this endpoint: a page that reaches it is on a name that was rebound to this address.
    const refused = originValidationResponse(request, [])
    if (refused) return refused
    const offered = { version, tools: chooseTools(tools, choice) }
    const server = () => createMcpServer(services, offered, () => message)
    const handler = createMcpHandler(server, {
      maxSubscriptions: 0,
      onerror: (error) => services.log.debug({ err: error }, 'MCP request refused'),
    })
    return handler.fetch(request, body === undefined ? {} : { parsedBody: body })
  }
}
