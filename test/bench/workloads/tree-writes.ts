import { putFrames, siteFrames } from '../setup/put-frames.ts'
import { menuTree, putMenu } from '../setup/put-menu.ts'
import { type Workload, write } from './workload.ts'

const tree = (count: number, more: Partial<Workload> = {}): Workload =>
  write(
    `tree-replace-${count}`,
    `tree of ${count} items replaced`,
    async (setup) => {
      await putFrames(setup.database, siteFrames(20))
      const id = await putMenu(setup, 'footer_2', count)
      return [replaceTree(id, count, 1), replaceTree(id, count)]
    },
    more,
  )

/** A request that replaces a menu's tree. Another edition changes every item. */
export const replaceTree = (menuId: number, count: number, edition = 0) => ({
  method: 'PUT' as const,
  path: `/menus/${menuId}/items`,
  body: { items: menuTree(count, edition) },
})

const TARGETS = { targets: { wordpress: 80 } }

/** WordPress takes minutes for the largest tree: it writes the items one after the other, with the same number of statements for each. */
export const treeWrites: readonly Workload[] = [
  tree(50, { remoteTargets: { roundTrips: 8, p50: 40 } }),
  tree(1000, TARGETS),
  tree(10_000, { scaled: { wordpress: { name: 'tree-replace-1000', times: 10 } } }),
]

/**
 * The tree of 1000 items for a quick run: WordPress's figures are those of a smaller one, multiplied. That makes WordPress about 7% slower than it is,
 * because part of its time does not depend on the items.
 */
export const quickTrees: readonly Workload[] = [
  tree(400),
  tree(1000, { ...TARGETS, scaled: { wordpress: { name: 'tree-replace-400', times: 2.5 } } }),
]
