import { mistakesIn } from '../../../build/baking/frame-problems.ts'
import { findNameProblem, readKnownNames } from '../../../content/frames/find-problems.ts'
import type { IndexedFrame } from '../../../content/frames/graph.ts'
import { MAX_BROKEN_INSERTS } from '../../../content/markup/evaluation/compile.ts'
import type { NameInMarkup } from '../../../content/markup/markup-report.ts'
import { parsePath } from '../../../content/markup/value-path.ts'
import { found, type Problem, subject } from '../finding.ts'
import type { SiteSnapshot } from '../site-snapshot.ts'

/**
 * Reports inserts that print nothing and binds that name nothing, as the last bakes have found them, and locations without a menu. No markup is
 * parsed.
 */
export async function checkMarkup(snapshot: SiteSnapshot): Promise<Problem[]> {
  const { db, site } = snapshot
  const stored = await snapshot.frames()
  const graph = await snapshot.graph()
  const known = await readKnownNames(db, site, graph.all().flatMap(locationsOf))
  return graph.all().flatMap((frame) => {
    const { copy } = stored.get(frame.id) ?? {}
    const mistakes = [
      ...(copy ? mistakesIn(copy, frame) : []),
      ...locationsOf(frame).flatMap((name) =>
        findNameProblem(name, graph, known).map(([, message]) => message),
      ),
    ]
    return [...new Set(mistakes)].map((mistake) => markupProblem(frame.slug, mistake))
  })
}

/** The first locations that a frame names. */
function locationsOf({ meta }: IndexedFrame): Pick<NameInMarkup, 'kind' | 'name'>[] {
  // A meta that another program wrote may lack them.
  const { sources = [] }: Partial<typeof meta> = meta
  const locations = sources.flatMap((source) => {
    const { root, keys: [name = ''] = [] } = parsePath(source) ?? {}
    return root === 'menu' ? [{ kind: 'location' as const, name }] : []
  })
  return locations.slice(0, MAX_BROKEN_INSERTS)
}

const markupProblem = (slug: string, mistake: string): Problem =>
  found('markup_problem', `The frame "${slug}": ${mistake}`, {
    about: subject('frame', slug),
  })
