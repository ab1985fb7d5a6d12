import type { Tool } from '@modelcontextprotocol/server'
import { inTimeSlice } from '../../host/concurrency/time-slices.ts'
import { includesScope, type TokenLimits } from '../../record/auth/token-scopes.ts'
import { type Endpoint, familyOf } from '../endpoint.ts'
import { endpointsOn } from '../endpoints.ts'
import { APPLY_TOOL, MORE_TOOL } from './own-tools.ts'
import { inputSchemaOf } from './tool-schemas.ts'

/** A tool that calls one endpoint. */
export type ApiTool = {
  readonly name: string
  readonly endpoint: Endpoint
  /** The group of tools that a client can choose: its family, in lower case. Undefined for a tool of every client. */
  readonly group: string | undefined
  /** `read`: it only reads. `run`: it runs at once. `plan`: it is a dry run, and the tool `apply_planned_write` applies it. */
  readonly effect: 'read' | 'run' | 'plan'
  /** It runs at once, but as a dry run unless `dry_run` is false: its input names exactly what it does. */
  readonly hasDryRun: boolean
  readonly definition: Tool
}

/** Beside these, `apply_planned_write` and `read_more`. */
const DEFAULT_TOOLS: ReadonlySet<string> = new Set([
  'list_sites',
  'list_pages',
  'list_frames',
  'get_frame',
  'check_frames',
  'create_frame',
  'replace_frame',
  'assign_frame',
  'list_menus',
  'get_menu',
  'create_menu',
  'replace_menu_items',
  'update_menu_item',
])

/** The tools of the server, or those of some groups. */
export class Tools {
  readonly api: readonly ApiTool[]

  constructor(api: readonly ApiTool[]) {
    this.api = api
  }

  /** The names of the groups. */
  get groups(): string[] {
    return [...new Set(this.api.flatMap(({ group = [] }) => group))]
  }

  /** The tools of these groups, and those without a group. */
  only(groups: ReadonlySet<string>): Tools {
    return new Tools(this.api.filter(({ group }) => group === undefined || groups.has(group)))
  }

  /** The tools for most work: those for reading, frames and menus. A list of all costs a model three times as many tokens. */
  byDefault(): Tools {
    return new Tools(this.api.filter(({ name }) => DEFAULT_TOOLS.has(name)))
  }

  /** The tool with this name; undefined if no endpoint has it. */
  find(name: string): ApiTool | undefined {
    return this.api.find((tool) => tool.name === name)
  }

  /** The tools that a token can use. */
  offeredTo(limits: TokenLimits, managesNetwork: boolean): Tool[] {
    const mayWrite = limits.scope !== 'read'
    const offered = this.api.filter(
      ({ effect, endpoint }) =>
        includesScope(limits, endpoint.scope) &&
        (effect !== 'plan' || mayWrite) &&
        (managesNetwork || endpoint.on !== 'network'),
    )
    return [
      ...offered.map(({ definition }) => definition),
      ...(mayWrite ? [APPLY_TOOL] : []),
      MORE_TOOL,
    ]
  }
}

/** Describes the tools, each in a time slice of its own. */
export async function openTools(): Promise<Tools> {
  const api: ApiTool[] = []
  for (const kind of ['caller', 'site', 'network'] as const)
    for (const endpoint of endpointsOn(kind))
      if (endpoint.response && endpoint.isTool) api.push(await inTimeSlice(() => toolOf(endpoint)))
  return new Tools(api)
}

function toolOf(endpoint: Endpoint): ApiTool {
  const { summary, description, mcpRunsDirectly } = endpoint
  const effect = effectOf(endpoint)
  const { input, hasDryRun } = inputSchemaOf(endpoint)
  const name = toolNameOf(endpoint)
  // Without these a client knows no site.
  const isForEveryClient = endpoint.on === 'caller'
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
    annotations: {
      readOnlyHint: effect === 'read',
      openWorldHint: false,
      // The other hints mean nothing for a tool that reads.
      ...(effect === 'read'
        ? {}
        : {
            // A plan stores nothing that visitors or editors see; `apply_planned_write` does, and `apply_plan`.
            destructiveHint: mcpRunsDirectly === 'writes',
            idempotentHint: mcpRunsDirectly !== 'plans',
          }),
    },
  }
  const group = isForEveryClient ? undefined : familyOf(endpoint).toLowerCase()
  return { endpoint, name, group, effect, hasDryRun, definition }
}

const PLANNED =
  'Only plans: stores nothing, and returns what would change with a `plan_id` for `apply_planned_write`.'

const DRY_RUN = 'This tool is a dry run unless `dry_run` is false.'

function effectOf({ method, scope, repeatable, mcpRunsDirectly }: Endpoint): ApiTool['effect'] {
  if (method === 'get' || (repeatable && scope === 'read')) return 'read'
  return mcpRunsDirectly ? 'run' : 'plan'
}

/** `replaceMenuItems` -> `replace_menu_items` */
export const toolNameOf = ({ name }: Pick<Endpoint, 'name'>): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
