import { markup, putFrames, putMenu, siteFrames } from '../setup/content.ts'
import { againstExpress, read, type Workload } from './workload.ts'

const [MENUS, LISTS, SINGLES] = [
  [5, 50, 200],
  [20, 500, 2000],
  [2, 200],
]
/** The usual sizes: items of a menu, and kilobytes of a frame. */
const [USUAL_MENU, USUAL_FRAME] = [50, 2]
/** Frames on the site of which one is read. */
const FRAMES = 500
/** Number of frames that are read at the same time: each client reads another one, so that no reads are shared. */
const DIFFERENT = 20

export const reads: readonly Workload[] = [
  // A path without an endpoint: only callers with a valid token get the 404.
  read('token-check', 'token check alone', async () => ({ path: '/nothing' }), {
    ...againstExpress,
    status: 404,
  }),
  ...MENUS.map((count) =>
    read(
      `menu-read-${count}`,
      `menu of ${count} items`,
      async ({ database }) => {
        await putMenu(database, 'header', count)
        return { path: '/data/menu.header' }
      },
      count === USUAL_MENU ? againstExpress : {},
    ),
  ),
  read('menus-list', 'list of menus', async () => ({ path: '/menus' })),
  ...LISTS.map((count) =>
    read(`frame-list-${count}`, `list of ${count} frames`, async ({ database }) => {
      await putFrames(database, siteFrames(count))
      return { path: '/frames' }
    }),
  ),
  ...SINGLES.map((kilobytes) =>
    read(
      `frame-read-${kilobytes}k`,
      `frame of ${kilobytes} kB`,
      async ({ database }) => {
        const single = { slug: 'single', html: markup('Single', kilobytes * 1024) }
        await putFrames(database, [...siteFrames(FRAMES - 1), single])
        return { path: '/frames/single' }
      },
      kilobytes === USUAL_FRAME ? { ...againstExpress, targets: { express: 0.6 } } : {},
    ),
  ),
  read('frame-reads-2k', 'different frames of 2 kB', async ({ database }) => {
    const different = Array.from({ length: DIFFERENT }, (_, index) => ({
      slug: `single-${index}`,
      html: markup(`Single ${index}`, 2 * 1024),
    }))
    await putFrames(database, [...siteFrames(FRAMES - DIFFERENT), ...different])
    return different.map(({ slug }) => ({ path: `/frames/${slug}` }))
  }),
]
