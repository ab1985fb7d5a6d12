import { putMenu } from '../setup/put-menu.ts'
import { read, type Workload } from './workload.ts'

const SIZES = [5, 50, 200]

export const menuReads: readonly Workload[] = [
  ...SIZES.map((count) =>
    read(`menu-read-${count}`, `menu of ${count} items`, async (setup) => {
      await putMenu(setup, 'header', count)
      return { path: '/data/menu.header' }
    }),
  ),
  read('menus-list', 'list of menus', async () => ({ path: '/menus' })),
]
