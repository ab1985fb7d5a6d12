import { findCycles } from '../../frames/graph.ts'
import { type Problem, formatList } from '../finding.ts'
import type { SiteSnapshot } from '../site-snapshot.ts'

/** Do frames embed frames that are there, and not in a circle? Is each of use? */
export async function checkReferences(visit: SiteSnapshot): Promise<Problem[]> {
  const graph = await visit.graph()
  const pages = await visit.framePages()
  const missing = graph.all().flatMap(({ slug, meta }): Problem[] => {
    const refs = meta.references.filter((ref) => !graph.registry.find(ref))
    return refs.length === 0 ? [] : [missingReference(slug, refs)]
  })
  const unused = graph
    .all()
    .filter(
      ({ id }) => !pages.has(id) && !graph.embeddersOf([id]).some((embedder) => embedder.id !== id),
    )
  return [
    ...missing,
    ...findCycles(graph).map((group) => frameCycle(group.map(({ slug }) => slug))),
    ...unused.map(({ slug }) => unusedFrame(slug)),
  ]
}

const missingReference = (slug: string, refs: readonly string[]): Problem => ({
  check: 'reference_missing',
  severity: 'warning',
  what: `The frame "${slug}" embeds ${formatList(refs.map((ref) => `"${ref}"`))}, which no frame is called.`,
  why: 'Nothing is printed in its place.',
  mend: 'Make the frame, or take the insert out.',
})

const frameCycle = (slugs: readonly string[]): Problem => ({
  check: 'frame_cycle',
  severity: 'warning',
  what:
    slugs.length === 1
      ? `The frame "${slugs[0]}" embeds itself.`
      : `The frames ${formatList(slugs)} embed one another in a circle.`,
  why: 'Each is printed until it meets itself, and nothing in place of that.',
  mend: 'Take one of the inserts out.',
})

const unusedFrame = (slug: string): Problem => ({
  check: 'frame_unused',
  severity: 'info',
  what: `The frame "${slug}" stands on no page and in no other frame.`,
  why: 'It is built with every change of what it shows, and nobody sees it.',
  mend: `Put a page on it, or delete it with DELETE /frames/${slug}.`,
})
