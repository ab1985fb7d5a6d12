import type { PlannedInput } from '../../content/planned-writes/planned-writes-table.ts'
import { assertBodyWithin } from '../request-body.ts'
import { run, type SentRequest } from '../run/run.ts'
import { siteChoiceOfPath } from '../site-choice.ts'
import type { McpRequest, McpServices } from './mcp-request.ts'
import type { ApiTool } from './tools.ts'

/** What an endpoint is sent, and its site. */
export type ToolInput = PlannedInput & { readonly siteId: string }

/** What a call of a tool sends to its endpoint. @throws AppError `rest_body_too_large` */
export function sentBy(
  { caller, requestId, timings, outcome }: McpRequest,
  { endpoint }: ApiTool,
  { siteId, params, query, body }: ToolInput,
): SentRequest {
  assertBodyWithin(body, endpoint.maxBodyBytes)
  return {
    caller,
    requestId,
    timings,
    params,
    query,
    open: async (authorize) => {
      const choice = endpoint.on === 'site' ? siteChoiceOfPath(siteId) : undefined
      const access = await authorize(choice)
      outcome.site = access.site?.blogId ?? 0
      return { ...access, body }
    },
  }
}

/** Runs the endpoint of a tool. @returns the body of the response */
export async function runTool(
  services: McpServices,
  { endpoint }: ApiTool,
  sent: SentRequest,
): Promise<Record<string, unknown>> {
  const { answer } = await run(services, endpoint, sent)
  return JSON.parse(answer.bytes.toString())
}
