import type { Effects } from '../change.ts'

/** What a command tells of the effects of a change. */
export type EffectsSummary = {
  /** What became of the frame itself: its copy was made anew, was true already, was not asked for, or can't be made. */
  readonly bake: 'baked' | 'not_needed' | 'skipped' | 'failed'
  /** Other frames whose copies were made anew. */
  readonly rebaked: number
  /** Pages whose static copies were brought up to date. */
  readonly pages: number
  readonly warnings: readonly string[]
  /** What went wrong, a sentence each. What was written stays written. */
  readonly failures: readonly string[]
}

/** The effects in a command's words. */
export function summarizeEffects({ bake, rebaked, statics, republish }: Effects): EffectsSummary {
  const copies = [...statics].filter(([, { reason }]) => reason === 'failed')
  return {
    bake: bake.status === 'ok' ? (bake.response.baked ? 'baked' : 'not_needed') : bake.status,
    rebaked: rebaked.baked,
    pages: [...statics.values()].filter(({ changed }) => changed).length,
    warnings: [
      ...(bake.status === 'ok' ? bake.response.warnings : []),
      ...(republish.status === 'ok' && republish.message !== undefined ? [republish.message] : []),
    ],
    failures: [
      ...(bake.status === 'failed' ? [`The bake failed: ${bake.message}`] : []),
      ...(bake.status !== 'failed' && rebaked.message !== undefined
        ? [`No frame was built: ${rebaked.message}`]
        : []),
      ...rebaked.frames
        .filter((frame) => frame.bake === 'failed')
        .map(({ slug, detail }) => `The bake of "${slug}", which embeds it, failed: ${detail}`),
      ...copies.map(([page, { message }]) => `The static copy of page ${page} failed: ${message}`),
      ...(republish.cache.status === 'failed' ? ['A page cache did not take the purge.'] : []),
    ],
  }
}

export const NO_EFFECTS: EffectsSummary = {
  bake: 'skipped',
  rebaked: 0,
  pages: 0,
  warnings: [],
  failures: [],
}
