import type { Dependent } from '../baking/dependents.ts'
import type { RebakedFrame, RebakeEffect } from '../change.ts'
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

/** Frames at a time: much of a bake is waiting for the database. */
const CONCURRENCY = 4

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
  await forEachBounded(chosen, CONCURRENCY, async (dependent) => {
    outcomes.set(dependent, await rebakeOne(build, dependent, log))
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

async function rebakeOne(
  build: SiteBuild,
  { frame: { id, slug }, because }: Dependent,
  log: Log,
): Promise<RebakedFrame> {
  try {
    const { outcome } = await build.bake(id)
    const bake = outcome === 'new' ? 'baked' : 'not_needed'
    return { id, slug, because, bake, detail: DETAILS[outcome] }
  } catch (error) {
    return { id, slug, because, bake: 'failed', detail: messageOf(error, log) }
  }
}
