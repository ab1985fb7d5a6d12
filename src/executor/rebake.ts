import type { Bake } from '../baking/bake-frame.ts'
import type { Dependent } from '../baking/dependents.ts'
import type { RebakedFrame, RebakeEffect } from '../change.ts'
import { inBatches } from '../db/in-batches.ts'
import type { Log } from '../log.ts'
import { forEachBounded } from '../publishing/bounded.ts'
import { messageOf } from './failure.ts'
import type { SiteBuild } from './site-build.ts'

type Rebaked = Omit<RebakeEffect, 'cache'>

export const NOTHING_REBAKED: Rebaked = {
  status: 'skipped',
  total: 0,
  baked: 0,
  not_needed: 0,
  failed: 0,
  frames: [],
}

/** Batches at a time: much of a bake is waiting for the database. */
const CONCURRENCY = 4
/** What the copies in a batch may have of markup, in bytes: they are held until all are stored. */
const BATCH_BYTES = 1024 * 1024

/**
 * Brings the copies of these frames up to date; one that fails doesn't keep the others from it.
 * @param limit how many to process; what is left is named in `skipped`. Frames that need it come first, so that calling again goes on.
 */
export async function rebake(
  build: SiteBuild,
  dependents: readonly Dependent[],
  limit: number | undefined,
  log: Log,
): Promise<Rebaked> {
  const chosen = await choose(build, dependents, limit ?? dependents.length)
  const outcomes = new Map<Dependent, RebakedFrame>()
  const batches = inBatches(chosen, BATCH_BYTES, ({ frame }) => build.graph.bytesWithin(frame.id))
  await forEachBounded(batches, CONCURRENCY, async (batch) => {
    const bakes = await build.bakeAll(batch.map(({ frame }) => frame.id))
    batch.forEach((dependent, index) => {
      outcomes.set(dependent, outcomeOf(dependent, bakes[index], log))
    })
  })
  const frames = chosen.flatMap((dependent) => outcomes.get(dependent) ?? [])
  const count = (outcome: RebakedFrame['bake']) =>
    frames.filter(({ bake }) => bake === outcome).length
  const failed = count('failed')
  return {
    status: failed === 0 ? 'ok' : 'failed',
    total: frames.length,
    baked: count('baked'),
    not_needed: count('not_needed'),
    failed,
    frames,
    ...(limit === undefined
      ? {}
      : {
          skipped: dependents
            .filter((dependent) => !outcomes.has(dependent))
            .map(({ frame: { slug } }) => slug),
        }),
  }
}

/** The first ones whose copies aren't true, then others, as many as are allowed; in their order. */
async function choose(
  build: SiteBuild,
  dependents: readonly Dependent[],
  limit: number,
): Promise<readonly Dependent[]> {
  if (dependents.length <= limit) return dependents
  const chosen = new Set<Dependent>()
  for (const dependent of dependents) {
    if (chosen.size >= limit) break
    if (!(await build.isBaked(dependent.frame.id))) chosen.add(dependent)
  }
  for (const dependent of dependents) if (chosen.size < limit) chosen.add(dependent)
  return dependents.filter((dependent) => chosen.has(dependent))
}

const DETAILS = {
  kept: 'The copy was true as it stood.',
  same: 'The copy was made anew and prints what it printed.',
  new: 'The copy was made anew.',
}

function outcomeOf(
  { frame: { id, slug }, because }: Dependent,
  bake: PromiseSettledResult<Bake> | undefined,
  log: Log,
): RebakedFrame {
  const told = { id, slug, because }
  if (bake?.status !== 'fulfilled') {
    return { ...told, bake: 'failed', detail: messageOf(bake?.reason, log) }
  }
  const { outcome } = bake.value
  return { ...told, bake: outcome === 'new' ? 'baked' : 'not_needed', detail: DETAILS[outcome] }
}
