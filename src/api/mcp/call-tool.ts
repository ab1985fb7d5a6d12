import type { CallToolResult } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { getPlannedWrite } from '../../content/planned-writes/planned-writes-table.ts'
import { AppError } from '../../host/errors.ts'
import { assertBodyWithin } from '../request-body.ts'
import { applyPlannedWrite, foresee, planWrite } from '../run/planned-write.ts'
import { run, type SentRequest } from '../run/run.ts'
import { siteChoiceOfPath } from '../site-choice.ts'
import { type Cut, cutToLength, MAX_RESULT_CHARACTERS, sliceAt } from './cut-result.ts'
import { markData } from './mark-data.ts'
import { type McpRequest, type McpServices, reportedErrorOf } from './mcp-request.ts'
import { APPLY_TOOL, MORE_TOOL } from './own-tools.ts'
import {
  type Arguments,
  inputOf,
  invalidArguments,
  parseArguments,
  type ToolInput,
  wantsAllFields,
} from './tool-arguments.ts'
import { type ApiTool, type Tools, toolNameOf } from './tools.ts'

/** Calls a tool. An error of the API is a result, as the protocol wants it. */
export async function callTool(
  call: CallContext,
  name: string,
  sent: Arguments,
): Promise<CallToolResult> {
  const { services, tools, request } = call
  try {
    const result = await resultOf(call, name, sent)
    // A result of `read_more` is as long as it may be, and has a list of its own.
    if (name === MORE_TOOL.name) return presentResult(result)
    return presentCut(result, canReadAgain(tools.find(name)))
  } catch (error) {
    return presentError(reportedErrorOf(services, request, error), request.requestId)
  }
}

/** What the call of a tool needs besides its arguments. */
type CallContext = {
  readonly services: McpServices
  /** Those that the client has chosen. */
  readonly tools: Tools
  readonly request: McpRequest
}

function resultOf(call: CallContext, name: string, sent: Arguments): Promise<object> {
  if (name === APPLY_TOOL.name) return applyPlan(call, sent)
  if (name === MORE_TOOL.name) return readMore(call, sent)
  return runApiTool(call, getTool(call.tools, name), sent)
}

async function runApiTool(call: CallContext, tool: ApiTool, args: Arguments): Promise<object> {
  if (tool.effect !== 'plan') return runLean(call, tool, args)
  const { services, request } = call
  const input = inputOf(tool, args)
  const { siteId: _, ...planned } = input
  const sent = sentBy(request, tool, input)
  const { planId, things, pages, response } = await planWrite(
    services,
    tool.endpoint,
    sent,
    planned,
  )
  return { plan_id: planId, pages, diffs: things, response }
}

/** Runs the endpoint of a tool. Lists leave out what a model rarely needs. @returns the body of the response */
async function runLean(
  { services, request }: CallContext,
  tool: ApiTool,
  args: Arguments,
): Promise<object> {
  const { endpoint } = tool
  const isWhole = wantsAllFields(args)
  const { answer } = await run(services, endpoint, sentBy(request, tool, inputOf(tool, args)))
  const result = JSON.parse(answer.bytes.toString())
  return isWhole ? result : withoutFields(result, endpoint.mcpLeavesOut)
}

const ApplySchema = z.strictObject({ plan_id: z.string().max(36) })

async function applyPlan(call: CallContext, args: Arguments): Promise<object> {
  const { plan, tool, sent } = await openPlan(call, args)
  const response = await applyPlannedWrite(call.services, tool.endpoint, sent, plan)
  return { request_id: call.request.requestId, response }
}

/** The planned write that the arguments name, as it is sent to its endpoint. */
async function openPlan({ services, tools, request }: CallContext, args: Arguments) {
  const { plan_id: id } = parseArguments(ApplySchema, args)
  const { db, globals } = services
  const plan = await getPlannedWrite(db, globals, id, request.caller.tokenId)
  // Another version of the service has planned it, or this token with other groups of tools.
  const tool = getTool(tools, toolNameOf({ name: plan.endpoint }))
  const sent = sentBy(request, tool, { ...plan.input, siteId: String(plan.blogId) })
  return { plan: { ...plan, id }, tool, sent }
}

const MoreSchema = z.strictObject({
  tool: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  at: z.string().max(1000),
  offset: z.int().min(0),
})

async function readMore(call: CallContext, sent: Arguments): Promise<object> {
  const { tool: name, arguments: again, at, offset } = parseArguments(MoreSchema, sent)
  const result = await readAgain(call, name, again)
  const slice = sliceAt(result, at, offset)
  if (slice) return slice
  throw invalidArguments({ at: 'must be `at` of a cut value of this tool with these arguments' })
}

/** Whether a call of the tool again returns the same, and changes nothing. A tool that applies a plan is none of the API. */
const canReadAgain = (tool: ApiTool | undefined): boolean =>
  tool !== undefined && tool.effect !== 'run'

async function readAgain(call: CallContext, name: string, args: Arguments): Promise<object> {
  const { services, tools, request } = call
  if (name === APPLY_TOOL.name) {
    const { tool, sent } = await openPlan(call, args)
    return foreseen(services, tool, sent)
  }
  const tool = getTool(tools, name)
  if (!canReadAgain(tool))
    throw invalidArguments({ tool: 'must be a tool that reads or plans: this one would run again' })
  if (tool.effect === 'read') return runLean(call, tool, args)
  return foreseen(services, tool, sentBy(request, tool, inputOf(tool, args)))
}

async function foreseen(
  services: McpServices,
  { endpoint }: ApiTool,
  sent: SentRequest,
): Promise<object> {
  const { things, response } = await foresee(services, endpoint, sent)
  return { diffs: things, response }
}

/** @throws AppError `rest_no_route` */
function getTool(tools: Tools, name: string): ApiTool {
  const tool = tools.find(name)
  if (tool) return tool
  throw new AppError(
    'rest_no_route',
    `There is no tool ${name}, or the client has not chosen its group. List the tools.`,
  )
}

function presentCut(result: object, isReadable: boolean): CallToolResult {
  const { value, cuts } = cutToLength(result, MAX_RESULT_CHARACTERS)
  if (cuts.length === 0) return presentResult(result)
  const note = describeCuts(cuts, isReadable)
  return presentResult({ ...(value as object), cut: cuts }, note)
}

/** No `structuredContent`: models read the text, and the same twice costs tokens twice. */
const presentResult = (result: object, note?: string): CallToolResult => ({
  content: [{ type: 'text', text: markData(result, note) }],
})

function describeCuts(cuts: readonly Cut[], isReadable: boolean): string {
  const how = isReadable
    ? 'Read the rest with read_more.'
    : 'Read what was written with other tools.'
  return `This result was too large, and ${cuts.length} part(s) of it are cut: see "cut". ${how}`
}

/** The error of the API, in the text, which every client shows. */
function presentError({ code, message, fields }: AppError, requestId: string): CallToolResult {
  const body = { code, message, ...fields, request_id: requestId }
  const { value, cuts } = cutToLength(body, MAX_RESULT_CHARACTERS)
  const shown = cuts.length > 0 ? { ...(value as object), cut: cuts } : body
  // Only the differences of this error can be read again.
  const note = cuts.length > 0 && code === 'plan_changed' ? describeCuts(cuts, true) : undefined
  return { isError: true, content: [{ type: 'text', text: markData(shown, note) }] }
}

/**
 * A result without some of its fields.
 * @param paths the names of the fields, through lists: `total`, `frames.sha256`
 */
function withoutFields(result: object, paths: readonly string[]): object {
  if (Array.isArray(result)) return result.map((element) => withoutFields(element, paths))
  if (Object(result) !== result) return result
  return Object.fromEntries(
    Object.entries(result).flatMap(([name, member]) => {
      if (paths.includes(name)) return []
      const inner = paths.flatMap((path) =>
        path.startsWith(`${name}.`) ? [path.slice(name.length + 1)] : [],
      )
      return [[name, inner.length > 0 ? withoutFields(member, inner) : member]]
    }),
  )
}

/** What a call of a tool sends to its endpoint. @throws AppError `rest_body_too_large` */
function sentBy(
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
