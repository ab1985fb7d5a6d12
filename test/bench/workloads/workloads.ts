import { pages } from './pages.ts'
import { reads } from './reads.ts'
import { traffic } from './traffic.ts'
import type { Workload } from './workload.ts'
import { frameWrites, largeFrame, treeWrites } from './writes.ts'

/** Every workload, in the order in which they are measured. */
export const workloads: readonly Workload[] = [
  ...reads,
  ...frameWrites,
  ...treeWrites,
  ...pages,
  traffic,
  largeFrame,
]

/**
 * The workloads with these names, or whose names begin with one of them followed by a hyphen. Without names, all workloads.
 * @throws Error for a name without a workload
 */
export function chooseWorkloads(names: readonly string[]): readonly Workload[] {
  if (names.length === 0) return workloads
  const isNamed = (wanted: string, { name }: Workload) => `${name}-`.startsWith(`${wanted}-`)
  const unknown = names.filter((wanted) => !workloads.some((workload) => isNamed(wanted, workload)))
  if (unknown.length > 0)
    throw new Error(`There is no workload ${unknown.join(', ')}. --help lists them.`)
  return workloads.filter((workload) => names.some((wanted) => isNamed(wanted, workload)))
}

/** Those in which the service has a target by WordPress or Express, or for its round trips. */
export const comparedWorkloads = (all: readonly Workload[]): readonly Workload[] =>
  all.filter(({ targets: { wordpress, express, roundTrips } }) =>
    [wordpress, express, roundTrips].some((target) => target !== undefined),
  )

/** The same workloads with their targets for a remote database. */
export const withRemoteTargets = (chosen: readonly Workload[]): readonly Workload[] =>
  chosen.map((workload) => ({ ...workload, targets: workload.remoteTargets ?? {} }))
