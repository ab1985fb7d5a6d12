import { describe, expect, it } from 'vitest'
import {
  findFrameProblems,
  indexedFrame,
  type KnownNames,
} from '../../../src/content/frames/find-problems.ts'
import { analyzeMarkup } from '../../../src/content/frames/frame-markup.ts'
import { FrameGraph } from '../../../src/content/frames/graph.ts'
import { Registry } from '../../../src/content/frames/registry.ts'
import { iterationsDuring } from '../../support/iterations-during.ts'

const embed = (name: string): string => `<!-- svc/frame {"name":"${name}"} /-->`

/** The problems of frames by slug, each as `slug line:column severity code`, and its message. */
async function problemsOf(htmls: Readonly<Record<string, string>>, known: KnownNames = {}) {
  const frames = Object.entries(htmls).map(([slug, html]) => ({
    id: `id-${slug}`,
    slug,
    report: analyzeMarkup(html),
  }))
  const registry = new Registry(new Map(frames.map(({ id, slug }) => [id, slug])))
  const graph = new FrameGraph(registry, frames.map(indexedFrame))
  const problems = await findFrameProblems(frames, graph, known)
  return problems.map(({ frame, severity, code, location, message }) => {
    const at = location ? `${location.line}:${location.column}` : '-'
    return [`${frame} ${at} ${severity} ${code}`, message]
  })
}
const codesOf = async (...sent: Parameters<typeof problemsOf>) =>
  (await problemsOf(...sent)).map(([code]) => code)

describe('findFrameProblems', () => {
  it('finds mistakes of the markup and of names, in source order', async () => {
    const html = [
      '<!-- svc/frmae {} /-->',
      '<!-- svc/menu {"location":"header} /-->',
      embed('fotter'),
      '<p data-op-bind="site.titel">x</p>',
    ].join('\n')
    expect(await problemsOf({ page: html, footer: '' })).toEqual([
      ['page 1:1 error unknown_insert', expect.stringContaining('Did you mean "frame"?')],
      ['page 2:1 error unreadable_insert', expect.stringContaining('JSON')],
      ['page 3:1 error reference_missing', expect.stringContaining('Did you mean "footer"?')],
      ['page 4:1 error unknown_value', expect.stringContaining('Did you mean "site.title"?')],
    ])
  })

  it('finds names that a site does not have, if it is known what the site has', async () => {
    const html =
      '<!-- svc/menu {"location":"haeder"} /--><p data-op-bind="dataset.nwes.title">x</p>'
    expect(await codesOf({ page: html })).toEqual([])
    const known = { locations: new Set(['header']), datasets: new Set(['news']) }
    expect(await problemsOf({ page: html }, known)).toEqual([
      ['page 1:1 warning unknown_location', expect.stringContaining('Did you mean "header"?')],
      ['page 1:41 warning unknown_dataset', expect.stringContaining('Did you mean "news"?')],
    ])
    const all = { locations: new Set(['haeder']), datasets: new Set(['nwes']) }
    expect(await codesOf({ page: html }, all)).toEqual([])
  })

  it('finds cycles once, and frames that embed themselves', async () => {
    expect(await codesOf({ a: embed('b'), b: embed('a'), c: embed('c'), d: embed('a') })).toEqual([
      'a - error frame_cycle',
      'c - error frame_cycle',
    ])
  })

  it('finds nothing wrong with values of the page, of properties and of rows', async () => {
    const html =
      '<!-- svc/repeat {"source":"pages"} --><a data-op-bind="href:item.url; item.anything">x</a><!-- /svc/repeat --><p data-op-bind="page.title">x</p><p data-op-bind="props.note">x</p>'
    expect(await codesOf({ page: html })).toEqual([])
  })

  it('lets others run while it resolves hundreds of thousands of references', async () => {
    const references = Array.from({ length: 50_000 }, (_, at) => `missing-${at}`)
    const frames = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((slug) => ({
      id: `id-${slug}`,
      slug,
      report: { ...analyzeMarkup('<p></p>'), references: [...references, 'a'] },
    }))
    const registry = new Registry(new Map(frames.map(({ id, slug }) => [id, slug])))
    const graph = new FrameGraph(registry, frames.map(indexedFrame))
    const { result, iterations } = await iterationsDuring(() =>
      findFrameProblems(frames, graph, {}),
    )
    expect(result).toEqual([expect.objectContaining({ frame: 'a', code: 'frame_cycle' })])
    expect(iterations).toBeGreaterThan(3)
  })

  it('lets others run while it compares missing names with the longest that a site can have', async () => {
    const slug = (at: number) => `${'a'.repeat(180)}-${String(at).padStart(8, '0')}`
    const known = Array.from({ length: 40 }, (_, at) => slug(at * 7777))
    const names = Array.from({ length: 200 }, (_, at) => embed(slug(99_000_000 + at * 3331)))
    const htmls = { ...Object.fromEntries(known.map((name) => [name, ''])), page: names.join('') }
    const { result, iterations } = await iterationsDuring(() => problemsOf(htmls))
    expect(result).toHaveLength(200)
    expect(iterations).toBeGreaterThan(3)
  })
})
