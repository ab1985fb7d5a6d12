import { markup, putFrames, siteFrames } from '../stage/put-frames.ts'
import { read, type Workload } from './workload.ts'

const LISTS = [20, 500, 2000]
const SINGLES = [2, 200]
/** On the site where one of them is read. */
const FRAMES = 500

export const frameReads: readonly Workload[] = [
  ...LISTS.map((count) =>
    read(`frame-list-${count}`, `list of ${count} frames`, async ({ database }) => {
      await putFrames(database, siteFrames(count))
      return { path: '/frames' }
    }),
  ),
  ...SINGLES.map((kilobytes) =>
    read(`frame-read-${kilobytes}k`, `frame of ${kilobytes} kB`, async ({ database }) => {
      const single = { slug: 'single', html: markup('Single', kilobytes * 1024) }
      await putFrames(database, [...siteFrames(FRAMES - 1), single])
      return { path: '/frames/single' }
    }),
  ),
]
