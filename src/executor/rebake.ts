import type { Dependent } from '../baking/dependents.ts'
import type { RebakedFrame, RebakeEffect } from '../change.ts'
import type { Log } from '../log.ts'
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

/** Brings the copies of these frames up to date; one that fails doesn't keep the others from it. */
export async function rebake(
  build: SiteBuild,
  dependents: readonly Dependent[],
  log: Log,
): Promise<Rebaked> {
  const frames: RebakedFrame[] = []
  for (const dependent of dependents) frames.push(await rebakeOne(build, dependent, log))
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
  }
}

async function rebakeOne(
  build: SiteBuild,
  { frame: { id, slug }, because }: Dependent,
  log: Log,
): Promise<RebakedFrame> {
  try {
    const { changed } = await build.bake(id)
    return changed
      ? { id, slug, because, bake: 'baked', detail: 'The copy was made anew.' }
      : { id, slug, because, bake: 'not_needed', detail: 'The copy was true as it stood.' }
  } catch (error) {
    return { id, slug, because, bake: 'failed', detail: messageOf(error, log) }
  }
}
