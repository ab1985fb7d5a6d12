import type { Fix, Problem } from '../finding.ts'
import type { SiteSnapshot } from '../site-snapshot.ts'

/** Has each frame a baked copy of what it shows now? */
export async function checkBakedCopies(visit: SiteSnapshot): Promise<Problem[]> {
  const { site } = visit
  const graph = await visit.graph()
  const faults = [...(await visit.bakedCopies())].filter(([, state]) => state !== 'true')
  const remedy: Fix = {
    does: 'Builds these frames anew, with the static copies of the pages on them.',
    apply: async ({ executor }) => {
      for (const [id] of faults)
        await executor.apply(site, { bake: true, frame: id, touched: [], pages: [] })
    },
  }
  return faults.map(([id, state]) => {
    const slug = graph.get(id)?.slug ?? id
    return { ...(state === 'missing' ? missingBakedCopy(slug) : staleBakedCopy(slug)), remedy }
  })
}

const missingBakedCopy = (slug: string): Problem => ({
  check: 'copy_missing',
  severity: 'warning',
  what: `The frame "${slug}" has no baked copy that can be used.`,
  why: 'The first visitor of a page on it waits until it is built.',
  mend: 'POST /frames/rebake with {"all": true}, or let the doctor build it.',
})

const staleBakedCopy = (slug: string): Problem => ({
  check: 'copy_stale',
  severity: 'warning',
  what: `The baked copy of the frame "${slug}" is of something that has changed since.`,
  why: 'It was written without being built, or changed past this service; static copies of its pages may show the old.',
  mend: 'POST /frames/rebake with {"all": true}, or let the doctor build it.',
})
