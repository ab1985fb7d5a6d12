import { frameReads } from './frame-reads.ts'
import { menuReads } from './menu-reads.ts'
import { tokenCheck } from './token-check.ts'
import type { Workload } from './workload.ts'

/** Every workload, in the order in which they are measured. */
export const workloads: readonly Workload[] = [tokenCheck, ...menuReads, ...frameReads]
