import { clearMissingPages } from '../../../content/frames/frame-pages.ts'
import { findCycles } from '../../../content/frames/graph.ts'
import { inBatches } from '../../../db/sql.ts'
import { readPostColumns } from '../../../wordpress/pages/posts.ts'
import { FIX_BATCH_SIZE, type Fix, formatList, found, type Problem, subject } from '../finding.ts'
import type { SiteSnapshot } from '../site-snapshot.ts'

/** Checks that embedded frames exist, that embeds form no cycle, and that each frame is used. */
export async function checkReferences(snapshot: SiteSnapshot): Promise<Problem[]> {
  const graph = await snapshot.graph()
  const pages = await snapshot.framePages()
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

function missingReference(slug: string, refs: readonly string[]): Problem {
  const names = formatList(refs.map((ref) => `"${ref}"`))
  const message = `The frame "${slug}" embeds ${names}, which does not exist.`
  return found('reference_missing', message, { about: subject('frame', slug) })
}

function frameCycle([first = '', ...others]: readonly string[]): Problem {
  const message =
    others.length === 0
      ? `The frame "${first}" embeds itself.`
      : `The frames ${formatList([first, ...others])} embed each other in a cycle.`
  return found('frame_cycle', message, { about: subject('frame', first) })
}

function unusedFrame(slug: string): Problem {
  const message = `The frame "${slug}" is not assigned to a page and not embedded in another frame.`
  return found('frame_unused', message, { about: subject('frame', slug) })
}

/** Checks that the frames that pages are assigned to exist, and that these pages exist. */
export async function checkFramePages(snapshot: SiteSnapshot): Promise<Problem[]> {
  const { db, site } = snapshot
  const registry = await snapshot.registry()
  const pages = await snapshot.framePages()
  const ids = [...pages.values()].flat()
  const posts = await readPostColumns<PostStatus>(db, site, ids, 'post_status')
  const registered = new Set(registry?.all().map(({ id }) => id))
  const missing: Problem[] = []
  const deleted: number[] = []
  for (const [frame, ids] of pages) {
    for (const id of ids) {
      const status = posts.get(id)?.post_status
      if (status === undefined) deleted.push(id)
      else if (registry && !registered.has(frame)) missing.push(missingFrame(id, frame, status))
    }
  }
  const fix: Fix = {
    summary: 'Deletes the frame assignments of pages that do not exist.',
    apply: async (services) => {
      for (const batch of inBatches(deleted, FIX_BATCH_SIZE))
        await services.db.write({ site }, (tx) => clearMissingPages(tx, site, batch))
    },
  }
  const gone = deleted.map((id) =>
    found('page_gone', `Page ${id} does not exist but is still assigned to a frame.`, { fix }),
  )
  return [...missing, ...gone]
}

type PostStatus = { readonly post_status: string }

const missingFrame = (page: number, frame: string, status: string): Problem =>
  found(
    'page_frame_missing',
    `Page ${page} (${status}) is assigned to the frame "${frame}", which does not exist.`,
    { about: subject('page', page), severity: status === 'publish' ? 'error' : 'warning' },
  )
