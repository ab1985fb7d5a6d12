import { AppError } from '../../host/errors.ts'
import type { Tools } from './tools.ts'

/** What a client can choose when it connects: a text of the query of the address, or an option of the command. */
export type ClientChoice = {
  /** Names of groups of tools, separated by commas, or `all`; undefined for those of most work. */
  readonly tools?: string | undefined
}

/** All tools. */
const ALL = 'all'

/**
 * The tools that a client has chosen.
 * @throws AppError `rest_invalid_param`
 */
export function chooseTools(allTools: Tools, { tools }: ClientChoice): Tools {
  if (tools === undefined) return allTools.byDefault()
  const chosen = tools.split(',').map((name) => name.trim().toLowerCase())
  if (chosen.includes(ALL)) return allTools
  const { groups } = allTools
  const unknown = chosen.filter((name) => !groups.includes(name))
  if (unknown.length === 0) return allTools.only(new Set(chosen))
  const names = unknown.map((name) => JSON.stringify(name)).join(', ')
  // In a sentence: clients show the message of a refused connection, and no other fields.
  const rule = `has no group ${names}; the groups are ${[...groups, ALL].join(', ')}`
  throw new AppError('rest_invalid_param', `Invalid parameter: tools ${rule}.`, {
    params: { tools: rule },
  })
}
