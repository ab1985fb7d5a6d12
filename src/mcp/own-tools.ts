import type { Tool } from '@modelcontextprotocol/server'
import { MAX_RESULT_CHARACTERS } from './cut-result.ts'

/** The fields of a plan, without `diffs`. */
export const PLAN_FIELDS = {
  plan_id: { type: 'string', description: 'For `apply_planned_write`.' },
  response: {
    type: 'object',
    description:
      'What the write would answer, without its effects on pages. Ids of new things are those of the dry run: they get other ones.',
  },
}

/** Applies what the other tools plan. */
export const APPLY_TOOL: Tool = {
  name: 'apply_planned_write',
  title: 'Apply exactly what was planned',
  description:
    'Applies the plan that another tool has returned, once. If that would not do exactly what the plan showed any more, nothing is written, and the error `plan_changed` has another plan: look at its `diffs` before you apply it. To take back what it has written to a site, call `restore_site` with its `request_id`.',
  inputSchema: {
    type: 'object',
    properties: { plan_id: { type: 'string', description: '`plan_id` of the plan.' } },
    required: ['plan_id'],
    additionalProperties: false,
  },
  outputSchema: {
    type: 'object',
    properties: {
      request_id: {
        type: 'string',
        description:
          'Names this write in the history. `restore_site` takes back what it has written to a site.',
      },
      response: { type: 'object', description: 'The response of the write, with its effects.' },
    },
    required: ['request_id', 'response'],
  },
  annotations: {
    title: 'Apply exactly what was planned',
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
  outputSchema: {
    type: 'object',
    properties: {
      value: {
        type: ['string', 'array', 'object'],
        description: 'The text or list from the offset on, as much as fits.',
      },
      next_offset: { type: ['integer', 'null'], description: 'Null if nothing is left.' },
      total: { type: 'integer', description: 'Length of the whole text or list.' },
    },
    required: ['value', 'next_offset', 'total'],
  },
  annotations: {
    title: 'Read the rest of a result that was cut',
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
}
