import type { Effects } from '../change.ts'
import type { Metrics } from '../metrics.ts'
import type { Executor } from './executor.ts'

/** The same executor, whose work is counted. */
export function instrumentExecutor(executor: Executor, metrics: Metrics): Executor {
  const observe = async <T>(work: 'apply' | 'render', run: () => Promise<T>): Promise<T> => {
    const begun = performance.now()
    try {
      return await run()
    } finally {
      metrics.observeBuild(work, (performance.now() - begun) / 1000)
    }
  }
  return {
    apply: async (site, change) => {
      const effects = await observe('apply', () => executor.apply(site, change))
      countEffects(metrics, effects)
      return effects
    },
    render: (site, pageId) => observe('render', () => executor.render(site, pageId)),
  }
}

function countEffects(metrics: Metrics, { bake, rebaked }: Effects): void {
  if (bake.status === 'ok') metrics.countBakes(bake.response.baked ? 'baked' : 'not_needed', 1)
  // Where no frame could be built, nobody knows how many would have been.
  if (bake.status === 'failed' || rebaked.message !== undefined) metrics.countBakes('failed', 1)
  for (const outcome of ['baked', 'not_needed', 'failed'] as const) {
    metrics.countBakes(outcome, rebaked[outcome])
  }
  const { urls, skipped, by } = rebaked.cache.flushed.urls
  if (by === 'none') return
  metrics.countPurges('ok', urls.length)
  metrics.countPurges('failed', skipped.length)
}
