import { putMenu } from '../setup/put-menu.ts'
import { read, type Workload } from './workload.ts'

/** The cost of reading a menu through WordPress's own REST API. Its flat list is not compared with other answers. */
export const coreMenuItems: Workload = read(
  'core-menu-items',
  "50 items by WordPress's /wp/v2",
  async (setup) => {
    const id = await putMenu(setup, 'header', 50)
    return { at: 'front', path: `/wp-json/wp/v2/menu-items?menus=${id}&per_page=100` }
  },
  { contenders: { wordpress: 'status' }, targets: {} },
)
