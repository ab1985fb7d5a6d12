import { type Ask, ask } from '../contender.ts'
import {
  embed,
  markup,
  menuTree,
  putFrames,
  putMenu,
  type SetFrame,
  siteFrames,
} from '../setup/content.ts'
import type { BenchDatabase } from '../setup/open-database.ts'
import { type Workload, write } from './workload.ts'

/** Numbers of frames that embed the written one, with the targets. */
const DEPENDENTS: readonly (readonly [count: number, Partial<Workload>])[] = [
  [0, { targets: { wordpress: 3.5 }, remoteTargets: { wordpress: 6, roundTrips: 5, p50: 22 } }],
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
/** For work that only the service is measured with. */
const ALONE: Partial<Workload> = { contenders: { service: 'status' } }

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
    async ({ database, service }) => {
      await putTarget(database, 0)
      await ask(service, assignment(false))
      return putsOf('target', BYTES)
    },
    {
      ...ALONE,
      remoteTargets: { roundTrips: 12, p50: 50 },
      cleanUp: async ({ service }) => void (await ask(service, assignment(true))),
    },
  ),
]

/** Assigns the frame `target` to a page, or removes it from the page. */
const assignment = (clear: boolean): Ask => ({
  method: 'POST',
  path: '/frames/target/assign',
  body: { page: PAGE_ID, clear },
})

/** Creates a site with a frame `target` and this many frames that embed it. */
async function putTarget(database: BenchDatabase, dependents: number): Promise<void> {
  const embedding = Array.from({ length: dependents }, (_, index) => ({
    slug: `dependent-${index}`,
    html: markup(`Dependent ${index}`, BYTES) + embed('target'),
  }))
  const target: SetFrame = { slug: 'target', html: markup('Target', BYTES) }
  await putFrames(database, [target, ...embedding, ...siteFrames(FRAMES - dependents - 1)])
}

/** Requests that replace a frame's markup, each with another text. */
export const putsOf = (slug: string, bytes: number): Ask[] =>
  Array.from({ length: VARIANTS }, (_, variant) => ({
    method: 'PUT',
    path: `/frames/${slug}`,
    body: { html: markup(`Variant ${variant}`, bytes) },
  }))

const tree = (count: number, more: Partial<Workload> = {}): Workload =>
  write(
    `tree-replace-${count}`,
    `tree of ${count} items replaced`,
    async (setup) => {
      await putFrames(setup.database, siteFrames(20))
      const id = await putMenu(setup.database, 'footer_2', count)
      return [replaceTree(id, count, 1), replaceTree(id, count)]
    },
    more,
  )

/** A request that replaces a menu's tree. Another edition changes every item. */
export const replaceTree = (menuId: number, count: number, edition = 0): Ask => ({
  method: 'PUT',
  path: `/menus/${menuId}/items`,
  body: { items: menuTree(count, edition) },
})

export const treeWrites: readonly Workload[] = [
  tree(50, { remoteTargets: { roundTrips: 8, p50: 40 } }),
  tree(1000, { targets: { wordpress: 80 } }),
  // WordPress takes minutes for it: it writes the items one after the other.
  tree(10_000, ALONE),
]

const LARGE_BYTES = 2_090_000

export const largeFrame: Workload = write(
  'frame-put-2m',
  'PUT of a 2 MB frame, with its bake',
  async ({ database }) => {
    await putFrames(database, [{ slug: 'large', html: '<p>large</p>' }])
    return [1, 2].map((variant) => ({
      method: 'PUT',
      path: '/frames/large',
      body: { html: large(variant) },
    }))
  },
  ALONE,
)

/** Markup that prints two thousand values. */
function large(variant: number): string {
  const section = (index: number) =>
    `<section id="s-${variant}-${index}"><h2 data-op-bind="site.title">T</h2><p>${'a text of a page '.repeat(60)}</p></section>\n`
  return Array.from({ length: 2000 }, (_, index) => section(index))
    .join('')
    .slice(0, LARGE_BYTES)
}
