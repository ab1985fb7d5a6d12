import type { Bake } from '../baking/bake-frame.ts'
import type { Dependent } from '../baking/dependents.ts'
import type { RebakeEffect, RebakedFrame } from '../change.ts'
import { inBatches } from '../db/sql.ts'
import type { Log } from '../log.ts'
import { forEachBounded } from '../concurrency/for-each.ts'
import { logAndDescribe } from './executor.ts'
import type { PublishOptions } from './publish-pages.ts'
import type { SiteBuild } from './site-build.ts'
import { UnpublishedFrames } from './unpublished-frames.ts'

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
const BATCHES_AT_ONCE = 4
/** What the copies in a batch may have of markup, in bytes: they are held until all are stored. */
const BATCH_BYTES = 1024 * 1024

/**
 * Brings the copies of these frames up to date; one that fails doesn't keep the others from it.
 * @param limit how many to process; what is left is named in `skipped`. Frames that need it come first, for their own sake or for their
 * pages', so that calling again goes on.
 */
export async function rebake(
  build: SiteBuild,
  dependents: readonly Dependent[],
  limit: number | undefined,
  options: PublishOptions,
): Promise<Rebaked> {
  const unpublished = new UnpublishedFrames(options, build)
  const chosen = await chooseDependents(build, dependents, limit ?? dependents.length, unpublished)
  const outcomes = new Map<Dependent, RebakedFrame>()
  const batches = inBatches(chosen, BATCH_BYTES, ({ frame }) => build.graph.closureBytes(frame.id))
  await forEachBounded(batches, BATCHES_AT_ONCE, async (batch) => {
    const bakes = await build.bakeAll(batch.map(({ frame }) => frame.id))
    batch.forEach((dependent, index) => {
      outcomes.set(dependent, rebakedFrameOf(dependent, bakes[index], options.log))
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

/** The first ones whose copies aren't true, then those with pages to publish, then others, as many as are allowed; in their order. */
async function chooseDependents(
  build: SiteBuild,
  dependents: readonly Dependent[],
  limit: number,
  unpublished: UnpublishedFrames,
): Promise<readonly Dependent[]> {
  if (dependents.length <= limit) return dependents
  const toBake: string[] = []
  const toPublish: string[] = []
  for (const batch of inBatches(dependents, limit)) {
    if (toBake.length >= limit) break
    const ids = batch.map(({ frame }) => frame.id)
    const baked = await build.freshHeaders(ids)
    toBake.push(...ids.filter((id) => !baked.has(id)))
    if (toPublish.length < limit) toPublish.push(...(await unpublished.findAmong(baked)))
  }
  const inTurn = new Set([...toBake, ...toPublish, ...dependents.map(({ frame }) => frame.id)])
  const chosen = new Set([...inTurn].slice(0, limit))
  return dependents.filter(({ frame }) => chosen.has(frame.id))
}

const DETAILS = {
  kept: 'The copy was true as it stood.',
  same: 'The copy was made anew and prints what it printed.',
  new: 'The copy was made anew.',
}

function rebakedFrameOf(
  { frame: { id, slug }, because }: Dependent,
  bake: PromiseSettledResult<Bake> | undefined,
  log: Log,
): RebakedFrame {
  const told = { id, slug, because }
  if (bake?.status !== 'fulfilled') {
    return { ...told, bake: 'failed', detail: logAndDescribe(bake?.reason, log) }
  }
  const { outcome } = bake.value
  return { ...told, bake: outcome === 'new' ? 'baked' : 'not_needed', detail: DETAILS[outcome] }
}
