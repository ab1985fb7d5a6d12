import { mistakesIn } from '../../baking/frame-problems.ts'
import type { Problem } from '../finding.ts'
import type { SiteSnapshot } from '../site-snapshot.ts'

/** Reports inserts that are unknown and binds that name nothing, as the last bakes have found them. No markup is parsed. */
export async function checkMarkup(snapshot: SiteSnapshot): Promise<Problem[]> {
  const stored = await snapshot.frames()
  const graph = await snapshot.graph()
  return graph.all().flatMap((frame) => {
    const { copy } = stored.get(frame.id) ?? {}
    const mistakes = copy ? mistakesIn(copy, frame) : []
    return [...new Set(mistakes)].map((mistake) => markupProblem(frame.slug, mistake))
  })
}

const markupProblem = (slug: string, mistake: string): Problem => ({
  check: 'markup_problem',
  severity: 'warning',
  message: `The frame "${slug}": ${mistake}`,
  impact: 'Visitors do not see what the author meant to print there.',
  fixHint:
    'Correct the markup. "wp-frames check" finds such mistakes in files before they are sent.',
})
