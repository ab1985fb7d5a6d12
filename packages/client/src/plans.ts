import type { Calls, Output } from './endpoint-types.ts'
import { sleep } from './retrying-fetch.ts'

/** A plan with its sites by state. */
export type Plan = Output<'getPlan'>['plan']

export type WaitForPlanOptions = {
  readonly signal?: AbortSignal
  /** Seconds between two reads, after shorter pauses at first [1]. */
  readonly intervalSeconds?: number
  /** Is called with the plan after each read. */
  readonly onProgress?: (plan: Plan) => void
}

const AT_WORK: readonly Plan['state'][] = ['planning', 'trying', 'applying', 'rolling_back']

/** Whether the service works on a plan, or is about to. */
export const isAtWork = ({ state }: Pick<Plan, 'state'>): boolean => AT_WORK.includes(state)

/** Reads a plan until the service has finished what it does with it. */
export async function waitForPlan(
  calls: Calls,
  id: string,
  { signal, intervalSeconds = 1, onProgress }: WaitForPlanOptions = {},
): Promise<Plan> {
  for (let pause = intervalSeconds / 8; ; pause = Math.min(2 * pause, intervalSeconds)) {
    const { plan } = await calls.getPlan({ id, limit: 1 }, signal ? { signal } : {})
    onProgress?.(plan)
    if (!isAtWork(plan)) return plan
    await sleep(pause, signal)
  }
}
