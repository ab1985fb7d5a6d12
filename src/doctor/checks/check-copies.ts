import { resolve } from 'node:path'
import { languageIn } from '../../baking/baked-copy.ts'
import { inBatches } from '../../db/sql.ts'
import { removeTemporaryFiles } from '../../publishing/atomic-write.ts'
import { findCopyProblem, type SurveyedCopy, surveyCopies } from '../../publishing/copy-survey.ts'
import { isClosed } from '../../wordpress/network/site.ts'
import { isPublic, type Page } from '../../wordpress/pages/posts.ts'
import { FIX_BATCH_SIZE, type Fix, type Problem } from '../finding.ts'
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

/** A younger one may be on its way to its place. */
const MIN_TEMPORARY_AGE_MS = 60_000

/** Do the static copies of the site's pages lie where they should, and show what the pages show? */
export async function checkStaticCopies(visit: SiteSnapshot): Promise<Problem[]> {
  const { site, services } = visit
  if (services.staticDir === undefined) return []
  const { copies, temporaries } = await surveyCopies(resolve(services.staticDir), site.blogId)
  // What was built since the visit began may show what the visit doesn't see.
  const earlier = copies.filter(({ builtAt }) => builtAt < visit.startedAt.getTime())
  const faults = await findCopyProblems(visit, earlier)
  const remedy: Fix = {
    does: 'Brings the static copies of these pages in line with the pages: written anew or removed.',
    apply: async ({ executor }) => {
      for (const pages of inBatches(
        faults.map(({ page }) => page),
        FIX_BATCH_SIZE,
      ))
        await executor.apply(site, { bake: true, touched: [], pages })
    },
  }
  const left = temporaries
    .filter(({ changedAt }) => changedAt < visit.startedAt.getTime() - MIN_TEMPORARY_AGE_MS)
    .map(({ path }) => path)
  return [
    ...faults.map(({ symptom }) => ({ ...symptom, remedy })),
    ...(left.length === 0 ? [] : [temporaryFiles(left)]),
  ]
}

type CopyProblem = { readonly page: number; readonly symptom: Problem }

async function findCopyProblems(
  visit: SiteSnapshot,
  copies: readonly SurveyedCopy[],
): Promise<CopyProblem[]> {
  const pages = new Map(
    (await visit.data.pagesById(copies.map(({ page }) => page))).map((page) => [page.id, page]),
  )
  const frameOf = new Map<number, string>()
  for (const [frame, ids] of await visit.framePages()) for (const id of ids) frameOf.set(id, frame)
  const faults: CopyProblem[] = []
  for (const copy of copies) {
    const page = pages.get(copy.page)
    const frame = frameOf.get(copy.page)
    const stray = await reasonNotPublishable(visit, copy, page, frame)
    const symptom =
      stray !== undefined || !page || frame === undefined
        ? unexpectedCopy(copy, stray ?? '')
        : await problemOfPublished(visit, copy, page, frame)
    if (symptom) faults.push({ page: copy.page, symptom })
  }
  return faults
}

/** Why the page should not be shown at the address of its copy. */
async function reasonNotPublishable(
  { data, site }: SiteSnapshot,
  { url }: SurveyedCopy,
  page: Page | undefined,
  frame: string | undefined,
): Promise<string | undefined> {
  if (!page) return 'is gone'
  if (frame === undefined) return 'stands on no frame'
  if (isClosed(site)) return 'is of a site that is closed'
  if (!isPublic(page)) return 'is not public'
  return (await data.urlOf(page)) === url ? undefined : 'has another address'
}

async function problemOfPublished(
  visit: SiteSnapshot,
  copy: SurveyedCopy,
  page: Page,
  frame: string,
): Promise<Problem | undefined> {
  // A baked copy that is not true is a fault of its own, and mending that brings the page along.
  const isBaked = (await visit.bakedCopies()).get(frame) === 'true'
  const header = isBaked ? (await visit.frames()).get(frame)?.copy : undefined
  const lang = page.lang ?? (await visit.data.defaultLanguage())
  switch (findCopyProblem(copy, page, header ? languageIn(header, lang)?.fingerprint : undefined)) {
    case 'lost':
      return lostStaticCopy(copy)
    case 'edited':
      return staleStaticCopy(copy, 'the page was edited')
    case 'built':
      return staleStaticCopy(copy, 'its frame was built')
    case undefined:
      return undefined
  }
}

const unexpectedCopy = ({ page, url }: SurveyedCopy, state: string): Problem => ({
  check: 'static_stray',
  severity: 'error',
  what: `There is a static copy of page ${page} at ${url}, and the page ${state}.`,
  why: 'Visitors are shown what they should not see there.',
  mend: 'POST /frames/rebake with {"pages": true}, or let the doctor remove it.',
})

const lostStaticCopy = ({ page, url }: SurveyedCopy): Problem => ({
  check: 'static_lost',
  severity: 'warning',
  what: `The static copy of page ${page} at ${url} is not there.`,
  why: 'The page is built for each visitor.',
  mend: 'POST /frames/rebake with {"pages": true}, or let the doctor write it.',
})

const staleStaticCopy = ({ page, url }: SurveyedCopy, since: string): Problem => ({
  check: 'static_stale',
  severity: 'warning',
  what: `The static copy of page ${page} at ${url} is older than the page: ${since} after it.`,
  why: 'Visitors are shown the old.',
  mend: 'POST /frames/rebake with {"pages": true}, or let the doctor write it anew.',
})

const temporaryFiles = (paths: readonly string[]): Problem => ({
  check: 'static_temporary',
  severity: 'info',
  what: `Among the static copies lie files that were never finished (${paths.length}), as "${paths[0]}".`,
  why: 'A process was ended while it wrote. Visitors are not shown them; they take up room.',
  mend: 'Let the doctor delete them.',
  remedy: {
    does: 'Deletes what was left of unfinished copies.',
    apply: () => removeTemporaryFiles(paths),
  },
})
