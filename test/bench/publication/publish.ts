import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pagesTable } from '../../../src/content/work/work-tables.ts'
import { ask, type Contender } from '../contender.ts'
import { figuresOf, resetPeaks } from '../load/process-figures.ts'
import { figure, megabytes, seconds } from '../report/table.ts'
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
  /** The HTML of the static copy at a host and path. */
  readonly readCopy: (path: string) => Promise<string>
}

/** Reads copies in a folder. */
export const readFrom =
  (staticDir: string) =>
  (path: string): Promise<string> =>
    readFile(join(staticDir, path, 'index.html'), 'utf8')

const POLL_MS = 50
/** Longer than any publication takes. */
const MAX_PUBLICATION_MS = 20 * 60_000
/** Number of copies whose contents are compared. */
const SAMPLES = 100
/** Until the memory and the connections of a new process have settled. */
const SETTLE_MS = 2000

/**
 * Replaces the frame's markup and waits until all copies show it.
 * @throws Error if a copy is missing or outdated at the end
 */
export async function publish(
  publishing: PublishingService,
  site: PublicationSite,
  { pages, isFirst }: { readonly pages: number; readonly isFirst: boolean },
): Promise<Publication> {
  const { service, database } = publishing
  await sleep(SETTLE_MS)
  const edition = `${pages} ${isFirst ? 'created' : 'replaced'} ${Date.now()}`
  const pids = service.processes()
  resetPeaks(pids)
  const before = [figuresOf(pids), figuresOf(database.pids)] as const
  const { result, reads } = await readMeanwhile(service, async () => {
    const begin = performance.now()
    let isAnswered = false
    const answering = ask(service, site.replacement(edition)).finally(() => {
      isAnswered = true
    })
    const [answer] = await Promise.all([answering, waitUntilWorked(database, () => isAnswered)])
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
    const isLeft = await isWorkLeft(db, site.blogId)
    hasBegun ||= isLeft || isAnswered()
    if (hasBegun && !isLeft) return
    if (performance.now() - begin > MAX_PUBLICATION_MS) throw new Error('the work does not end')
    await sleep(POLL_MS)
  }
}

async function assertPublished(
  { database: { db, site }, readCopy }: PublishingService,
  pages: number,
  edition: string,
): Promise<void> {
  const below = join(site.domain, site.path).replace(/\/$/, '')
  const [[{ found }]] = await db.sql.raw(
    'SELECT COUNT(*) AS found FROM ?? WHERE blog_id = ? AND digest IS NOT NULL',
    [pagesTable(site.globals), site.blogId],
  )
  if (found !== pages) throw new Error(`${found} of ${pages} pages have a copy`)
  const step = Math.max(1, Math.floor(pages / SAMPLES))
  for (let number = 1; number <= pages; number += step) {
    const path = join(below, pagePath(number)).replace(/\/$/, '')
    if (!(await readCopy(path)).includes(`<h2>${edition}</h2>`))
      throw new Error(`${path} does not show the edition "${edition}"`)
  }
}

/** A line for one publication. */
export function publicationLine(by: string, publication: Publication): string {
  const { pages, isFirst, answerMs, copiesMs, cpuMs, databaseCpuMs, peakBytes, reads } = publication
  return [
    `${pages} pages ${isFirst ? 'created ' : 'replaced'}`.padEnd(22),
    by.padEnd(7),
    `answer ${seconds(answerMs)}`,
    `all copies ${seconds(copiesMs)}`,
    `CPU ${seconds(cpuMs)} + ${seconds(databaseCpuMs)} (${figure((cpuMs + databaseCpuMs) / pages)} ms a page)`,
    `${megabytes(peakBytes).toFixed(0)} MB`.padStart(6),
    `${reads.count} reads p50 ${figure(reads.p50)} p99 ${figure(reads.p99)} ms`,
  ].join('  ')
}
