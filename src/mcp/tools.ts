import type { Tool } from '@modelcontextprotocol/server'
import type { oas31 } from 'zod-openapi'
import { openApiDocument } from '../api/docs/openapi-document.ts'
import type { DocumentedEndpoint, Endpoint } from '../api/endpoint.ts'
import { endpoints } from '../api/endpoints.ts'
import type { NetworkEndpoint } from '../api/network/network-endpoint.ts'
import { callerEndpoints, networkEndpoints } from '../api/network/network-endpoints.ts'
import { includesScope, type TokenLimits } from '../auth/token-scopes.ts'
import { inTimeSlice } from '../concurrency/time-slices.ts'
import { PLANNED_MINUTES } from '../planned-writes/planned-writes-table.ts'
import { APPLY_TOOL, MORE_TOOL, PLAN_FIELDS } from './own-tools.ts'
import { type JsonSchema, schemasOf, selfContained } from './tool-schemas.ts'

/** A tool that calls one endpoint. */
export type ApiTool = {
  readonly name: string
  readonly of:
    | { readonly site: Endpoint }
    | { readonly network: NetworkEndpoint; readonly isForNetwork: boolean }
  readonly endpoint: DocumentedEndpoint
  /** `read`: it only reads. `run`: it runs at once. `plan`: it is a dry run, and the tool `apply_planned_write` applies it. */
  readonly effect: 'read' | 'run' | 'plan'
  /** It runs at once, but as a dry run unless `dry_run` is false: its input names exactly what it does. */
  readonly hasDryRun: boolean
  readonly definition: Tool
}

/** The tools of the server. */
export class Tools {
  readonly api: readonly ApiTool[]

  constructor(api: readonly ApiTool[]) {
    this.api = api
  }

  /** The tool with this name; undefined if no endpoint has it. */
  find(name: string): ApiTool | undefined {
    return this.api.find((tool) => tool.name === name)
  }

  /** The tool of an endpoint. */
  findByEndpoint(name: string): ApiTool | undefined {
    return this.api.find(({ endpoint }) => endpoint.name === name)
  }

  /** The tools that a token can use. */
  offeredTo(limits: TokenLimits, managesNetwork: boolean): Tool[] {
    const mayWrite = limits.scope !== 'read'
    const offered = this.api.filter(
      ({ of, effect, endpoint }) =>
        includesScope(limits, endpoint.scope) &&
        (effect !== 'plan' || mayWrite) &&
        (managesNetwork || !('isForNetwork' in of && of.isForNetwork)),
    )
    return [
      ...offered.map(({ definition }) => definition),
      ...(mayWrite ? [APPLY_TOOL] : []),
      MORE_TOOL,
    ]
  }
}

/** Describes the tools, each in a time slice of its own. */
export async function openTools(version: string): Promise<Tools> {
  const document = await openApiDocument(version, '')
  const operations = operationsOf(document)
  const without = (isForNetwork: boolean) => (network: NetworkEndpoint) => ({
    of: { network, isForNetwork },
    endpoint: network,
  })
  const api: ApiTool[] = []
  for (const one of [
    ...callerEndpoints.map(without(false)),
    ...endpoints
      .filter(({ response }) => response)
      .map((site) => ({ of: { site }, endpoint: site })),
    ...networkEndpoints.map(without(true)),
  ])
    api.push({
      ...one,
      ...(await inTimeSlice(() => toolOf(document, operations, one.endpoint))),
    })
  return new Tools(api)
}

function toolOf(
  document: oas31.OpenAPIObject,
  operations: ReadonlyMap<string, oas31.OperationObject>,
  endpoint: DocumentedEndpoint,
): Pick<ApiTool, 'name' | 'effect' | 'hasDryRun' | 'definition'> {
  const operation = operations.get(endpoint.name)
  if (!operation) throw new Error(`the OpenAPI document has no operation ${endpoint.name}`)
  const { summary, description, mcpRunsDirectly } = endpoint
  const effect = effectOf(endpoint)
  const { input, output, hasDryRun } = schemasOf(document, operation, mcpRunsDirectly)
  const name = toolNameOf(endpoint)
  const definition: Tool = {
    name,
    title: summary,
    description: [
      `${summary}.`,
      description,
      ...(effect === 'plan' ? [PLANNED] : []),
      ...(hasDryRun ? [DRY_RUN] : []),
    ]
      .filter(Boolean)
      .join(' '),
    inputSchema: input as Tool['inputSchema'],
    outputSchema: (effect === 'plan' ? plannedSchema(document) : output) as Tool['outputSchema'],
    annotations: {
      title: summary,
      readOnlyHint: effect === 'read',
      // A plan stores nothing that visitors or editors see; `apply_planned_write` does, and `apply_plan`.
      destructiveHint: mcpRunsDirectly === 'writes',
      idempotentHint: mcpRunsDirectly !== 'plans',
      openWorldHint: false,
    },
  }
  return { name, effect, hasDryRun, definition }
}

const PLANNED = `This tool only plans: it runs the write as a dry run, stores nothing, and returns what would change with a \`plan_id\`. To apply exactly that within ${PLANNED_MINUTES} minutes, call \`apply_planned_write\`.`

const DRY_RUN = 'This tool is a dry run unless `dry_run` is false.'

function effectOf({
  method,
  scope,
  repeatable,
  mcpRunsDirectly,
}: DocumentedEndpoint): ApiTool['effect'] {
  if (method === 'get' || (repeatable && scope === 'read')) return 'read'
  return mcpRunsDirectly ? 'run' : 'plan'
}

/** `replaceMenuItems` -> `replace_menu_items` */
export const toolNameOf = ({ name }: Pick<DocumentedEndpoint, 'name'>): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const plannedSchema = (document: oas31.OpenAPIObject): JsonSchema =>
  selfContained(document, {
    type: 'object',
    properties: {
      ...PLAN_FIELDS,
      diffs: {
        type: 'array',
        items: { $ref: '#/components/schemas/WrittenThing' },
        description: 'What the write would do to each thing.',
      },
    },
    required: ['plan_id', 'diffs', 'response'],
  })

/** The operations of the current addressing and of the network, by name. */
function operationsOf({ paths = {} }: oas31.OpenAPIObject) {
  const all = Object.values(paths).flatMap((path): oas31.OperationObject[] => Object.values(path))
  return new Map(all.map((operation) => [operation.operationId ?? '', operation]))
}
