import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { encodePhp } from '#php-serialized'
import type { FrameGraph } from '../../../src/content/frames/graph.ts'
import { peekCachedGraph } from '../../../src/content/frames/graph-cache.ts'
import { metaOption, recordOption } from '../../../src/content/frames/option-names.ts'
import { readPartialGraph, readSiteGraph } from '../../../src/content/frames/read-graph.ts'
import type { Reply } from '../../../src/db/sender.ts'
import { writeOptions } from '../../../src/wordpress/options/write-options.ts'
import { useNetwork } from '../../support/network.ts'
import { statementsOf } from '../../support/statements.ts'

const network = await useNetwork()
const site = await network.site(2)
beforeEach(() => network.db.cache.clear())
afterEach(async () => {
  await network.db.sql(site.tables.options).where('option_name', 'like', 'svc\\_frame%').delete()
})

const idOf = (slug: string) => slug.padStart(16, 'a')
const embed = (...refs: readonly string[]) =>
  refs.map((ref) => `<!-- svc/frame {"name":"${ref}"} /-->`).join('')

/** Stores frames as the legacy endpoint does, without metas: markup by slug. */
async function store(
  frames: Readonly<Record<string, string>>,
  options: Readonly<Record<string, string>> = {},
): Promise<void> {
  const slugs = Object.keys(frames)
  const written = {
    svc_frames: encodePhp(Object.fromEntries(slugs.map((slug) => [idOf(slug), slug]))),
    ...Object.fromEntries(slugs.map((slug) => [recordOption(idOf(slug)), frames[slug] ?? ''])),
    ...options,
  }
  const rows = Object.entries(written).map(([name, value]) => ({ name, value }))
  await network.db.write({}, (tx) => writeOptions(tx, site, rows, 'off'))
}

const metaWith = (references: readonly string[]) => JSON.stringify({ references, live_reasons: [] })

/** Reads the whole graph, and the statements that it takes. */
async function readWhole() {
  let graph: FrameGraph | undefined
  const statements = await statementsOf(network.db, async () => {
    graph = await readSiteGraph(network.db, site)
  })
  if (!graph) throw new Error('nothing was read')
  return { graph, statements }
}

describe('the graph of a site', () => {
  it('reads the markup of frames without a meta in batches, and analyzes each once', async () => {
    const slugs = Array.from({ length: 20 }, (_, index) => `frame-${index}`)
    const large = 'x'.repeat(102_000)
    await store(Object.fromEntries(slugs.map((slug) => [slug, `${embed(slug)}${large}`])))
    const largest = { rows: 0 }
    const count = (_: unknown, { rows }: Reply): void => {
      if (Array.isArray(rows)) largest.rows = Math.max(largest.rows, rows.length)
    }
    network.db.statements.on('answered', count)
    const { graph } = await readWhole()
    network.db.statements.off('answered', count)
    expect(graph.all()).toHaveLength(20)
    expect(largest.rows).toBeLessThanOrEqual(8)
    // Analyses are cached by the digest of the markup, independently of the graph.
    const found = [...network.db.cache.keys()].filter((key) => key.startsWith('markup '))
    expect(found).toHaveLength(20)
  })

  it('consists of metas, or of analyzed markup for frames without a meta', async () => {
    const forms = { a: embed('b'), b: embed('c'), c: 'x' }
    await store(forms, {
      [metaOption(idOf('a'))]: metaWith(['c']),
      [metaOption(idOf('b'))]: '{"references":"none"}',
    })
    const { graph, statements } = await readWhole()
    expect(graph.all().map(({ meta }) => meta.references)).toEqual([['c'], ['c'], []])
    // Version, registry, metas, and the records of the two without one.
    expect(statements).toHaveLength(4)
  })

  it('contains a frame without a record, which embeds nothing', async () => {
    await store({ a: 'x' })
    await network.db
      .sql(site.tables.options)
      .where('option_name', recordOption(idOf('a')))
      .delete()
    const [frame] = (await readWhole()).graph.all()
    expect(frame).toMatchObject({ slug: 'a', meta: { bytes: 0, references: [] } })
  })

  it('is read once until something is written', async () => {
    await store({ a: 'x' })
    const { graph } = await readWhole()
    const again = await readWhole()
    expect(again.graph).toBe(graph)
    expect(again.statements).toHaveLength(1)
  })

  it('is read each time if there is no registry, because any record may have changed', async () => {
    for (const read of [await readWhole(), await readWhole()])
      expect(read.statements.length).toBeGreaterThan(1)
    expect(peekCachedGraph(network.db, site)).toBeUndefined()
  })

  it('reads few metas by their names, and many by a pattern', async () => {
    const isByName = (statements: readonly string[]) => statements.some((sql) => /like/i.test(sql))
    const many = (size: number) =>
      Object.fromEntries(Array.from({ length: size }, (_, index) => [`f-${index}`, `${index}`]))
    await store(many(50), { [metaOption(idOf('f-1'))]: metaWith(['a']) })
    const few = await readWhole()
    expect(few.graph.get(idOf('f-1'))?.meta.references).toEqual(['a'])
    expect(isByName(few.statements)).toBe(false)
    await store(many(51))
    const more = await readWhole()
    expect(isByName(more.statements)).toBe(true)
    expect(more.graph.all()).toHaveLength(51)
    expect(more.graph.get(idOf('f-1'))?.meta.references).toEqual(['a'])
    expect(more.graph.get(idOf('f-12'))?.meta.bytes).toBe(2)
  })
})

describe('a partial graph', () => {
  const part = async (slug: string) => readPartialGraph(network.db, site, idOf(slug))
  const slugsOf = (graph: FrameGraph) => graph.all().map(({ slug }) => slug)

  it('contains the frames that a frame embeds, directly and indirectly', async () => {
    await store({
      a: embed('b', 'b', idOf('c'), 'gone'),
      b: embed('c', 'a'),
      c: 'x',
      d: embed('a'),
    })
    const graph = await part('a')
    expect(slugsOf(graph)).toEqual(['a', 'b', 'c'])
    expect(graph.registry.size).toBe(4)
    expect((await part('d')).embeddedFrames(idOf('d'))).toHaveLength(3)
  })

  it('grows with further frames, and reads nothing twice', async () => {
    await store({ a: embed('c'), b: embed('c'), c: 'x' })
    const statements = await statementsOf(network.db, async () => {
      await part('a')
      await part('a')
      expect(slugsOf(await part('b'))).toEqual(['a', 'b', 'c'])
    })
    // Version, registry, and metas and records of two levels; version; version, and meta and record of the other.
    expect(statements).toHaveLength(6 + 1 + 3)
  })

  it('is complete while another read adds the same frames to those that are known', async () => {
    await store({ a: embed('b'), b: embed('c'), c: 'x', d: 'y' })
    await part('d')
    const others: Promise<FrameGraph>[] = []
    // After each statement of the first read, another one begins.
    const begin = () => void others.push(part('a'))
    network.db.statements.on('answered', begin)
    const first = await part('a')
    network.db.statements.off('answered', begin)
    const graphs = [first, ...(await Promise.all(others))]
    expect(graphs.length).toBeGreaterThan(5)
    for (const graph of graphs)
      expect(slugsOf(graph)).toEqual(expect.arrayContaining(['a', 'b', 'c']))
  })

  it('is the whole graph if that is cached', async () => {
    await store({ a: 'x', b: 'y' })
    const { graph } = await readWhole()
    expect(await part('a')).toBe(graph)
  })

  it('is empty for a missing frame', async () => {
    await store({ a: 'x' })
    expect((await part('none')).all()).toEqual([])
  })

  it('is read each time if there is no registry', async () => {
    const countStatements = async () => (await statementsOf(network.db, () => part('a'))).length
    expect(await countStatements()).toBeGreaterThan(1)
    expect(await countStatements()).toBeGreaterThan(1)
  })
})
