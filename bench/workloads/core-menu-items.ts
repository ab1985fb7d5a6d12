import { putMenu } from '../stage/put-menu.ts'
import { read, type Workload } from './workload.ts'

/** What a menu costs whoever reads it of WordPress as it comes: a flat list, so that it is compared with nobody's. */
export const coreMenuItems: Workload = read(
  'core-menu-items',
  "50 items by WordPress's /wp/v2",
  async (stage) => {
    const id = await putMenu(stage, 'header', 50)
    return { at: 'front', path: `/wp-json/wp/v2/menu-items?menus=${id}&per_page=100` }
  },
  { contenders: { wordpress: 'status' }, targets: {} },
)
