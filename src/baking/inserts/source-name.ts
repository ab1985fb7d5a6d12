import { excerptOf } from '../../markup/excerpt.ts'
import type { Params } from '../../markup/nodes.ts'

/** The `source` of an insert as it was written, short enough for a report. */
export function sourceName({ source }: Params): string {
  return excerptOf(typeof source === 'string' ? source : JSON.stringify(source ?? ''))
}
