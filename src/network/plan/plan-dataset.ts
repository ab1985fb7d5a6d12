import { datasetOption } from '../../content/frames/option-names.ts'
import type { Db } from '../../db/database.ts'
import { sha256Hex } from '../../host/hash.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { readOption } from '../../wordpress/options/read-options.ts'
import type { DesiredSite } from '../description/desired-site.ts'
import type { PlanContext } from './plan-context.ts'
import type { Step } from './site-plan.ts'

/** The data set with the variables of a description. */
export const VARIABLES = 'variables'

export type PlannedDataset = {
  /** The text to store; undefined if it is stored already. */
  readonly text: string | undefined
  readonly before: string | undefined
  readonly steps: readonly Step[]
}

/** Compares the data set `variables` with the variables of the description, in the order of their names. */
export async function planDataset(
  db: Db,
  site: Site,
  { variables }: Pick<DesiredSite, 'variables'>,
  { diffs }: PlanContext,
): Promise<PlannedDataset> {
  if (!variables) return { text: undefined, before: undefined, steps: [] }
  const sorted = Object.entries(variables).sort(([a], [b]) => (a < b ? -1 : 1))
  const text = JSON.stringify(Object.fromEntries(sorted))
  const before = await readOption(db, site, datasetOption(VARIABLES))
  if (before === text) return { text: undefined, before, steps: [] }
  const digests = {
    before: before === undefined ? null : sha256Hex(before),
    after: sha256Hex(text),
  }
  const known = diffs?.find(digests.before, digests.after)
  const step: Step = {
    kind: 'dataset',
    name: VARIABLES,
    ref: VARIABLES,
    ...digests,
    action: before === undefined ? 'created' : 'replaced',
    diff: known ?? (await diffs?.compare('dataset', digests, before, text)),
  }
  return { text, before, steps: [step] }
}
