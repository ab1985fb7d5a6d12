import { inBatches } from '../../db/sql.ts'
import { findCycles } from '../../frames/graph.ts'
import { PAGE_META_KEY } from '../../frames/option-names.ts'
import { readPostStatuses } from '../../wordpress/health/menu-survey.ts'
import { deleteMetaOfMissingPosts } from '../../wordpress/postmeta.ts'
import { FIX_BATCH_SIZE, type Fix, formatList, type Problem } from '../finding.ts'
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

/** Are the frames there on which pages stand, and the pages themselves? */
export async function checkFramePages(visit: SiteSnapshot): Promise<Problem[]> {
  const { db, site } = visit
  const registry = await visit.registry()
  const pages = await visit.framePages()
  const statuses = await readPostStatuses(db, site, [...pages.values()].flat())
  const listed = new Set(registry?.all().map(({ id }) => id))
  const lost: Problem[] = []
  const gone: number[] = []
  for (const [frame, ids] of pages) {
    for (const id of ids) {
      const status = statuses.get(id)
      if (status === undefined) gone.push(id)
      else if (registry && !listed.has(frame)) lost.push(missingFrame(id, frame, status))
    }
  }
  const remedy: Fix = {
    does: 'Deletes the frames of pages that are gone.',
    apply: async (services) => {
      for (const batch of inBatches(gone, FIX_BATCH_SIZE))
        await services.db.write({ site }, (tx) =>
          deleteMetaOfMissingPosts(tx, site, batch, PAGE_META_KEY),
        )
    },
  }
  return [...lost, ...gone.map((id): Problem => ({ ...deletedPage(id), remedy }))]
}

const missingFrame = (page: number, frame: string, status: string): Problem => ({
  check: 'page_frame_missing',
  severity: status === 'publish' ? 'error' : 'warning',
  what: `Page ${page} (${status}) stands on the frame "${frame}", which is not there.`,
  why: 'Visitors get no page from this service.',
  mend: `Put it on another frame with POST /frames/{ref}/assign and {"page": ${page}}, or delete its meta ${PAGE_META_KEY}.`,
})

const deletedPage = (page: number): Problem => ({
  check: 'page_gone',
  severity: 'info',
  what: `Page ${page} is gone and still stands on a frame.`,
  why: 'The frame is taken to be in use.',
  mend: `Let the doctor delete what is left of it.`,
})
