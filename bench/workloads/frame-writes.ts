import type { BenchDatabase } from '../setup/open-database.ts'
import { embed, frameId, markup, putFrames, siteFrames } from '../setup/put-frames.ts'
import { type Workload, write } from './workload.ts'

/** Numbers of frames that embed the written one, with the target of the ratio to WordPress. */
const DEPENDENTS: readonly (readonly [count: number, targets: Workload['targets']])[] = [
  [0, { wordpress: 6 }],
  [20, {}],
  [200, { wordpress: 5 }],
]
/** Number of frames on the site. */
const FRAMES = 500
const BYTES = 2048
/** Number of different texts: each request must change the markup, or nothing would be baked. */
const VARIANTS = 10

export const frameWrites: readonly Workload[] = [
  ...DEPENDENTS.map(([count, targets]) =>
    write(
      `frame-put-${count}`,
      `PUT of a frame, ${count} dependents`,
      async ({ database }) => {
        await putTarget(database, count)
        return putsOf('target', BYTES)
      },
      { targets },
    ),
  ),
  write(
    'frame-rename-200',
    'rename of a frame in 200 others',
    async ({ database }) => {
      await putTarget(database, 200)
      return ['renamed', 'target'].map((slug) => ({
        method: 'PATCH' as const,
        path: `/frames/${frameId('target')}`,
        body: { slug },
      }))
    },
    { contenders: { service: 'status' } },
  ),
]

/** Creates a site with a frame `target` and this many frames that embed it. */
async function putTarget(database: BenchDatabase, dependents: number): Promise<void> {
  const embedding = Array.from({ length: dependents }, (_, index) => ({
    slug: `dependent-${index}`,
    html: markup(`Dependent ${index}`, BYTES) + embed('target'),
  }))
  await putFrames(database, [
    { slug: 'target', html: markup('Target', BYTES) },
    ...embedding,
    ...siteFrames(FRAMES - dependents - 1),
  ])
}

/** Requests that replace a frame's markup, each with another text. */
export const putsOf = (slug: string, bytes: number) =>
  Array.from({ length: VARIANTS }, (_, variant) => ({
    method: 'PUT' as const,
    path: `/frames/${slug}`,
    body: { html: markup(`Variant ${variant}`, bytes) },
  }))
