import type { Effects } from '../effects.ts'
import { describeCounts } from '../work/describe-work.ts'

/** The effects of a change, for the output of a command. */
export type EffectsSummary = {
  /** The bake of the frame itself; `not_needed` if its copy was fresh, `skipped` if no bake was requested, `pending` if it is not finished yet. */
  readonly bake: 'baked' | 'not_needed' | 'skipped' | 'failed' | 'pending'
  /** How many other frames were baked. */
  readonly rebaked: number
  /** How many static copies changed. */
  readonly pages: number
  readonly warnings: readonly string[]
  /** One sentence for each failed effect. The write itself remains. */
  readonly failures: readonly string[]
}

export function summarizeEffects({
  bake,
  rebaked,
  statics,
  republish,
  pending,
}: Effects): EffectsSummary {
  const copies = [...statics].filter(([, { reason }]) => reason === 'failed')
  return {
    bake: bake.status === 'ok' ? (bake.response.baked ? 'baked' : 'not_needed') : bake.status,
    rebaked: rebaked.baked,
    pages: [...statics.values()].filter(({ changed }) => changed).length,
    warnings: [
      ...(bake.status === 'ok' ? bake.response.warnings : []),
      ...(republish.status === 'ok' && republish.message !== undefined ? [republish.message] : []),
      ...(pending ? [describePending(pending)] : []),
    ],
    failures: [
      ...(bake.status === 'failed' ? [`The bake failed: ${bake.message}`] : []),
      ...(bake.status !== 'failed' && rebaked.message !== undefined
        ? [`No frame was baked: ${rebaked.message}`]
        : []),
      ...rebaked.frames
        .filter((frame) => frame.bake === 'failed')
        .map(({ slug, detail }) => `The bake of "${slug}", which embeds it, failed: ${detail}`),
      ...copies.map(([page, { message }]) => `The static copy of page ${page} failed: ${message}`),
      ...(republish.cache.status === 'failed' ? ['A page cache rejected the purge.'] : []),
    ],
  }
}

/** `1,850 pages are pending: wp-frames work --wait`. */
export function describePending({ pages, frames }: NonNullable<Effects['pending']>): string {
  const verb = pages + frames === 1 ? 'is' : 'are'
  return `${describeCounts({ pages, frames, purges: 0 })} ${verb} pending: wp-frames work --wait`
}
