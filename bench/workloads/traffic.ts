import type { Ask } from '../contender.ts'
import { putFrames, siteFrames } from '../stage/put-frames.ts'
import { putMenu } from '../stage/put-menu.ts'
import { putsOf } from './frame-writes.ts'
import { replaceTree } from './tree-writes.ts'
import { read, type Workload } from './workload.ts'

/** An hour at the API without its pauses: of a hundred requests, how many are which. */
export const traffic: Workload = {
  ...read('traffic', "an hour's traffic", async () => ({ path: '' })),
  contenders: { service: 'status', wordpress: 'status' },
  targets: {},
  prepare: async (stage) => {
    await putFrames(stage.database, siteFrames(500))
    await putMenu(stage, 'header', 50)
    const replaced = replaceTree(await putMenu(stage, 'footer_2', 50), 50)
    return {
      asks: spread([
        ...repeat(60, { path: '/data/menu.header' }),
        ...repeat(22, { path: '/frames/part-0007' }),
        ...repeat(7, { path: '/menus' }),
        ...repeat(5, { path: '/frames' }),
        ...putsOf('part-0007', 2048).slice(0, 5),
        replaced,
      ]),
    }
  },
}

const repeat = (times: number, ask: Ask): Ask[] => Array.from({ length: times }, () => ask)

/** The same requests, those of one kind far from one another. */
function spread(asks: readonly Ask[]): Ask[] {
  const step = 37
  return asks.flatMap((_, index) => asks[(index * step) % asks.length] ?? [])
}
