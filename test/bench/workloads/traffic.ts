import type { Ask } from '../contender.ts'
import { putFrames, putMenu, siteFrames } from '../setup/content.ts'
import { read, type Workload } from './workload.ts'
import { putsOf, replaceTree } from './writes.ts'

/** The typical requests of an hour without the pauses: how many of a hundred are of each kind. */
export const traffic: Workload = read(
  'traffic',
  "an hour's traffic",
  async (setup) => {
    await putFrames(setup.database, siteFrames(500))
    await putMenu(setup.database, 'header', 50)
    const replaced = replaceTree(await putMenu(setup.database, 'footer_2', 50), 50)
    return spread([
      ...repeat(60, { path: '/data/menu.header' }),
      ...repeat(22, { path: '/frames/part-0007' }),
      ...repeat(7, { path: '/menus' }),
      ...repeat(5, { path: '/frames' }),
      ...putsOf('part-0007', 2048).slice(0, 5),
      replaced,
    ])
  },
  {
    contenders: { service: 'status', wordpress: 'status' },
    targets: { wordpress: 14 },
    remoteTargets: { wordpress: 20 },
  },
)

const repeat = (times: number, ask: Ask): Ask[] => Array.from({ length: times }, () => ask)

/** Distributes the requests of each kind evenly. */
function spread(asks: readonly Ask[]): Ask[] {
  const step = 37
  return asks.flatMap((_, index) => asks[(index * step) % asks.length] ?? [])
}
