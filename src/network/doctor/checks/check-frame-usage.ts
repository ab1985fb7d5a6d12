import { clearMissingPages } from '../../../content/frames/frame-pages.ts'
import { findCycles } from '../../../content/frames/graph.ts'
import { inBatches } from '../../../db/sql.ts'
import { readPostColumns } from '../../../wordpress/pages/posts.ts'
import { FIX_BATCH_SIZE, type Fix, formatList, found, type Problem } from '../finding.ts'
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

const missingReference = (slug: string, refs: readonly string[]): Problem =>
  found(
    'reference_missing',
    `The frame "${slug}" embeds ${formatList(refs.map((ref) => `"${ref}"`))}, which does not exist.`,
    { about: { kind: 'frame', ref: slug } },
  )

const frameCycle = (slugs: readonly string[]): Problem =>
  found(
    'frame_cycle',
    slugs.length === 1
      ? `The frame "${slugs[0]}" embeds itself.`
      : `The frames ${formatList(slugs)} embed each other in a cycle.`,
    { about: { kind: 'frame', ref: slugs[0] ?? '' } },
  )

const unusedFrame = (slug: string): Problem =>
  found(
    'frame_unused',
    `The frame "${slug}" is not assigned to a page and not embedded in another frame.`,
    { about: { kind: 'frame', ref: slug } },
  )

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
  return [...missing, ...deleted.map((id): Problem => ({ ...deletedPage(id), fix }))]
}

type PostStatus = { readonly post_status: string }

const missingFrame = (page: number, frame: string, status: string): Problem => ({
  ...found(
    'page_frame_missing',
    `Page ${page} (${status}) is assigned to the frame "${frame}", which does not exist.`,
    { about: { kind: 'page', ref: String(page) } },
  ),
  severity: status === 'publish' ? 'error' : 'warning',
})

const deletedPage = (page: number): Problem =>
  found('page_gone', `Page ${page} does not exist but is still assigned to a frame.`)
