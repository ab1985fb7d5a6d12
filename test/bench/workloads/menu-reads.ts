import { putMenu } from '../setup/put-menu.ts'
import { againstExpress, read, type Workload } from './workload.ts'

const SIZES = [5, 50, 200]
/** The usual size of a menu. */
const USUAL = 50

export const menuReads: readonly Workload[] = [
  ...SIZES.map((count) =>
    read(
      `menu-read-${count}`,
      `menu of ${count} items`,
      async (setup) => {
        await putMenu(setup, 'header', count)
        return { path: '/data/menu.header' }
      },
      count === USUAL ? againstExpress : {},
    ),
  ),
  read('menus-list', 'list of menus', async () => ({ path: '/menus' })),
]
