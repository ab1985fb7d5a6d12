import { quickTrees } from './tree-writes.ts'
import type { Workload } from './workload.ts'
import { workloads } from './workloads.ts'

/**
 * The workloads with these names, or whose names begin with one of them followed by a hyphen. Without names, all workloads.
 * @throws Error for a name without a workload
 */
export function chooseWorkloads(names: readonly string[]): readonly Workload[] {
  if (names.length === 0) return workloads
  const isNamed = (wanted: string, { name }: Workload) => `${name}-`.startsWith(`${wanted}-`)
  const unknown = names.filter((wanted) => !workloads.some((workload) => isNamed(wanted, workload)))
  if (unknown.length > 0) {
    throw new Error(`There is no workload ${unknown.join(', ')}. These are:\n${workloadNames()}`)
  }
  return workloads.filter((workload) => names.some((wanted) => isNamed(wanted, workload)))
}

/**
 * The workloads in which the service has a target by WordPress or Express, or for its round trips. WordPress needs half a minute for one of them, so a
 * smaller one comes before it.
 */
export function quickWorkloads(remote = false): readonly Workload[] {
  const compared = workloads.filter((workload) => {
    const { wordpress, express, roundTrips } = targetsOf(workload, remote)
    return [wordpress, express, roundTrips].some((target) => target !== undefined)
  })
  return compared.flatMap((workload) =>
    workload.name === 'tree-replace-1000' ? quickTrees : workload,
  )
}

/** The same workloads with their targets for a remote database. */
export const withRemoteTargets = (chosen: readonly Workload[]): readonly Workload[] =>
  chosen.map((workload) => ({ ...workload, targets: targetsOf(workload, true) }))

const targetsOf = ({ targets, remoteTargets = {} }: Workload, remote: boolean) =>
  remote ? remoteTargets : targets

/** A line with the name and title of each workload. */
export function workloadNames(): string {
  const lines = workloads.map(({ name, title }) => `  ${name.padEnd(20)} ${title}`)
  return [
    ...lines,
    `  ${'publication'.padEnd(20)} sites of many pages on one frame, see --pages`,
    `  ${'freshness'.padEnd(20)} edits that bypass the service, see --sites; only if it is named`,
  ].join('\n')
}
