import { putMenu } from '../stage/put-menu.ts'
import { read, type Workload } from './workload.ts'

const SIZES = [5, 50, 200]

export const menuReads: readonly Workload[] = [
  ...SIZES.map((count) =>
    read(`menu-read-${count}`, `menu of ${count} items`, async (stage) => {
      await putMenu(stage, 'header', count)
      return { path: '/data/menu.header' }
    }),
  ),
  read('menus-list', 'list of menus', async () => ({ path: '/menus' })),
]
