import { coreMenuItems } from './core-menu-items.ts'
import { frameReads } from './frame-reads.ts'
import { frameWrites } from './frame-writes.ts'
import { largeFrame } from './large-frame.ts'
import { menuReads } from './menu-reads.ts'
import { pages } from './pages.ts'
import { tokenCheck } from './token-check.ts'
import { traffic } from './traffic.ts'
import { treeWrites } from './tree-writes.ts'
import type { Workload } from './workload.ts'

/** Every workload, in the order in which they are measured. */
export const workloads: readonly Workload[] = [
  tokenCheck,
  ...menuReads,
  coreMenuItems,
  ...frameReads,
  ...frameWrites,
  ...treeWrites,
  ...pages,
  traffic,
  ...largeFrame,
]
