import { resolve } from 'node:path'
import { languageIn } from '../../baking/baked-copy.ts'
import { inBatches } from '../../db/sql.ts'
import { type UnpublishableReason, whyNotPublishedAt } from '../../executor/page-publication.ts'
import {
  findCopyProblem,
  removeTemporaryFiles,
  type SurveyedCopy,
  surveyCopies,
} from '../../publishing/copy-survey.ts'
import type { Page } from '../../wordpress/pages/posts.ts'
import { FIX_BATCH_SIZE, type Fix, type Problem } from '../finding.ts'
import type { SiteSnapshot } from '../site-snapshot.ts'

/** Checks that each frame has a fresh baked copy. */
export async function checkBakedCopies(snapshot: SiteSnapshot): Promise<Problem[]> {
  const { site } = snapshot
  const graph = await snapshot.graph()
  const unusable = [...(await snapshot.bakedCopies())].filter(([, state]) => state !== 'fresh')
  const fix: Fix = {
    summary: 'Bakes these frames, and publishes their pages.',
    apply: async ({ executor }) => {
      for (const [id] of unusable)
        await executor.apply(site, { bake: true, frame: id, touched: [], pages: [] })
    },
  }
  return unusable.map(([id, state]) => {
    const slug = graph.get(id)?.slug ?? id
    return { ...(state === 'missing' ? missingBakedCopy(slug) : staleBakedCopy(slug)), fix }
  })
}

const missingBakedCopy = (slug: string): Problem => ({
  check: 'copy_missing',
  severity: 'warning',
  message: `The frame "${slug}" has no usable baked copy.`,
  impact: 'The first visitor of each of its pages waits until the frame is baked.',
  fixHint: 'Send POST /frames/rebake with {"all": true}, or run "doctor --fix".',
})

const staleBakedCopy = (slug: string): Problem => ({
  check: 'copy_stale',
  severity: 'warning',
  message: `The baked copy of the frame "${slug}" is stale.`,
  impact:
    'The frame was written without a bake, or its data was changed outside this service. Static copies of its pages may show outdated content.',
  fixHint: 'Send POST /frames/rebake with {"all": true}, or run "doctor --fix".',
})

/** A more recent temporary file may still be renamed to its target. */
const MIN_TEMPORARY_AGE_MS = 60_000

/** Checks that the static copies of the site's pages exist, are fresh, and belong to a public page. */
export async function checkStaticCopies(snapshot: SiteSnapshot): Promise<Problem[]> {
  const { site, services } = snapshot
  if (services.staticDir === undefined) return []
  const { copies, temporaries } = await surveyCopies(resolve(services.staticDir), site.blogId)
  // A copy that was built after the snapshot began may contain later data.
  const earlier = copies.filter(({ builtAt }) => builtAt < snapshot.startedAt.getTime())
  const found = await findCopyProblems(snapshot, earlier)
  const fix: Fix = {
    summary: 'Writes the static copies of these pages again, or removes them.',
    apply: async ({ executor }) => {
      for (const pages of inBatches(
        found.map(({ page }) => page),
        FIX_BATCH_SIZE,
      ))
        await executor.apply(site, { bake: true, touched: [], pages })
    },
  }
  const leftovers = temporaries
    .filter(({ changedAt }) => changedAt < snapshot.startedAt.getTime() - MIN_TEMPORARY_AGE_MS)
    .map(({ path }) => path)
  return [
    ...found.map(({ problem }) => ({ ...problem, fix })),
    ...(leftovers.length === 0 ? [] : [temporaryFiles(leftovers)]),
  ]
}

type CopyProblem = { readonly page: number; readonly problem: Problem }

async function findCopyProblems(
  snapshot: SiteSnapshot,
  copies: readonly SurveyedCopy[],
): Promise<CopyProblem[]> {
  const pages = new Map(
    (await snapshot.data.pagesById(copies.map(({ page }) => page))).map((page) => [page.id, page]),
  )
  const frameOf = new Map<number, string>()
  for (const [frame, ids] of await snapshot.framePages())
    for (const id of ids) frameOf.set(id, frame)
  const found: CopyProblem[] = []
  for (const copy of copies) {
    const page = pages.get(copy.page)
    const frame = frameOf.get(copy.page)
    const reason = await whyNotPublishedAt(snapshot.data, snapshot.site, {
      ...{ url: copy.url, page },
      hasFrame: frame !== undefined,
    })
    const problem =
      reason !== undefined || !page || frame === undefined
        ? unexpectedCopy(copy, reason ? PAGE_STATES[reason] : '')
        : await problemOfPublished(snapshot, copy, page, frame)
    if (problem) found.push({ page: copy.page, problem })
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

async function problemOfPublished(
  snapshot: SiteSnapshot,
  copy: SurveyedCopy,
  page: Page,
  frame: string,
): Promise<Problem | undefined> {
  // A stale baked copy has its own finding, whose fix publishes the page as well.
  const isBaked = (await snapshot.bakedCopies()).get(frame) === 'fresh'
  const header = isBaked ? (await snapshot.frames()).get(frame)?.copy : undefined
  const lang = page.lang ?? (await snapshot.data.defaultLanguage())
  switch (findCopyProblem(copy, page, header ? languageIn(header, lang)?.fingerprint : undefined)) {
    case 'lost':
      return lostStaticCopy(copy)
    case 'edited':
      return staleStaticCopy(copy, 'the page was edited')
    case 'built':
      return staleStaticCopy(copy, 'its frame was baked')
    case undefined:
      return undefined
  }
}

const unexpectedCopy = ({ page, url }: SurveyedCopy, state: string): Problem => ({
  check: 'static_stray',
  severity: 'error',
  message: `Page ${page} has a static copy at ${url}, but the page ${state}.`,
  impact: 'Visitors see a page there that should not be public.',
  fixHint: 'Send POST /frames/rebake with {"pages": true}, or run "doctor --fix".',
})

const lostStaticCopy = ({ page, url }: SurveyedCopy): Problem => ({
  check: 'static_lost',
  severity: 'warning',
  message: `The static copy of page ${page} at ${url} is missing.`,
  impact: 'The page is rendered for each visitor.',
  fixHint: 'Send POST /frames/rebake with {"pages": true}, or run "doctor --fix".',
})

const staleStaticCopy = ({ page, url }: SurveyedCopy, change: string): Problem => ({
  check: 'static_stale',
  severity: 'warning',
  message: `The static copy of page ${page} at ${url} is stale: ${change} after it was written.`,
  impact: 'Visitors see outdated content.',
  fixHint: 'Send POST /frames/rebake with {"pages": true}, or run "doctor --fix".',
})

const temporaryFiles = (paths: readonly string[]): Problem => ({
  check: 'static_temporary',
  severity: 'info',
  message: `The folder of the static copies contains unfinished temporary files (${paths.length}), for example "${paths[0]}".`,
  impact: 'A process ended while it wrote them. Visitors do not see them; they waste disk space.',
  fixHint: 'Run "doctor --fix" to delete them.',
  fix: {
    summary: 'Deletes unfinished temporary files.',
    apply: () => removeTemporaryFiles(paths),
  },
})
