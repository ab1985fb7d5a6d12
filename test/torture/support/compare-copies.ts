import { setTimeout as sleep } from 'node:timers/promises'
import { readNetworkWork } from '../../../src/content/work/work-status.ts'
import { pagesTable, workTable } from '../../../src/content/work/work-tables.ts'
import { sha256Hex } from '../../../src/host/hash.ts'
import { type FreshPage, renderFreshPages } from './fresh-render.ts'
import type { TortureFixture } from './torture-fixture.ts'

/** Time after the end of a failure in which all pages must be true, in milliseconds. */
const RECOVERY_MS = 5000
/** How long a trial waits beyond this time, to report whether time alone corrects the pages, in milliseconds. */
const PATIENCE_MS = 5000
const POLL_MS = 20
/** Pause after a comparison that found a difference, in milliseconds: a comparison uses the processor that the service needs. */
const REST_MS = 100
/** Maximum number of differences that a fault names. */
const MAX_SENTENCES = 5

type Recovery = {
  /** From `since` until all pages were true, in milliseconds. */
  readonly ms: number
  readonly faults: readonly string[]
}

/**
 * Waits until no work is pending and each static copy equals a fresh render. The service gets no request meanwhile.
 * @param since the end of the failure, by `performance.now()`
 * @param limitMs time after which it is a fault
 */
export async function untilCopiesEqual(
  fixture: TortureFixture,
  since: number,
  limitMs = RECOVERY_MS,
): Promise<Recovery> {
  for (;;) {
    const begun = performance.now()
    const ms = Math.round(begun - since)
    const found = await attemptComparison(fixture, ms > limitMs)
    if (found.length === 0 && ms <= limitMs) return { ms, faults: [] }
    if (found.length === 0) return { ms, faults: [`all pages were true after ${ms} ms only`] }
    if (ms > limitMs + PATIENCE_MS) return { ms, faults: [`${ms} ms after, ${summarize(found)}`] }
    await sleep(found === PENDING ? POLL_MS : REST_MS)
  }
}

/** The first of many sentences, which mostly have the same cause. */
export function summarize(found: readonly string[]): string {
  const kinds = new Map<string, string>()
  for (const sentence of found) {
    const kind = sentence.replace(/\d+/g, '')
    if (!kinds.has(kind)) kinds.set(kind, sentence)
  }
  return `${found.length} differences: ${[...kinds.values()].slice(0, MAX_SENTENCES).join('; ')}`
}

const PENDING: readonly string[] = ['work is pending']

/** @param isLate whether to compare even if work is pending */
async function attemptComparison(
  fixture: TortureFixture,
  isLate: boolean,
): Promise<readonly string[]> {
  try {
    if (!isLate && (await countWork(fixture)) > 0) return PENDING
    return await differences(fixture)
  } catch (error) {
    return [`the pages could not be compared: ${error}`]
  }
}

/** The number of things, pages and purges that are left. */
export async function countWork({ db, site }: TortureFixture): Promise<number> {
  const { pending } = (await readNetworkWork(db, site.globals)).total
  return pending.pages + pending.frames + pending.purges
}

/** A sentence for each difference between what is committed and what is published, and for each leftover. */
export async function differences(fixture: TortureFixture): Promise<string[]> {
  const pages = await renderFreshPages(fixture.db, fixture.site)
  return [
    ...(await fixture.copies.findDifferences(fixture.site.blogId, pages)),
    ...(await fixture.copies.findLeftovers()),
    ...(await differencesOfRows(fixture, pages)),
    ...(await leftoverWork(fixture)),
  ]
}

/** Compares the records of the copies with the pages and with the files. */
async function differencesOfRows(
  { db, site, copies }: TortureFixture,
  pages: readonly FreshPage[],
): Promise<string[]> {
  const rows = await db
    .sql(`${site.globals.basePrefix}svc_pages`)
    .where({ blog_id: site.blogId })
    .whereNotNull('url')
    .select('page_id', 'url', 'digest', 'html_bytes', 'file_time')
  const rowOf = new Map(rows.map((row) => [Number(row.page_id), row]))
  const found: string[] = []
  for (const { page, url, html } of pages) {
    const row = rowOf.get(page)
    rowOf.delete(page)
    const time = await copies.readTime(url)
    if (time === undefined) continue
    const stored = row && [row.url, row.digest, Number(row.html_bytes), String(row.file_time)]
    const file = [url, sha256Hex(html), Buffer.byteLength(html), time]
    if (JSON.stringify(stored) !== JSON.stringify(file))
      found.push(`the record of page ${page} is ${JSON.stringify(stored)}, expected ${file}`)
  }
  for (const [page, { url }] of rowOf)
    found.push(`page ${page} has a record for ${url}, but no copy`)
  return found
}

async function leftoverWork({ db, site }: TortureFixture): Promise<string[]> {
  const columns = ['tries', 'error'] as const
  const rows = await Promise.all([
    db.sql(workTable(site.globals)).select('kind', 'name', ...columns),
    db
      .sql(pagesTable(site.globals))
      .whereRaw('(due_at IS NOT NULL OR purge_by IS NOT NULL)')
      .select('page_id', 'purge_by', ...columns),
  ])
  return rows.flat().map((row) => `work is left: ${JSON.stringify(row)}`)
}
