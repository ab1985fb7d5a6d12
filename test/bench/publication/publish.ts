import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Contender, send } from '../contender.ts'
import { figuresOf, resetPeaks } from '../load/process-figures.ts'
import type { BenchDatabase } from '../setup/open-database.ts'
import { isWorkLeft } from '../setup/pending-work.ts'
import { type PublicationSite, pagePath } from './publication-site.ts'
import { type ReadTimes, readMeanwhile } from './small-reads.ts'

/** The publication of all pages after one PUT of their frame. Times in milliseconds. */
export type Publication = {
  readonly pages: number
  /** Whether the pages had no copies before. */
  readonly isFirst: boolean
  /** Until the answer to the PUT. */
  readonly answerMs: number
  /** From the request, which includes the commit, until all copies were written. */
  readonly copiesMs: number
  /** CPU time of the service's processes, and of the database. */
  readonly cpuMs: number
  readonly databaseCpuMs: number
  /** The sum of the peak memory of the service's processes, in bytes. */
  readonly peakBytes: number
  /** Small reads meanwhile. */
  readonly reads: ReadTimes
}

/** What is measured: a running service and its files. */
export type PublishingService = {
  readonly database: BenchDatabase
  /** The API that gets the request, with the processes of all parts. */
  readonly service: Contender
  readonly copies: CopiesToCompare
}

/** The static copies, by host and path. */
export type CopiesToCompare = {
  /** The number of pages `page-…` directly below a path. */
  countPages(below: string): Promise<number>
  /** The HTML of a page. */
  read(path: string): Promise<string>
}

export const folderCopies = (staticDir: string): CopiesToCompare => ({
  countPages: async (below) => {
    const folders = await readdir(join(staticDir, below), { withFileTypes: true })
    return folders.filter((entry) => entry.isDirectory() && /^page-\d+$/.test(entry.name)).length
  },
  read: (path) => readFile(join(staticDir, path, 'index.html'), 'utf8'),
})

const POLL_MS = 50
/** Longer than any publication takes. */
const MAX_PUBLICATION_MS = 20 * 60_000
/** Number of copies whose contents are compared. */
const SAMPLES = 100

/**
 * Replaces the frame's markup and waits until all copies show it.
 * @throws Error if a copy is missing or outdated at the end
 */
export async function publish(
  publishing: PublishingService,
  site: PublicationSite,
  { pages, isFirst, edition }: { pages: number; isFirst: boolean; edition: string },
): Promise<Publication> {
  const { service, database } = publishing
  const pids = service.processes()
  resetPeaks(pids)
  const before = [figuresOf(pids), figuresOf(database.pids)] as const
  const { result, reads } = await readMeanwhile(service, async () => {
    const begin = performance.now()
    let isAnswered = false
    const answering = send(service, site.replacement(edition)).finally(() => {
      isAnswered = true
    })
    const [answer] = await Promise.all([answering, waitUntilWorked(database, () => isAnswered)])
    if (answer.status !== 200) throw new Error(`PUT was answered ${answer.status}: ${answer.body}`)
    return { answerMs: answer.ms, copiesMs: performance.now() - begin }
  })
  const [own, databaseFigures] = [figuresOf(pids), figuresOf(database.pids)]
  await assertPublished(publishing, pages, edition)
  return {
    pages,
    isFirst,
    reads,
    ...result,
    cpuMs: own.cpuMs - before[0].cpuMs,
    databaseCpuMs: databaseFigures.cpuMs - before[1].cpuMs,
    peakBytes: own.peakBytes,
  }
}

/** Waits until the request is answered and no work is left. */
async function waitUntilWorked(
  { db, site }: BenchDatabase,
  isAnswered: () => boolean,
): Promise<void> {
  const begin = performance.now()
  let hasBegun = false
  for (;;) {
    const isLeft = await isWorkLeft(db, site.globals, site.blogId)
    hasBegun ||= isLeft || isAnswered()
    if (hasBegun && !isLeft) return
    if (performance.now() - begin > MAX_PUBLICATION_MS) throw new Error('the work does not end')
    await sleep(POLL_MS)
  }
}

async function assertPublished(
  { database: { site }, copies }: PublishingService,
  pages: number,
  edition: string,
): Promise<void> {
  const below = join(site.domain, site.path).replace(/\/$/, '')
  const found = await copies.countPages(below)
  if (found !== pages) throw new Error(`${found} of ${pages} pages have a copy`)
  const step = Math.max(1, Math.floor(pages / SAMPLES))
  for (let number = 1; number <= pages; number += step) {
    const path = join(below, pagePath(number)).replace(/\/$/, '')
    if (!(await copies.read(path)).includes(`<h2>${edition}</h2>`))
      throw new Error(`${path} does not show the edition "${edition}"`)
  }
}
