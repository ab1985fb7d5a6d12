import type { ContenderName } from '../contender.ts'
import type { Result } from '../run-bench.ts'

/** How the service stands to another contender: its requests a second by theirs, and what it is to reach. */
export type Ratio = {
  readonly to: Exclude<ContenderName, 'service'>
  readonly ratio: number
  readonly target: number | undefined
}

/** The ratios of a result, where both were measured. */
export function ratiosOf({ workload, figures }: Result): Ratio[] {
  const service = figures.get('service')
  if (!service) return []
  return (['wordpress', 'floor'] as const).flatMap((to) => {
    const other = figures.get(to)
    if (!other) return []
    return { to, ratio: service.perSecond / other.perSecond, target: workload.targets[to] }
  })
}
