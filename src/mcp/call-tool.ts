import type { CallToolResult } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { applyPlannedWrite, dryRun, planWrite, withoutTokens } from '../api/run/planned-write.ts'
import { asDryRun, responseBeforeEffects } from '../api/run/response-before-effects.ts'
import { AppError } from '../errors.ts'
import { getPlannedWrite } from '../planned-writes/planned-writes-table.ts'
import { type EndpointCall, openCall, type ToolInput } from './call-endpoint.ts'
import { type Cut, cutToLength, MAX_RESULT_CHARACTERS, sliceAt } from './cut-result.ts'
import { markData } from './mark-data.ts'
import { type McpRequest, type McpServices, reportedErrorOf } from './mcp-request.ts'
import { APPLY_TOOL, MORE_TOOL } from './own-tools.ts'
import type { ApiTool, Tools } from './tools.ts'

type Arguments = Readonly<Record<string, unknown>>

/** Calls a tool. An error of the API is a result, as the protocol wants it. */
export async function callTool(
  services: McpServices,
  tools: Tools,
  request: McpRequest,
  name: string,
  sent: Arguments,
): Promise<CallToolResult> {
  try {
    const result = await runTool(services, tools, request, name, sent)
    // A result of `read_more` is as long as it may be, and has a list of its own.
    if (name === MORE_TOOL.name) return presentResult(result)
    return presentCut(result, canReadAgain(tools.find(name)))
  } catch (error) {
    return presentError(reportedErrorOf(services, request, error), request.requestId)
  }
}

function runTool(
  services: McpServices,
  tools: Tools,
  request: McpRequest,
  name: string,
  sent: Arguments,
): Promise<object> {
  if (name === APPLY_TOOL.name) return applyPlan(services, tools, request, sent)
  if (name === MORE_TOOL.name) return readMore(services, tools, request, sent)
  return runApiTool(services, request, getTool(tools, name), sent)
}

async function runApiTool(
  services: McpServices,
  request: McpRequest,
  tool: ApiTool,
  sent: Arguments,
): Promise<object> {
  const input = inputOf(tool, sent)
  const call = await openCall(services, request, tool, {
    ...input,
    body: tool.hasDryRun ? { dry_run: true, ...Object(input.body) } : input.body,
  })
  if (tool.effect !== 'plan') return call.run()
  const { planId, things, response } = await planWrite(call.write)
  return { plan_id: planId, diffs: things, response }
}

const ApplySchema = z.strictObject({ plan_id: z.string().max(36) })

async function applyPlan(
  services: McpServices,
  tools: Tools,
  request: McpRequest,
  sent: Arguments,
): Promise<object> {
  const { id, plan, call } = await openPlan(services, tools, request, sent)
  const { handled } = await applyPlannedWrite(call.write, id, plan)
  return { request_id: request.requestId, response: await call.finish(handled) }
}

/** The planned write that the arguments name, and its call by a caller who may still use it. */
async function openPlan(services: McpServices, tools: Tools, request: McpRequest, sent: Arguments) {
  const { plan_id: id } = parse(ApplySchema, sent)
  const { db, globals } = services
  const plan = await getPlannedWrite(db, globals, id, request.caller.tokenId)
  const tool = tools.findByEndpoint(plan.endpoint)
  // Another version of the service has planned it.
  if (!tool) throw unknownTool(plan.endpoint)
  const input = { ...plan.input, siteId: String(plan.blogId) }
  return { id, plan, call: await openCall(services, request, tool, input) }
}

const MoreSchema = z.strictObject({
  tool: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  at: z.string().max(1000),
  offset: z.int().min(0),
})

async function readMore(
  services: McpServices,
  tools: Tools,
  request: McpRequest,
  sent: Arguments,
): Promise<object> {
  const { tool: name, arguments: again, at, offset } = parse(MoreSchema, sent)
  const result =
    name === APPLY_TOOL.name
      ? await dryRunAgain((await openPlan(services, tools, request, again)).call)
      : await readAgain(services, request, getTool(tools, name), again)
  const slice = sliceAt(result, at, offset)
  if (slice) return slice
  throw invalidArguments({ at: 'must be `at` of a cut value of this tool with these arguments' })
}

/** Whether a call of the tool again returns the same, and changes nothing. A tool that applies a plan is none of the API. */
const canReadAgain = (tool: ApiTool | undefined): boolean =>
  tool !== undefined && tool.effect !== 'run'

async function readAgain(
  services: McpServices,
  request: McpRequest,
  tool: ApiTool,
  sent: Arguments,
): Promise<object> {
  if (!canReadAgain(tool))
    throw invalidArguments({ tool: 'must be a tool that reads or plans: this one would run again' })
  const call = await openCall(services, request, tool, inputOf(tool, sent))
  return tool.effect === 'read' ? call.run() : dryRunAgain(call)
}

async function dryRunAgain({ write }: EndpointCall): Promise<object> {
  const { things, handled } = await dryRun(write)
  const response = withoutTokens(asDryRun(responseBeforeEffects(handled)))
  return { diffs: things, response }
}

/** @throws AppError `rest_no_route` */
function getTool(tools: Tools, name: string): ApiTool {
  const tool = tools.find(name)
  if (tool) return tool
  throw unknownTool(name)
}

const unknownTool = (name: string): AppError =>
  new AppError('rest_no_route', `There is no tool ${name}. List the tools.`)

/** What an endpoint would be sent over HTTP: parameters of the path and the query are texts there. */
function inputOf({ of, endpoint }: ApiTool, { body, ...sent }: Arguments): ToolInput {
  const { params, query } = endpoint
  const known = new Set([
    ...('site' in of ? ['site_id'] : []),
    ...Object.keys(params.shape),
    ...Object.keys(query.shape),
  ])
  const unknown = Object.keys(sent).filter((name) => !known.has(name))
  if (unknown.length > 0)
    throw invalidArguments(Object.fromEntries(unknown.map((name) => [name, 'is not known'])))
  const pick = (shape: object) =>
    Object.fromEntries(
      Object.entries(sent)
        .filter(([name, value]) => name in shape && value !== undefined && value !== null)
        .map(([name, value]) => [name, Array.isArray(value) ? value.map(String) : String(value)]),
    )
  return {
    siteId: String(sent.site_id),
    params: pick(params.shape),
    query: pick(query.shape),
    body,
  }
}

function parse<Schema extends z.ZodType>(schema: Schema, sent: Arguments): z.output<Schema> {
  const parsed = schema.safeParse(sent)
  if (parsed.success) return parsed.data
  throw invalidArguments(
    Object.fromEntries(parsed.error.issues.map(({ path, message }) => [path.join('.'), message])),
  )
}

function invalidArguments(params: Readonly<Record<string, string>>): AppError {
  const names = Object.keys(params).join(', ')
  return new AppError(
    'rest_invalid_param',
    `Invalid argument(s): ${names}. See params for what each takes.`,
    { params },
  )
}

function presentCut(result: object, isReadable: boolean): CallToolResult {
  const { value, cuts } = cutToLength(result, MAX_RESULT_CHARACTERS)
  if (cuts.length === 0) return presentResult(result)
  return presentResult({ ...(value as object), cut: cuts }, describeCuts(cuts, isReadable))
}

function presentResult(result: object, note?: string): CallToolResult {
  return {
    content: [{ type: 'text', text: markData(result, note) }],
    structuredContent: { ...result },
  }
}

function describeCuts(cuts: readonly Cut[], isReadable: boolean): string {
  const how = isReadable
    ? 'Read the rest with read_more.'
    : 'Read what was written with other tools.'
  return `This result was too large, and ${cuts.length} part(s) of it are cut: see "cut". ${how}`
}

/** The error of the API, in the text only: it is not in the form of the tool's output. */
function presentError({ code, message, fields }: AppError, requestId: string): CallToolResult {
  const body = { code, message, ...fields, request_id: requestId }
  const { value, cuts } = cutToLength(body, MAX_RESULT_CHARACTERS)
  const shown = cuts.length > 0 ? { ...(value as object), cut: cuts } : body
  // Only the differences of this error can be read again.
  const note = cuts.length > 0 && code === 'plan_changed' ? describeCuts(cuts, true) : undefined
  return { isError: true, content: [{ type: 'text', text: markData(shown, note) }] }
}
