import type { Calls, Output } from './endpoint-types.ts'
import { sleep } from './retrying-fetch.ts'

/** A plan with its sites by state. */
export type Plan = Output<'getPlan'>['plan']

export type WaitForPlanOptions = {
  readonly signal?: AbortSignal
  /** Seconds between two reads [1]. */
  readonly intervalSeconds?: number
  /** Is called with the plan after each read. */
  readonly onProgress?: (plan: Plan) => void
}

const AT_WORK: readonly Plan['state'][] = ['planning', 'trying', 'applying', 'rolling_back']

/** Reads a plan until the service has finished what it does with it. */
export async function waitForPlan(
  calls: Calls,
  id: string,
  { signal, intervalSeconds = 1, onProgress }: WaitForPlanOptions = {},
): Promise<Plan> {
  for (;;) {
    const { plan } = await calls.getPlan({ id, limit: 1 }, signal ? { signal } : {})
    onProgress?.(plan)
    if (!AT_WORK.includes(plan.state)) return plan
    await sleep(intervalSeconds, signal)
  }
}
