import { describe, expect, it } from 'vitest'
import { framesAround, graphPartsOf } from '../../../src/api/endpoints/graph.ts'
import { analyzeMarkup } from '../../../src/content/frames/frame-markup.ts'
import { FrameGraph } from '../../../src/content/frames/graph.ts'
import { metaOf } from '../../../src/content/frames/record.ts'
import { Registry } from '../../../src/content/frames/registry.ts'

function graphOf(markup: Readonly<Record<string, string>>): FrameGraph {
  const frames = Object.entries(markup).map(([slug, html]) => {
    const record = { slug, html, created_at_gmt: '', updated_at_gmt: '', updated_by: 0 }
    return { id: slug, slug, meta: metaOf(record, analyzeMarkup(html)) }
  })
  return new FrameGraph(new Registry(new Map(frames.map(({ id }) => [id, id]))), frames)
}

const insert = (name: string): string => `<!-- svc/frame {"name":"${name}"} /-->`

/** Frames `f0`, `f1`, …, each of which embeds all that follow. */
function dense(count: number): FrameGraph {
  const slugs = Array.from({ length: count }, (_, at) => `f${at}`)
  return graphOf(
    Object.fromEntries(
      slugs.map((slug, at) => [
        slug,
        slugs
          .slice(at + 1)
          .map(insert)
          .join(''),
      ]),
    ),
  )
}

describe('graphPartsOf', () => {
  const graph = dense(20)
  const pages = new Map([['f0', Array.from({ length: 100 }, (_, at) => at + 1)]])
  const of = (parts: number, edges: number) =>
    graphPartsOf(graph, [graph.all()], pages, { parts, edges })

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

describe('framesAround', () => {
  it('has what a frame embeds and shows first, then its embedders', () => {
    const embedders = Array.from({ length: 600 }, (_, at) => [`aa-${at}`, insert('popular')])
    const outer = Array.from({ length: 600 }, (_, at) => [`a-${at}`, insert(`aa-${at}`)])
    const graph = graphOf({
      ...Object.fromEntries([...outer, ...embedders]),
      popular: `${insert('z-card')}${insert('gone')}<!-- svc/menu {"location":"header"} /--><b data-op-bind="dataset.news.title"></b>`,
      'z-card': insert('z-base'),
      'z-base': '',
    })
    const popular = graph.get('popular')
    if (!popular) throw new Error('no frame')
    const groups = [[popular], framesAround(graph, popular)]
    const { parts, edges, isTruncated } = graphPartsOf(graph, groups, new Map(), {
      parts: 500,
      edges: 2000,
    })
    const keys = parts.map(({ key }) => key)
    expect(keys.slice(0, 6)).toEqual([
      'frame:popular',
      'frame:z-card',
      'missing:gone',
      'menu:header',
      'data:dataset.news',
      'frame:z-base',
    ])
    expect(keys.slice(6).filter((key) => !key.startsWith('frame:aa-'))).toEqual([])
    expect(isTruncated).toBe(true)
    expect(edges).toContainEqual({ from: 'frame:popular', to: 'menu:header', kind: 'shows' })
  })
})
