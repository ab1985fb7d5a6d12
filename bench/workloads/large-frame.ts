import { putFrames } from '../stage/put-frames.ts'
import type { Stage } from '../stage/stage.ts'
import { read, type Workload, write } from './workload.ts'

const BYTES = 2_090_000
/** Small reads as they come, and not as many as can be answered. */
const READERS = 2

export const largeFrame: readonly Workload[] = [
  write('frame-put-2m', 'PUT of a 2 MB frame, with its bake', putLarge, {
    contenders: { service: 'status' },
  }),
  {
    ...read('read-while-baking', 'small reads while 2 MB bake', async () => ({ path: '' })),
    contenders: { service: 'status' },
    targets: { p99: 50 },
    connections: READERS,
    prepare: async (stage) => ({
      meanwhile: await putLarge(stage),
      asks: [{ path: '/frames/small' }],
    }),
  },
]

/** A site with a small frame and a large one, and requests that replace the large one's markup. */
async function putLarge({ database }: Stage) {
  await putFrames(database, [
    { slug: 'small', html: '<p>small</p>' },
    { slug: 'large', html: '<p>large</p>' },
  ])
  return [1, 2].map((variant) => ({
    method: 'PUT' as const,
    path: '/frames/large',
    body: { html: large(variant) },
  }))
}

/** Markup with two thousand values to print. */
function large(variant: number): string {
  const section = (index: number) =>
    `<section id="s-${variant}-${index}"><h2 data-op-bind="site.title">T</h2><p>${'words of a page '.repeat(60)}</p></section>\n`
  return Array.from({ length: 2000 }, (_, index) => section(index))
    .join('')
    .slice(0, BYTES)
}
