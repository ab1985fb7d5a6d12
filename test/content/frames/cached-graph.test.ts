import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createFrame } from '../../../src/content/frames/create-frame.ts'
import { deleteFrame } from '../../../src/content/frames/delete-frame.ts'
import { analyzeMarkup } from '../../../src/content/frames/frame-markup.ts'
import { FrameGraph } from '../../../src/content/frames/graph.ts'
import { cacheGraph, cachePart } from '../../../src/content/frames/graph-cache.ts'
import { readPartialGraph, readSiteGraph } from '../../../src/content/frames/read-graph.ts'
import { metaOf } from '../../../src/content/frames/record.ts'
import { Registry } from '../../../src/content/frames/registry.ts'
import { renameFrame } from '../../../src/content/frames/rename-frame.ts'
import { replaceFrame } from '../../../src/content/frames/replace-frame.ts'
import type { Tx } from '../../../src/db/transaction.ts'
import { useNetwork } from '../../support/network.ts'
import { openTestDatabase } from '../../support/open-database.ts'
import { runsOf } from '../../support/runs-of.ts'
import { statementsOf } from '../../support/statements.ts'
import { use } from '../../support/use.ts'

const write = { userId: 2, now: '2026-01-02 03:04:05', bake: true }

const network = await useNetwork()
const site = await network.site(2)

/** All properties of a graph as one value. */
const describeGraph = (graph: Awaited<ReturnType<typeof readSiteGraph>>) =>
  graph.all().map((frame) => ({
    ...frame,
    embedders: graph.embeddersOf([frame.id]).map(({ slug }) => slug),
    embedded: graph
      .embeddedFrames(frame.id)
      .map(({ slug }) => slug)
      .sort(),
    live: graph.liveReasons(frame.id),
  }))

/** Another process. */
const other = await use(openTestDatabase({ url: network.url }))
/** The graph as another process reads it, with an empty cache. */
async function describeUncached() {
  other.cache.clear()
  return describeGraph(await readSiteGraph(other, site))
}

const slug = fc.integer({ min: 0, max: 6 }).map((number) => `frame-${number}`)
const html = fc
  .array(
    fc.oneof(
      slug.map((name) => `<!-- svc/frame {"slug":"${name}"} /-->`),
      fc.constant('<i data-op-bind="page.title"></i>'),
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((parts) => parts.join(' '))
const verb = fc.constantFrom('create', 'replace', 'rename', 'delete', 'dry run')
const step = fc.record({ verb, slug, html, to: slug })

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

async function perform({ verb, slug, html, to }: Step): Promise<void> {
  const create = (tx: Tx) => createFrame(tx, site, { ...write, slug, html })
  const writes: Readonly<Record<string, (tx: Tx) => Promise<unknown>>> = {
    create,
    'dry run': create,
    replace: (tx) => replaceFrame(tx, site, slug, { ...write, html }),
    rename: (tx) => renameFrame(tx, site, slug, { ...write, slug: to }),
    delete: (tx) => deleteFrame(tx, site, slug, write),
  }
  const work = writes[verb] ?? create
  await network.db.write({ dryRun: verb === 'dry run' }, work).catch((error) => {
    expect(error).toMatchObject({ code: expect.stringMatching(/^(slug_taken|frame_not_found)$/) })
  })
}

describe('the cached graph', () => {
  it('equals the stored graph after any writes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        for (const action of steps) await perform(action)
        expect(describeGraph(await readSiteGraph(network.db, site))).toEqual(
          await describeUncached(),
        )
      }),
      { numRuns: runsOf(25) },
    )
  })

  it('is replaced after a write of another process or of the legacy endpoint', async () => {
    await network.db.write({}, (tx) => createFrame(tx, site, { ...write, slug: 'ours', html: 'x' }))
    await other.write({}, (tx) => createFrame(tx, site, { ...write, slug: 'theirs', html: 'x' }))
    expect((await readSiteGraph(network.db, site)).registry.find('theirs')).toBeDefined()
    await other
      .sql(site.tables.options)
      .where({ option_name: 'svc_frames' })
      .update({ option_value: 'a:0:{}' })
    expect((await readSiteGraph(network.db, site)).all()).toEqual([])
  })

  it('remains cached after a dry run and a rollback', async () => {
    await readSiteGraph(network.db, site)
    const read = () => statementsOf(network.db, () => readSiteGraph(network.db, site))
    const dryRun = { ...write, slug: 'dry-run', html: 'x' }
    await network.db.write({ dryRun: true }, async (tx) => {
      await createFrame(tx, site, dryRun)
      // Reads of the transaction itself see the frame, also from the cache.
      const own = await statementsOf(network.db, async () => {
        expect((await readSiteGraph(tx, site)).registry.find('dry-run')).toBeDefined()
      })
      expect(own).toHaveLength(1)
    })
    expect(await read()).toHaveLength(1)
    const failing = network.db.write({}, async (tx) => {
      await createFrame(tx, site, dryRun)
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    expect(await read()).toHaveLength(1)
    expect((await readSiteGraph(network.db, site)).registry.find('dry-run')).toBeUndefined()
  })

  it('is read in part for a page: one statement if the part is cached, again after a write of another process', async () => {
    const embed = (slug: string) => `<!-- svc/frame {"name":"${slug}"} /-->`
    const make = (slug: string, html: string) =>
      network.db.write({}, (tx) => createFrame(tx, site, { ...write, slug, html }))
    await make('leaf', 'x')
    await make('other-leaf', 'x')
    const { frame } = await make('root', embed('leaf'))
    const embedded = async () =>
      (await readPartialGraph(other, site, frame.id))
        .embeddedFrames(frame.id)
        .map(({ slug }) => slug)
    expect(await embedded()).toEqual(['leaf'])
    const again = await statementsOf(other, async () => expect(await embedded()).toEqual(['leaf']))
    expect(again).toHaveLength(1)
    await network.db.write({}, (tx) =>
      replaceFrame(tx, site, 'root', { ...write, html: embed('other-leaf') }),
    )
    expect(await embedded()).toEqual(['other-leaf'])
  })
})

const record = { slug: 'a', html: '', created_at_gmt: '', updated_at_gmt: '', updated_by: 0 }
const frame = { id: '1', slug: 'a', meta: metaOf(record, analyzeMarkup('')) }
const registryOf = (size: number) =>
  new Registry(new Map(Array.from({ length: size }, (_, index) => [`id-${index}`, `f-${index}`])))

it('the cache of graphs accounts for the memory of frames, and less for names', () => {
  const { cache } = network.db
  const sizeOf = (store: () => void): number => {
    cache.clear()
    store()
    return cache.calculatedSize
  }
  const whole = (size: number) => () =>
    cacheGraph(network.db, site, 'v', new FrameGraph(registryOf(size), []))
  const part = (names: number, frames: number) => () =>
    cachePart(network.db, site, 'v', {
      registry: registryOf(names),
      frames: new Map(Array.from({ length: frames }, (_, index) => [`id-${index}`, frame])),
    })
  expect(sizeOf(whole(0))).toBeGreaterThan(0)
  expect(sizeOf(part(0, 0))).toBeGreaterThan(0)
  expect(sizeOf(whole(1000))).toBeGreaterThan(900 * sizeOf(whole(0)))
  expect(sizeOf(part(1000, 1000))).toBeGreaterThan(sizeOf(whole(1000)))
  expect(sizeOf(part(1000, 0))).toBeLessThan(sizeOf(whole(1000)) / 2)
  expect(sizeOf(part(1000, 0))).toBeGreaterThan(100_000)
})
