import type { CacheEffect, Change, Effects } from '../change.ts'
import { NOTHING_REBAKED } from './rebake.ts'

const SKIPPED_CACHE: CacheEffect = {
  status: 'skipped',
  scope: 'pages',
  pages: [],
  flushed: { urls: { status: 'skipped', by: 'none', urls: [], skipped: [] } },
}

/**
 * The effects of a change of which nothing was built. It is committed all the same.
 * @param why it could not be built; left out where nothing was to be
 */
export function skippedEffects({ bake, frame }: Change, why?: string): Effects {
  const failure = why === undefined ? undefined : ({ status: 'failed', message: why } as const)
  return {
    bake: bake && frame !== undefined && failure ? failure : { status: 'skipped' },
    rebaked: { ...NOTHING_REBAKED, ...(bake ? failure : {}), cache: SKIPPED_CACHE },
    statics: new Map(),
    republish: { ...(failure ?? { status: 'skipped' }), cache: SKIPPED_CACHE },
  }
}
