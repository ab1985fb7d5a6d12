import { inBatches } from '../../db/sql.ts'
import { PAGE_META_KEY } from '../../frames/option-names.ts'
import { readPostStatuses } from '../../wordpress/health/menu-survey.ts'
import { deleteMetaOfMissingPosts } from '../../wordpress/postmeta.ts'
import { FIX_BATCH_SIZE, type Fix, type Problem } from '../finding.ts'
import type { SiteSnapshot } from '../site-snapshot.ts'

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
        await services.db.transaction(
          (tx) => deleteMetaOfMissingPosts(tx, site, batch, PAGE_META_KEY),
          site,
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
