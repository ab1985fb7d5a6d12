import { describe, expect, it } from 'vitest'
import { graphPartsOf } from '../../../src/api/graph/graph-parts.ts'
import { analyzeMarkup } from '../../../src/frames/frame-markup.ts'
import { FrameGraph } from '../../../src/frames/graph.ts'
import { metaOf } from '../../../src/frames/record.ts'
import { Registry } from '../../../src/frames/registry.ts'

/** Frames `f0`, `f1`, …, each of which embeds all that follow. */
function dense(count: number): FrameGraph {
  const slugs = Array.from({ length: count }, (_, at) => `f${at}`)
  const frames = slugs.map((slug, at) => {
    const html = slugs
      .slice(at + 1)
      .map((name) => `<!-- svc/frame {"name":"${name}"} /-->`)
      .join('')
    const record = { slug, html, created_at_gmt: '', updated_at_gmt: '', updated_by: 0 }
    return { id: slug, slug, meta: metaOf(record, analyzeMarkup(html)) }
  })
  return new FrameGraph(new Registry(new Map(slugs.map((slug) => [slug, slug]))), frames)
}

describe('graphPartsOf', () => {
  const graph = dense(20)
  const pages = new Map([['f0', Array.from({ length: 100 }, (_, at) => at + 1)]])
  const of = (parts: number, edges: number) =>
    graphPartsOf(graph, graph.all(), pages, { parts, edges })

  it('has everything within the limits', () => {
    const { parts, edges, isTruncated } = of(120, 290)
    expect([parts.length, edges.length, isTruncated]).toEqual([120, 290, false])
  })

  it.each([
    [119, 290],
    [120, 289],
    [5, 290],
    [1, 1],
  ])('says what it left out with %i parts and %i edges', (most, mostEdges) => {
    const { parts, edges, isTruncated } = of(most, mostEdges)
    expect(isTruncated).toBe(true)
    expect(parts.length).toBeLessThanOrEqual(most)
    expect(edges.length).toBeLessThanOrEqual(mostEdges)
    const keys = new Set(parts.map(({ key }) => key))
    for (const { from, to } of edges) expect([keys.has(from), keys.has(to)]).toEqual([true, true])
  })
})
