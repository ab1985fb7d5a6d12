import type { BenchSetup } from '../setup/bench-setup.ts'
import { putFrames } from '../setup/put-frames.ts'
import { read, type Workload, write } from './workload.ts'

const BYTES = 2_090_000
/** Connections that send small reads: a normal load, not the maximum. */
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
    prepare: async (setup) => ({
      meanwhile: await putLarge(setup),
      asks: [{ path: '/frames/small' }],
    }),
  },
]

/** Creates a site with a small and a large frame, and requests that replace the large frame's markup. */
async function putLarge({ database }: BenchSetup) {
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

/** Markup that prints two thousand values. */
function large(variant: number): string {
  const section = (index: number) =>
    `<section id="s-${variant}-${index}"><h2 data-op-bind="site.title">T</h2><p>${'a text of a page '.repeat(60)}</p></section>\n`
  return Array.from({ length: 2000 }, (_, index) => section(index))
    .join('')
    .slice(0, BYTES)
}
