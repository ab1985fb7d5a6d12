import { describe, expect, it, vi } from 'vitest'
import { analyzeMarkup } from '../../src/frames/frame-markup.ts'
import { FrameGraph, type IndexedFrame } from '../../src/frames/graph.ts'
import { metaOf } from '../../src/frames/record.ts'
import { Registry } from '../../src/frames/registry.ts'

/** A frame as it is indexed; its id is its slug in brackets. */
function frame(slug: string, html: string): IndexedFrame {
  const unsaid = { created_at_gmt: '', updated_at_gmt: '', updated_by: 0 }
  return {
    id: `[${slug}]`,
    slug,
    meta: metaOf({ slug, html, ...unsaid }, analyzeMarkup(html)),
  }
}

const graphOf = (...frames: IndexedFrame[]): FrameGraph =>
  new FrameGraph(new Registry(new Map()), []).with(frames)

const insert = (ref: string) => `<!-- svc/frame {"name":"${ref}"} /-->`
const slugs = (frames: readonly IndexedFrame[]) => frames.map(({ slug }) => slug)

const PAGE = '<b data-op-bind="page.title"></b>'

/** A diamond: the roof stands on two walls, and these on one floor, the one by its slug, the other by its id. */
const roof = frame('roof', insert('wall-b') + insert('wall-a'))
const wallA = frame('wall-a', insert('floor'))
const wallB = frame('wall-b', insert('[floor]') + insert('floor'))
const floor = frame('floor', 'four')
const diamond = graphOf(roof, wallB, wallA, floor)

describe('a graph of frames', () => {
  it('has them sorted by slug, and each by its id', () => {
    expect(slugs(diamond.all())).toEqual(['floor', 'roof', 'wall-a', 'wall-b'])
    expect(diamond.get('[floor]')).toBe(floor)
    expect(diamond.get('floor')).toBeUndefined()
  })

  it('that is a part of a site has only its own frames, in a registry of all', () => {
    const part = new FrameGraph(diamond.registry, [wallA])
    expect(part.all()).toEqual([wallA])
    expect(part.embeddedFrames('[wall-a]')).toEqual([])
    expect(part.closureBytes('[wall-a]')).toBe(wallA.meta.bytes)
    expect(part.closureBytes('[roof]')).toBe(0)
  })

  it('knows who embeds a frame by its id or its slug, each once, sorted by slug', () => {
    expect(slugs(diamond.embeddersOf(['[floor]']))).toEqual(['wall-a', 'wall-b'])
    expect(slugs(diamond.embeddersOf(['[wall-b]', '[floor]', '[wall-a]']))).toEqual([
      'roof',
      'wall-a',
      'wall-b',
    ])
    expect(diamond.embeddersOf(['[roof]'])).toEqual([])
  })

  it('knows who embeds a name that no frame bears', () => {
    const graph = graphOf(frame('b', insert('gone')), frame('a', insert('gone')))
    expect(slugs(graph.embeddersOf(['gone']))).toEqual(['a', 'b'])
  })

  it('knows what a frame embeds, through others too, each once', () => {
    expect(slugs(diamond.embeddedFrames('[roof]')).sort()).toEqual(['floor', 'wall-a', 'wall-b'])
    expect(diamond.embeddedFrames('[floor]')).toEqual([])
    expect(diamond.embeddedFrames('[none]')).toEqual([])
  })

  it('leaves a frame that embeds itself out of what it embeds', () => {
    const circle = graphOf(frame('a', insert('b') + insert('a')), frame('b', insert('a')))
    expect(slugs(circle.embeddedFrames('[a]'))).toEqual(['b'])
    expect(slugs(circle.embeddersOf(['[a]']))).toEqual(['a', 'b'])
  })

  it('knows of all frames whether they need the page, and follows each reference once', () => {
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

  it('counts the bytes of a frame and of all that it embeds, each once', () => {
    const bytes = [roof, wallA, wallB, floor].reduce((sum, { meta }) => sum + meta.bytes, 0)
    expect(diamond.closureBytes('[roof]')).toBe(bytes)
    expect(diamond.closureBytes('[floor]')).toBe(4)
  })

  it('tells what makes a frame live: its own reasons, then the frames that bring theirs, sorted', () => {
    const live = [
      frame('top', `${PAGE}<!-- svc/content /-->${insert('z')}${insert('m')}${insert('a')}`),
      frame('z', PAGE),
      frame('m', insert('plain')),
      frame('a', PAGE),
      frame('plain', ''),
    ]
    const graph = graphOf(...live)
    expect(graph.liveReasons('[top]')).toEqual(['page.title', 'svc/content', 'frame a', 'frame z'])
    expect(graph.liveReasons('[m]')).toEqual([])
    expect(graph.liveReasons('[none]')).toEqual([])
  })

  it('after a write is another one, and stays what it was', () => {
    expect(slugs(diamond.embeddersOf(['[floor]']))).toEqual(['wall-a', 'wall-b'])
    const renamed = { ...floor, slug: 'ground' }
    const added = { ...wallA, meta: { ...wallA.meta, references: ['ground'], live_reasons: ['x'] } }
    const after = diamond.with([renamed, added], ['[wall-b]'])
    expect(slugs(after.all())).toEqual(['ground', 'roof', 'wall-a'])
    expect(slugs(after.embeddersOf(['[floor]']))).toEqual(['wall-a'])
    expect(after.registry.find('wall-b')).toBeUndefined()
    expect(after.get('[wall-b]')).toBeUndefined()
    expect(after.liveReasons('[roof]')).toEqual(['frame wall-a'])
    expect(slugs(diamond.all())).toEqual(['floor', 'roof', 'wall-a', 'wall-b'])
    expect(slugs(diamond.embeddersOf(['[floor]']))).toEqual(['wall-a', 'wall-b'])
    expect(diamond.liveReasons('[roof]')).toEqual([])
  })
})
