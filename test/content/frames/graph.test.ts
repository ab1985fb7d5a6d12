import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { closureOf } from '../../../src/build/baking/closure.ts'
import { analyzeMarkup } from '../../../src/content/frames/frame-markup.ts'
import { FrameGraph, findCycles, type IndexedFrame } from '../../../src/content/frames/graph.ts'
import { metaOf } from '../../../src/content/frames/record.ts'
import { Registry } from '../../../src/content/frames/registry.ts'
import { iterationsDuring } from '../../support/iterations-during.ts'

/** An indexed frame; its id is its slug in brackets. */
function frame(slug: string, html: string): IndexedFrame {
  const unknown = { created_at_gmt: '', updated_at_gmt: '', updated_by: 0 }
  return {
    id: `[${slug}]`,
    slug,
    meta: metaOf({ slug, html, ...unknown }, analyzeMarkup(html)),
  }
}

const graphOf = (...frames: IndexedFrame[]): FrameGraph =>
  new FrameGraph(new Registry(new Map()), []).with(frames)

const insert = (ref: string) => `<!-- svc/frame {"name":"${ref}"} /-->`
const slugs = (frames: readonly IndexedFrame[]) => frames.map(({ slug }) => slug)

const PAGE = '<b data-op-bind="page.title"></b>'

/** A diamond: `roof` embeds two walls, which embed `floor`, one by its slug, the other by its id. */
const roof = frame('roof', insert('wall-b') + insert('wall-a'))
const wallA = frame('wall-a', insert('floor'))
const wallB = frame('wall-b', insert('[floor]') + insert('floor'))
const floor = frame('floor', 'four')
const diamond = graphOf(roof, wallB, wallA, floor)

describe('a graph of frames', () => {
  it('lists frames sorted by slug, and finds them by id', () => {
    expect(slugs(diamond.all())).toEqual(['floor', 'roof', 'wall-a', 'wall-b'])
    expect(diamond.get('[floor]')).toBe(floor)
    expect(diamond.get('floor')).toBeUndefined()
  })

  it('can contain a subset of the frames with the whole registry', () => {
    const part = new FrameGraph(diamond.registry, [wallA])
    expect(part.all()).toEqual([wallA])
    expect(part.embeddedFrames('[wall-a]')).toEqual([])
    expect(part.closureBytes('[wall-a]')).toBe(wallA.meta.bytes)
    expect(part.closureBytes('[roof]')).toBe(0)
  })

  it('finds the embedders of a frame by its id and slug, without duplicates, sorted by slug', () => {
    expect(slugs(diamond.embeddersOf(['[floor]']))).toEqual(['wall-a', 'wall-b'])
    expect(slugs(diamond.embeddersOf(['[wall-b]', '[floor]', '[wall-a]']))).toEqual([
      'roof',
      'wall-a',
      'wall-b',
    ])
    expect(diamond.embeddersOf(['[roof]'])).toEqual([])
  })

  it('lets others run while it is indexed, and knows then who embeds a frame', async () => {
    const references = Array.from({ length: 40_000 }, (_, at) => `missing-${at}`)
    const many = ['a', 'b', 'c'].map((slug) => frame(slug, ''))
    const graph = graphOf(...many.map((one) => ({ ...one, meta: { ...one.meta, references } })))
    const { iterations } = await iterationsDuring(() => graph.indexEmbedders())
    expect(iterations).toBeGreaterThan(3)
    expect(slugs(graph.embeddersOf(['missing-7']))).toEqual(['a', 'b', 'c'])
  })

  it('finds the embedders of a missing frame', () => {
    const graph = graphOf(frame('b', insert('gone')), frame('a', insert('gone')))
    expect(slugs(graph.embeddersOf(['gone']))).toEqual(['a', 'b'])
  })

  it('finds the frames that a frame embeds, directly and indirectly, without duplicates', () => {
    expect(slugs(diamond.embeddedFrames('[roof]')).sort()).toEqual(['floor', 'wall-a', 'wall-b'])
    expect(diamond.embeddedFrames('[floor]')).toEqual([])
    expect(diamond.embeddedFrames('[none]')).toEqual([])
  })

  it('omits a frame that embeds itself from its embedded frames', () => {
    const circle = graphOf(frame('a', insert('b') + insert('a')), frame('b', insert('a')))
    expect(slugs(circle.embeddedFrames('[a]'))).toEqual(['b'])
    expect(slugs(circle.embeddersOf(['[a]']))).toEqual(['a', 'b'])
  })

  it('finds all frames that depend on the page, following each reference once', () => {
    const names = Array.from({ length: 200 }, (_, index) => `frame-${index}`)
    const all = names.map(insert).join('')
    const live = frame('live', '<!-- svc/content /-->')
    const graph = graphOf(
      ...names.map((name, index) => frame(name, index === 100 ? all + insert('live') : all)),
      live,
      frame('apart', insert('none')),
    )
    const find = vi.spyOn(graph.registry, 'find')
    const found = graph.all().filter(({ id }) => graph.rendersOnRequest(id))
    expect(slugs(found).sort()).toEqual([...names, 'live'].sort())
    expect(find.mock.calls.length).toBeLessThan(2 * names.length ** 2)
  })

  it('counts the bytes of a frame and its embedded frames, each once', () => {
    const bytes = [roof, wallA, wallB, floor].reduce((sum, { meta }) => sum + meta.bytes, 0)
    expect(diamond.closureBytes('[roof]')).toBe(bytes)
    expect(diamond.closureBytes('[floor]')).toBe(4)
  })

  it('lists why a frame depends on the page: its own reasons, then embedded frames, sorted', () => {
    const live = [
      frame('top', `${PAGE}<!-- svc/content /-->${insert('z')}${insert('m')}${insert('a')}`),
      frame('z', PAGE),
      frame('m', insert('plain')),
      frame('a', PAGE),
      frame('plain', '<br>'),
    ]
    const graph = graphOf(...live)
    expect(graph.liveReasons('[top]')).toEqual(['page.title', 'svc/content', 'frame a', 'frame z'])
    expect(graph.liveReasons('[m]')).toEqual([])
    expect(graph.liveReasons('[none]')).toEqual([])
  })
})

it('the graph looks up the references of a frame once, however many closures it is in', () => {
  const names = Array.from({ length: 20 }, (_, at) => `part-${at}`)
  const graph = graphOf(...names.map((name) => frame(name, names.map(insert).join(''))))
  const find = vi.spyOn(graph.registry, 'find')
  for (const { id } of graph.all()) {
    expect(graph.embeddedFrames(id)).toHaveLength(names.length - 1)
    expect(closureOf(graph, id).missing).toEqual([])
  }
  expect(find).toHaveBeenCalledTimes(names.length ** 2)
})

it('a graph that was copied by writes answers like a graph that was built of the same frames', () => {
  const names = ['a', 'b', 'c', 'd']
  const name = fc.constantFrom(...names)
  const written = fc
    .record({
      name,
      renamed: fc.constantFrom(undefined, undefined, 'x', 'y'),
      embeds: fc.subarray([...names, '[a]', '[b]', 'x', 'gone']),
      isLive: fc.boolean(),
    })
    .map(({ name, renamed, embeds, isLive }) => ({
      ...frame(name, embeds.map(insert).join('') + (isLive ? PAGE : '')),
      slug: renamed ?? name,
    }))
  const write = fc.record({ written, removed: fc.subarray(['[a]', '[c]'], { maxLength: 1 }) })
  const answersOf = (graph: FrameGraph) => ({
    all: graph.all(),
    names: graph.registry.all(),
    embedders: [...names, '[a]', '[b]', '[c]', '[d]', 'x', 'gone'].map((ref) =>
      graph.embeddersOf([ref]),
    ),
    frames: graph.all().map(({ id }) => ({
      embedded: graph.embeddedFrames(id),
      missing: graph.missingReferences(id),
      reasons: graph.liveReasons(id),
      isLive: graph.rendersOnRequest(id),
    })),
  })
  fc.assert(
    fc.property(fc.array(write, { maxLength: 12 }), (writes) => {
      let graph = graphOf(...names.map((slug) => frame(slug, '')))
      for (const { written, removed } of writes) {
        answersOf(graph)
        graph = graph.with(
          [written],
          removed.filter((id) => id !== written.id),
        )
      }
      const ids = new Map(graph.registry.all().map(({ id, slug }) => [id, slug]))
      const built = new FrameGraph(new Registry(ids), graph.all())
      expect(answersOf(graph)).toEqual(answersOf(built))
    }),
  )
})

const nameOf = (index: number): string => `frame-${index}`
/** A graph from the indexes of the frames that each frame embeds. */
const chained = (embedded: readonly (readonly number[])[]): FrameGraph =>
  graphOf(
    ...embedded.map((targets, index) =>
      frame(nameOf(index), targets.map(nameOf).map(insert).join('')),
    ),
  )

/** The indexes reachable from `start` in at least one step. */
function reachedFrom(embedded: readonly (readonly number[])[], start: number): Set<number> {
  const reached = new Set<number>()
  const open = [...(embedded[start] ?? [])]
  for (const at of open) {
    if (reached.has(at)) continue
    reached.add(at)
    open.push(...(embedded[at] ?? []))
  }
  return reached
}

it('the graph groups exactly the frames that embed each other, directly and indirectly', () => {
  const targets = fc.array(fc.nat({ max: 9 }), { maxLength: 3 })
  fc.assert(
    fc.property(fc.array(targets, { minLength: 10, maxLength: 10 }), (embedded) => {
      const reached = embedded.map((_, index) => reachedFrom(embedded, index))
      const expected = new Set(
        embedded.flatMap((_, index) =>
          reached[index]?.has(index)
            ? [
                embedded
                  .map((_, other) => other)
                  .filter((other) => reached[index]?.has(other) && reached[other]?.has(index))
                  .map(nameOf)
                  .join(),
              ]
            : [],
        ),
      )
      const found = findCycles(chained(embedded)).map((group) =>
        group
          .map(({ slug }) => slug)
          .sort()
          .join(),
      )
      expect(found.sort()).toEqual([...expected].sort())
    }),
  )
})

it('the graph finds the cycle at the end of a long chain without walking the chain for each frame', () => {
  const last = 8000
  const chain = Array.from({ length: last + 1 }, (_, at) => [Math.min(at + 1, last)])
  const cycles = findCycles(chained(chain)).map((group) => group.map(({ slug }) => slug))
  expect(cycles).toEqual([[nameOf(last)]])
})
