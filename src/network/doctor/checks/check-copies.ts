import { languageIn } from '../../../build/baking/baked-copy.ts'
import {
  type UnpublishableReason,
  whyNotPublishedAt,
} from '../../../build/executor/page-publication.ts'
import {
  type CheckedRecord,
  checkCopies,
  whyOutdated,
  withoutLaterChanges,
} from '../../../build/publishing/check-copies.ts'
import { CopyTargetError } from '../../../build/publishing/copy-store.ts'
import { readPendingWork } from '../../../content/work/pending-work.ts'
import { recordChange } from '../../../content/work/record-work.ts'
import { type Work, workOn } from '../../../content/work/work.ts'
import { inBatches } from '../../../db/sql.ts'
import type { Site } from '../../../wordpress/network/site.ts'
import type { Page } from '../../../wordpress/pages/posts.ts'
import {
  type DoctorServices,
  FIX_BATCH_SIZE,
  type Fix,
  found,
  ifTableMissing,
  type Problem,
  subject,
} from '../finding.ts'
import type { SiteSnapshot } from '../site-snapshot.ts'

/** Checks that each frame has a fresh baked copy, or is to be baked. */
export async function checkBakedCopies(snapshot: SiteSnapshot): Promise<Problem[]> {
  const { site, db } = snapshot
  const graph = await snapshot.graph()
  const notFresh = [...(await snapshot.bakedCopies())].filter(([, state]) => state !== 'fresh')
  if (notFresh.length === 0) return []
  const pending = await readPendingWork(db, site)
  const unusable = notFresh.filter(([id]) => !pending.hasFrame(id))
  const fix: Fix = {
    summary: 'Bakes these frames, and publishes their pages.',
    apply: async (services) => {
      for (const [id] of unusable) await build(services, site, workOn('frame', [id]))
    },
  }
  return unusable.map(([id, state]) => {
    const slug = graph.get(id)?.slug ?? id
    const details = { about: subject('frame', slug), fix }
    return state === 'missing'
      ? found('copy_missing', `The frame "${slug}" has no usable baked copy.`, details)
      : found('copy_stale', `The baked copy of the frame "${slug}" is stale.`, details)
  })
}

/** Checks that the static copies of the site's pages exist, are fresh, and belong to a public page. */
export async function checkStaticCopies(snapshot: SiteSnapshot): Promise<Problem[]> {
  const { db, site, services } = snapshot
  if (services.copies === undefined) return []
  const copies = await checkCopies(db, site, services.copies).catch((error) =>
    // A target that cannot be used has its own finding.
    error instanceof CopyTargetError ? [] : ifTableMissing([])(error),
  )
  const problems = await findCopyProblems(snapshot, copies)
  // The files are read after the snapshot began, and may belong to a later build.
  const found = await withoutLaterChanges(services.db, site, problems)
  const pages = found.map(({ page }) => page)
  const fix: Fix = {
    summary: 'Writes the static copies of these pages again, or removes them.',
    apply: async (services) => {
      for (const batch of inBatches(pages, FIX_BATCH_SIZE))
        await build(services, site, workOn('page', batch))
    },
  }
  return found.map(({ problem }) => ({ ...problem, fix }))
}

/** Records work and waits for its effects. */
async function build({ db, executor }: DoctorServices, site: Site, work: Work[]): Promise<void> {
  const change = await db.write({ site: { blogId: site.blogId } }, (tx) =>
    recordChange(tx, site, { bake: true, work }),
  )
  await executor.apply(site, change)
}

/** A copy with a problem. `frame`: id of the page's frame; missing if it has none. */
type CopyFinding = CheckedRecord & { readonly frame?: string; readonly problem: Problem }

async function findCopyProblems(
  snapshot: SiteSnapshot,
  copies: readonly CheckedRecord[],
): Promise<CopyFinding[]> {
  const pages = new Map(
    (await snapshot.data.pagesById(copies.map(({ page }) => page))).map((page) => [page.id, page]),
  )
  const frameOf = new Map<number, string>()
  for (const [frame, ids] of await snapshot.framePages())
    for (const id of ids) frameOf.set(id, frame)
  const found: CopyFinding[] = []
  for (const copy of copies) {
    const page = pages.get(copy.page)
    const frame = frameOf.get(copy.page)
    const expected = { url: copy.url, page, hasFrame: frame !== undefined }
    const reason = await whyNotPublishedAt(snapshot.data, snapshot.site, expected)
    const problem =
      reason !== undefined || !page || frame === undefined
        ? unexpectedCopy(copy, reason)
        : await problemOfPublished(snapshot, copy, page, frame)
    if (problem) found.push({ ...copy, ...(frame === undefined ? {} : { frame }), problem })
  }
  return found
}

const PAGE_STATES: Readonly<Record<UnpublishableReason, string>> = {
  deleted: 'does not exist',
  no_frame: 'has no frame',
  site_closed: 'belongs to a closed site',
  not_public: 'is not public',
  other_url: 'has another address',
}

const unexpectedCopy = ({ page, url }: CheckedRecord, reason: UnpublishableReason | undefined) =>
  found(
    'static_stray',
    `Page ${page} has a static copy at ${url}, but the page ${reason ? PAGE_STATES[reason] : ''}.`,
    { about: subject('page', page) },
  )

async function problemOfPublished(
  snapshot: SiteSnapshot,
  copy: CheckedRecord,
  page: Page,
  frame: string,
): Promise<Problem | undefined> {
  // A stale baked copy has its own finding, whose fix publishes the page as well.
  const isBaked = (await snapshot.bakedCopies()).get(frame) === 'fresh'
  const header = isBaked ? (await snapshot.frames()).get(frame)?.copy : undefined
  const lang = page.lang ?? (await snapshot.data.defaultLanguage())
  const about = subject('page', copy.page)
  const which = `The static copy of page ${copy.page} at ${copy.url}`
  if (copy.files === 'missing') return found('static_lost', `${which} is missing.`, { about })
  if (copy.files === 'damaged') {
    const message = `${which} is not what was published: its files were replaced or damaged.`
    return found('static_damaged', message, { about })
  }
  const why = whyOutdated(copy, page, header ? languageIn(header, lang)?.fingerprint : undefined)
  if (why === undefined) return undefined
  const change = why === 'edited' ? 'the page was edited' : 'its frame was baked'
  return found('static_stale', `${which} is stale: ${change} after it was written.`, { about })
}
