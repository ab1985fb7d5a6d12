import { WithEffects } from '../api/endpoint.ts'
import { assertMayManageNetwork } from '../api/network/authorize-network.ts'
import {
  networkCall,
  prepareNetworkWrite,
  runNetworkEndpoint,
} from '../api/network/run-network-endpoint.ts'
import { assertBodyWithin } from '../api/request-body.ts'
import type { PlannableWrite } from '../api/run/planned-write.ts'
import { prepareWrite, runEndpoint, siteCall } from '../api/run/run-endpoint.ts'
import { siteChoiceOfPath } from '../api/site-choice.ts'
import { authorizeSite } from '../auth/authorize-site.ts'
import { assertScope } from '../auth/token-scopes.ts'
import type { PlannedInput } from '../planned-writes/planned-writes-table.ts'
import type { McpRequest, McpServices } from './mcp-request.ts'
import type { ApiTool } from './tools.ts'

/** A call of an endpoint by a caller who may use it, as a request over HTTP would be. */
export type EndpointCall = {
  /** Runs it. @returns the body of the response */
  run(): Promise<Record<string, unknown>>
  readonly write: PlannableWrite
  /** Waits for the effects of a committed write. @returns the body of the response */
  finish(handled: object): Promise<object>
}

/** What an endpoint is sent, and its site. */
export type ToolInput = PlannedInput & { readonly siteId: string }

/**
 * Authorizes a call of an endpoint.
 * @throws AppError `site_not_found`, `insufficient_scope`, `insufficient_role`, `rest_body_too_large`
 */
export async function openCall(
  services: McpServices,
  request: McpRequest,
  { of, endpoint }: ApiTool,
  { siteId, ...input }: ToolInput,
): Promise<EndpointCall> {
  const { caller, requestId, timings, outcome } = request
  const { db, globals } = services
  assertBodyWithin(input.body, endpoint.maxBodyBytes)
  const { params, query, body } = input
  const common = { endpoint, globals, caller, input }
  if ('network' in of) {
    const { network, isForNetwork } = of
    if (isForNetwork) await assertMayManageNetwork(db, globals, caller)
    assertScope(caller.limits, endpoint.scope)
    outcome.site = 0
    const call = networkCall(services, { caller, params, query, body, requestId })
    return {
      run: async () => bodyOf((await runNetworkEndpoint(network, call)).answer),
      write: {
        ...common,
        site: undefined,
        db: call.db,
        prepare: async () => prepareNetworkWrite(network, call),
      },
      finish: async (handled) => handled,
    }
  }
  const { site: siteEndpoint } = of
  const authorized = await authorizeSite(db, globals, caller, siteChoiceOfPath(siteId))
  const { site } = authorized
  outcome.site = site.blogId
  assertScope(caller.limits, endpoint.scope)
  const sent = { ...authorized, params, query, body, precondition: undefined, requestId }
  const call = siteCall(services, sent, timings)
  return {
    run: async () => {
      const run = () => runEndpoint(siteEndpoint, services, call)
      return bodyOf((await services.userQueues.run(endpoint, caller, run)).answer)
    },
    write: {
      ...common,
      caller: authorized.caller,
      site,
      db: call.db,
      prepare: () => prepareWrite(siteEndpoint, call),
    },
    finish: async (handled) =>
      handled instanceof WithEffects ? handled.apply(call.executor, site) : handled,
  }
}

const bodyOf = ({ bytes }: { readonly bytes: Buffer }): Record<string, unknown> =>
  JSON.parse(bytes.toString())
