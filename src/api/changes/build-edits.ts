import { setTimeout as sleep } from 'node:timers/promises'
import { recordEdits } from '../../edits/record-edits.ts'
import type { Effects } from '../../effects.ts'
import { skippedEffects } from '../../executor/executor.ts'
import type { ChangedRows } from '../../seen/changed-rows.ts'
import type { GlobalTables } from '../../wordpress/network/site.ts'
import { countWork, isWorking } from '../../work/claims.ts'
import type { EndpointServices } from '../endpoint.ts'

/** The edits of a site by other programs, and what was built for them. */
type BuiltEdits = { readonly edited: boolean; readonly effects: Effects }

type BuildServices = Pick<EndpointServices, 'db' | 'executor' | 'effectsBudgetMs'> & {
  readonly globals: GlobalTables
}

/**
 * Compares a site with what was seen of it last, and waits until its pages show what differs, at most for the budget of effects.
 * @param rows where to look
 * @throws AppError `internal_unavailable`
 */
export async function buildEdits(
  { db, globals, executor, effectsBudgetMs }: BuildServices,
  blogId: number,
  rows: ChangedRows,
): Promise<BuiltEdits> {
  const startedAt = performance.now()
  const work = { blogId, globals }
  const edits = await recordEdits({ db, globals }, blogId, rows)
  const effects = edits
    ? await executor.apply(edits.site, edits.change)
    : skippedEffects({ bake: false })
  // Other work of the site may contain edits that were found just before.
  const end = startedAt + effectsBudgetMs
  while (performance.now() < end && (await isWorking(db, work)))
    await sleep(db.timings.api.buildPollMs)
  const pending = (await isWorking(db, work)) ? await countWork(db, work) : undefined
  return { edited: edits !== undefined, effects: { ...effects, ...(pending ? { pending } : {}) } }
}
