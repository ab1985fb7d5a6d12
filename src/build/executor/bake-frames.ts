import { inBatches } from '../../db/sql.ts'
import { forEachBounded, forEachYielding } from '../../host/concurrency/for-each.ts'
import type { RebakeEffect, RebakeOutcome } from '../../host/effects.ts'
import type { Bake, BakeChoice } from '../baking/bake-frame.ts'
import type { Dependent } from '../baking/dependents.ts'
import type { FailureLog } from './executor.ts'
import type { SiteBuild } from './site-build.ts'

/** The bake of a frame, or a message for clients why it failed. */
export type BakeResult = { readonly bake: Bake } | FailedBake

/** What is reported of a frame that depends on a change. */
export type DependentResult = { readonly bake: Pick<Bake, 'outcome'> } | FailedBake

type FailedBake = { readonly message: string }

/** Batches baked concurrently: a bake mostly waits for the database. */
const BATCHES_AT_ONCE = 4
/** Markup per batch, in bytes: the copies of a batch stay in memory until all are stored. */
const BATCH_BYTES = 1024 * 1024

/** Updates the baked copies of these frames. A frame that fails does not affect the others. */
export async function bakeFrames(
  build: SiteBuild,
  ids: Iterable<string>,
  describeFailure: FailureLog,
  options: BakeChoice = {},
): Promise<Map<string, BakeResult>> {
  const results = new Map<string, BakeResult>()
  const bytes = new Map<string, number>()
  await forEachYielding(ids, (id) => bytes.set(id, build.graph.closureBytes(id)))
  const batches = inBatches(bytes.keys(), BATCH_BYTES, (id) => bytes.get(id) ?? 0)
  await forEachBounded(batches, BATCHES_AT_ONCE, async (batch) => {
    const bakes = await build.bakeAll(batch, options)
    bakes.forEach((bake, index) => {
      const id = batch[index] ?? ''
      const result =
        bake.status === 'fulfilled'
          ? { bake: bake.value }
          : { message: describeFailure(id, bake.reason) }
      results.set(id, result)
      build.metrics?.count('bakes_total', { outcome: outcomeOfBake(result) })
    })
  })
  return results
}

const outcomeOfBake = (result: DependentResult | undefined): RebakeOutcome['bake'] => {
  if (result === undefined || 'message' in result) return 'failed'
  return result.bake.outcome === 'changed' ? 'baked' : 'not_needed'
}

/**
 * Describes the bakes of the frames that depend on a change.
 * @param part ids of the dependents that were to be baked, and of those that the next calls take; undefined if all were to be baked
 */
export function describeRebake(
  dependents: readonly Dependent[],
  part: { readonly chosen: ReadonlySet<string>; readonly left: ReadonlySet<string> } | undefined,
  results: ReadonlyMap<string, DependentResult>,
): Omit<RebakeEffect, 'cache'> {
  const isChosen = ({ frame }: Dependent) => part?.chosen.has(frame.id) ?? true
  const frames = dependents
    .filter(isChosen)
    .map((dependent) => outcomeOf(dependent, results.get(dependent.frame.id)))
  const count = (outcome: RebakeOutcome['bake']) =>
    frames.filter(({ bake }) => bake === outcome).length
  const failed = count('failed')
  return {
    status: failed === 0 ? 'ok' : 'failed',
    total: frames.length,
    baked: count('baked'),
    not_needed: count('not_needed'),
    failed,
    frames,
    ...(part === undefined
      ? {}
      : {
          skipped: dependents
            .filter(({ frame }) => part.left.has(frame.id))
            .map(({ frame: { slug } }) => slug),
        }),
  }
}

const DETAILS = {
  cached: 'The copy was up to date.',
  unchanged: 'The copy was baked again; its output did not change.',
  changed: 'The copy was baked again.',
}

function outcomeOf(
  { frame: { id, slug }, because }: Dependent,
  result: DependentResult | undefined,
): RebakeOutcome {
  const detail =
    result && 'bake' in result
      ? DETAILS[result.bake.outcome]
      : (result?.message ?? 'The frame was deleted.')
  return { id, slug, because, bake: outcomeOfBake(result), detail }
}
