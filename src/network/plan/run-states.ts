/**
 * The state of a run. `planning`, `applying`, `trying`, `rolling_back`: a process works on it; `trying` applies it to the canary and is followed by `planned`. `planned`: nothing is written yet, or to the canary
 * only. `started`: a command of an older program applies it, or has stopped before its end. `done`: each site has got its result.
 */
export const RUN_STATES = [
  'planning',
  'planned',
  'applying',
  'trying',
  'rolling_back',
  'started',
  'done',
  'failed',
] as const
export type RunState = (typeof RUN_STATES)[number]

/** States of runs that a process continues. */
export const WORKED_STATES: readonly RunState[] = ['planning', 'applying', 'trying', 'rolling_back']

/**
 * What became of a site in a run. `waiting`: not planned yet. `planned`: to be applied. `applied`: it has its desired state. `refused`: it has
 * changed since the plan. `blocked`: it lacks something that the description needs. `failed`: an error. `skipped`: left out after failures of
 * other sites. `rolled_back`: the run was rolled back.
 */
export const RUN_SITE_STATES = [
  'waiting',
  'planned',
  'applied',
  'refused',
  'blocked',
  'failed',
  'skipped',
  'rolled_back',
] as const
export type RunSiteState = (typeof RUN_SITE_STATES)[number]

/** States of sites that a run has tried in vain; these count as failures. */
export const UNAPPLIED_STATES: readonly RunSiteState[] = ['failed', 'refused', 'blocked']
