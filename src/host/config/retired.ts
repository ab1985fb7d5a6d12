import type { Environment } from './secrets.ts'

/** Variables that were settings of earlier versions, each with a sentence that says what to use instead. */
export const RETIRED: Readonly<Record<string, string>> = {
  WORKERS:
    'WORKERS is no longer a setting: a process is an instance. Unset it, and for more cores start several instances behind a proxy, see /docs/scale-and-caches#several-cores.',
  EXECUTOR_TIMEOUT_MS:
    'EXECUTOR_TIMEOUT_MS is no longer a setting: an executor is only woken, and answers at once. Unset it, and set EFFECTS_BUDGET_MS to how long a write waits for its effects.',
}

/** The sentences about the retired variables among those that are set: without effect, they would seem to work. */
export const describeRetired = (set: Environment): string[] =>
  Object.entries(RETIRED).flatMap(([name, sentence]) => (set[name] === undefined ? [] : sentence))
