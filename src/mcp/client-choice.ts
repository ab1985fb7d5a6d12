import { AppError } from '../errors.ts'
import type { Tools } from './tools.ts'

/** What a client can choose when it connects: texts of the query of the address, or options of the command. */
export type ClientChoice = {
  /** Names of groups of tools, separated by commas; undefined for all. */
  readonly tools?: string | undefined
  /** How results are returned: `text`, the default, or `structured`. */
  readonly results?: string | undefined
}

/** The tools and the form of results that a client has chosen. */
export type Offer = {
  readonly tools: Tools
  /** All tools: resources are read with the tools of any group. */
  readonly allTools: Tools
  /** Results are in `structuredContent`, and not in the text. */
  readonly isStructured: boolean
}

/**
 * The tools and the form of results that a client has chosen.
 * @throws AppError `rest_invalid_param`
 */
export function offerOf(allTools: Tools, { tools, results = 'text' }: ClientChoice): Offer {
  if (results !== 'text' && results !== 'structured')
    throw invalidChoice('results', 'must be text or structured')
  return {
    tools: tools === undefined ? allTools : allTools.only(groupsOf(allTools, tools)),
    allTools,
    isStructured: results === 'structured',
  }
}

function groupsOf({ groups }: Tools, text: string): ReadonlySet<string> {
  const chosen = text.split(',').map((name) => name.trim().toLowerCase())
  const unknown = chosen.filter((name) => !groups.includes(name))
  if (unknown.length === 0) return new Set(chosen)
  const names = unknown.map((name) => JSON.stringify(name)).join(', ')
  throw invalidChoice('tools', `has no group ${names}; the groups are ${groups.join(', ')}`)
}

/** In a sentence: clients show the message of a refused connection, and no other fields. */
function invalidChoice(name: string, rule: string): AppError {
  return new AppError('rest_invalid_param', `Invalid parameter: ${name} ${rule}.`, {
    params: { [name]: rule },
  })
}
