import { markup, putFrames, siteFrames } from '../setup/put-frames.ts'
import { againstExpress, read, type Workload } from './workload.ts'

const LISTS = [20, 500, 2000]
const SINGLES = [2, 200]
/** The usual size of a frame, in kilobytes. */
const USUAL = 2
/** Frames on the site of which one is read. */
const FRAMES = 500
/** Number of frames that are read at the same time: each client reads another one, so that no reads are shared. */
const DIFFERENT = 20

export const frameReads: readonly Workload[] = [
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
      kilobytes === USUAL ? { ...againstExpress, targets: { floor: 0.6, express: 0.6 } } : {},
    ),
  ),
  {
    ...read('frame-reads-2k', 'different frames of 2 kB', async () => ({ path: '' })),
    prepare: async ({ database }) => {
      const different = Array.from({ length: DIFFERENT }, (_, index) => ({
        slug: `single-${index}`,
        html: markup(`Single ${index}`, 2 * 1024),
      }))
      await putFrames(database, [...siteFrames(FRAMES - DIFFERENT), ...different])
      return { asks: different.map(({ slug }) => ({ path: `/frames/${slug}` })) }
    },
  },
]
