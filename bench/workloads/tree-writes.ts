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

/** WordPress takes minutes for the largest tree: it writes the items one after the other, with the same number of statements for each. */
export const treeWrites: readonly Workload[] = [
  tree(50),
  tree(1000, { targets: { wordpress: 80 } }),
  tree(10_000, { scaled: { wordpress: { name: 'tree-replace-1000', times: 10 } } }),
]
