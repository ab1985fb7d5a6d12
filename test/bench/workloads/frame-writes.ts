import { comparePuts } from '../compare-puts.ts'
import { send } from '../contender.ts'
import type { BenchSetup } from '../setup/bench-setup.ts'
import type { BenchDatabase } from '../setup/open-database.ts'
import { embed, frameId, markup, putFrames, siteFrames } from '../setup/put-frames.ts'
import { type Workload, write } from './workload.ts'

/** Numbers of frames that embed the written one, with the targets. */
const DEPENDENTS: readonly (readonly [count: number, Partial<Workload>])[] = [
  [
    0,
    {
      contenders: { service: 'status', floor: 'status', wordpress: 'status' },
      targets: { wordpress: 3.5, floor: 0.5 },
      remoteTargets: { wordpress: 6, roundTrips: 5, p50: 22 },
      compare: ({ database }, contenders) =>
        comparePuts(
          database,
          contenders.filter(({ name }) => name !== 'wordpress'),
          {
            frameId: frameId('target'),
            asks: [putOf('target', BYTES, 0), putOf('target', BYTES, 1)],
          },
        ),
    },
  ],
  [20, { remoteTargets: { roundTrips: 8, p50: 35 } }],
  [200, { targets: { wordpress: 4 } }],
]
/** Number of frames on the site. */
const FRAMES = 500
const BYTES = 2048
/** Number of different texts: each request must change the markup, or nothing would be baked. */
const VARIANTS = 10
/** The page "Chapter 1" of the test network's site. */
const PAGE_ID = 7

export const frameWrites: readonly Workload[] = [
  ...DEPENDENTS.map(([count, more]) =>
    write(
      `frame-put-${count}`,
      `PUT of a frame, ${count} dependents`,
      async ({ database }) => {
        await putTarget(database, count)
        return putsOf('target', BYTES)
      },
      more,
    ),
  ),
  write(
    'frame-put-page',
    'PUT of a frame on one page',
    async (setup) => {
      await putTarget(setup.database, 0)
      await assignTarget(setup)
      return putsOf('target', BYTES)
    },
    {
      // WordPress publishes no static copy.
      contenders: { service: 'status' },
      remoteTargets: { roundTrips: 12, p50: 50 },
      cleanUp: (setup) => assignTarget(setup, { clear: true }),
    },
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

/** Assigns the frame `target` to a page, or removes it from the page. */
async function assignTarget({ service }: BenchSetup, { clear = false } = {}): Promise<void> {
  const path = '/frames/target/assign'
  const body = { page: PAGE_ID, clear }
  const answer = await send(service, { method: 'POST', path, body })
  if (answer.status !== 200)
    throw new Error(`POST ${path} was answered ${answer.status}: ${answer.body}`)
}

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
  Array.from({ length: VARIANTS }, (_, variant) => putOf(slug, bytes, variant))

const putOf = (slug: string, bytes: number, variant: number) => ({
  method: 'PUT' as const,
  path: `/frames/${slug}`,
  body: { html: markup(`Variant ${variant}`, bytes) },
})
