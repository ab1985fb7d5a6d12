import fc from 'fast-check'
import { expect, it } from 'vitest'
import { analyzeMarkup } from '../../../src/content/frames/frame-markup.ts'
import { FrameGraph, findCycles } from '../../../src/content/frames/graph.ts'
import { metaOf } from '../../../src/content/frames/record.ts'
import { Registry } from '../../../src/content/frames/registry.ts'

const nameOf = (index: number): string => `frame-${index}`
const idOf = (index: number): string => `${index}`.padStart(16, 'a')

/** A graph from the indexes of the frames that each frame embeds. */
function graphOf(embedded: readonly (readonly number[])[]): FrameGraph {
  const frames = embedded.map((targets, index) => {
    const html = targets.map((to) => `<!-- svc/frame {"name":"${nameOf(to)}"} /-->`).join('')
    const dates = { created_at_gmt: '', updated_at_gmt: '', updated_by: 0 }
    const meta = metaOf({ slug: nameOf(index), html, ...dates }, analyzeMarkup(html))
    return { id: idOf(index), slug: nameOf(index), meta }
  })
  return new FrameGraph(new Registry(new Map(frames.map(({ id, slug }) => [id, slug]))), frames)
}

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
      const found = findCycles(graphOf(embedded)).map((group) =>
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
  const cycles = findCycles(graphOf(chain)).map((group) => group.map(({ slug }) => slug))
  expect(cycles).toEqual([[nameOf(last)]])
})
