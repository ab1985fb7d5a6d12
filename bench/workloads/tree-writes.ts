import { putFrames, siteFrames } from '../stage/put-frames.ts'
import { menuTree, putMenu } from '../stage/put-menu.ts'
import { type Workload, write } from './workload.ts'

const tree = (count: number, more: Partial<Workload> = {}): Workload =>
  write(
    `tree-replace-${count}`,
    `tree of ${count} items replaced`,
    async (stage) => {
      await putFrames(stage.database, siteFrames(20))
      const id = await putMenu(stage, 'footer_2', count)
      return [replaceTree(id, count, 1), replaceTree(id, count)]
    },
    more,
  )

/** A request that replaces a menu's tree; by another edition of it, not an item stays what it was. */
export const replaceTree = (menuId: number, count: number, edition = 0) => ({
  method: 'PUT' as const,
  path: `/menus/${menuId}/items`,
  body: { items: menuTree(count, edition) },
})

/** WordPress takes minutes over the largest: an item after the other, each by as many statements. */
export const treeWrites: readonly Workload[] = [
  tree(50),
  tree(1000, { targets: { wordpress: 80 } }),
  tree(10_000, { scaled: { wordpress: { name: 'tree-replace-1000', times: 10 } } }),
]
