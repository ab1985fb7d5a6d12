import { type Change, workOf } from '../../content/work/change.ts'
import { namesOf } from '../../content/work/work.ts'
import { inBatches } from '../../db/sql.ts'
import { forEachBounded, forEachYielding } from '../../host/concurrency/for-each.ts'
import type { RebakeEffect, RebakeOutcome } from '../../host/effects.ts'
import type { Bake, BakeChoice } from '../baking/bake-frame.ts'
import { type Dependent, findDependents } from '../baking/dependents.ts'
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

/** Describes the bakes of the frames that a change affects, besides the one that it wrote. */
export function rebakeOf(
  { graph }: SiteBuild,
  change: Change,
  results: ReadonlyMap<string, DependentResult>,
): Omit<RebakeEffect, 'cache'> {
  const { bake, frame: written, work, declared } = change
  const dependents = findDependents(graph, declared?.work ?? workOf(change))
  const others = dependents.filter(({ frame }) => frame.id !== written)
  // A request for a rebake takes a part, and leaves another part to the next calls.
  const chosen = declared && new Set(namesOf('frame', work))
  const frames = others
    .filter(({ frame }) => chosen?.has(frame.id) ?? true)
    .map((dependent) => outcomeOf(dependent, results.get(dependent.frame.id)))
  const left = new Set(declared?.left)
  const count = (outcome: RebakeOutcome['bake']) =>
    frames.filter(({ bake }) => bake === outcome).length
  const failed = count('failed')
  const status = failed === 0 ? 'ok' : 'failed'
  return {
    status: bake ? status : 'skipped',
    total: frames.length,
    baked: count('baked'),
    not_needed: count('not_needed'),
    failed,
    frames,
    ...(declared && {
      skipped: others.filter(({ frame }) => left.has(frame.id)).map(({ frame }) => frame.slug),
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
