import type { Tool } from '@modelcontextprotocol/server'
import { TIMINGS } from '../../host/timings.ts'
import { MAX_RESULT_CHARACTERS } from './cut-result.ts'

/** Applies what the other tools plan. */
export const APPLY_TOOL: Tool = {
  name: 'apply_planned_write',
  title: 'Apply exactly what was planned',
  description: `Applies the plan that another tool has returned, once, within ${TIMINGS.plannedWrites.keptMinutes} minutes. If that would not do exactly what the plan showed any more, nothing is written, and the error \`plan_changed\` has another plan: look at its \`diffs\` before you apply it. To undo what it has written to a site, call \`restore_site\` with its \`request_id\`.`,
  inputSchema: {
    type: 'object',
    properties: { plan_id: { type: 'string', description: '`plan_id` of the plan.' } },
    required: ['plan_id'],
    additionalProperties: false,
  },
  annotations: {
    readOnlyHint: false,
    destructiveHint: true,
    // A plan is applied once.
    idempotentHint: true,
    openWorldHint: false,
  },
}

/** Reads the rest of a result that was cut. */
export const MORE_TOOL: Tool = {
  name: 'read_more',
  title: 'Read the rest of a result that was cut',
  description: `A result has at most about ${MAX_RESULT_CHARACTERS / 1000},000 characters. What does not fit is cut, and \`cut\` lists each cut text and list. This tool calls the same tool with the same arguments again, and returns one of them from an offset on. Of a tool that plans, and of \`apply_planned_write\` with the error \`plan_changed\`, it returns what the write would do now, without another plan.`,
  inputSchema: {
    type: 'object',
    properties: {
      tool: { type: 'string', description: 'Name of the tool whose result was cut.' },
      arguments: { type: 'object', description: 'Its arguments.' },
      at: { type: 'string', description: '`at` of the cut value.', examples: ['/frame/html'] },
      offset: {
        type: 'integer',
        minimum: 0,
        description: 'From which character of a text or element of a list on.',
      },
    },
    required: ['tool', 'arguments', 'at', 'offset'],
    additionalProperties: false,
  },
  annotations: {
    readOnlyHint: true,
    openWorldHint: false,
  },
}
