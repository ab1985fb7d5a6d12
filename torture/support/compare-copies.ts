import { readdir, readFile, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { sha256Hex } from '../../src/hash.ts'
import { fileTimeOf } from '../../src/publishing/copy-files.ts'
import { copyFolderForUrl } from '../../src/publishing/static-path.ts'
import { workTable } from '../../src/work/work-tables.ts'
import { type FreshPage, renderFreshPages } from './fresh-render.ts'
import { listPublished, STAGING } from './static-copies.ts'
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

/** The file that marks the folder of static copies. */
const MARKER = '.wp-frames'

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

/** The number of rows of the work table. */
export async function countWork({ db, site }: TortureFixture): Promise<number> {
  const [[row]] = await db.sql.raw('SELECT COUNT(*) n FROM ??', [workTable(site.globals)])
  return Number(row.n)
}

/** A sentence for each difference between what is committed and what is published, and for each leftover. */
export async function differences(fixture: TortureFixture): Promise<string[]> {
  const pages = await renderFreshPages(fixture.db, fixture.site)
  return [
    ...(await differencesOfFiles(fixture.staticDir, fixture.site.blogId, pages)),
    ...(await leftoverStaging(fixture.staticDir)),
    ...(await differencesOfRows(fixture, pages)),
    ...(await leftoverWork(fixture)),
  ]
}

/** Compares the files below the folder of static copies, without those that are not published yet, with the pages of the only site in it. */
export async function differencesOfFiles(
  staticDir: string,
  site: number,
  pages: readonly FreshPage[],
): Promise<string[]> {
  const found: string[] = []
  const expected = new Set([MARKER])
  for (const { page, url, html } of pages) {
    const folder = copyFolderForUrl(staticDir, url)
    if (folder === undefined) continue
    const index = join(folder, 'index.html')
    const owner = { site, page, url }
    for (const name of ['', '.gz', '.br']) expected.add(relative(staticDir, index + name))
    expected.add(relative(staticDir, join(folder, '.page.json')))
    for (const parent of parentsOf(relative(staticDir, folder))) expected.add(parent)
    const wrong = await differenceOfCopy(folder, owner, html)
    if (wrong !== undefined) found.push(`the copy of page ${page} ${wrong}`)
  }
  for (const path of await listPublished(staticDir))
    if (!expected.has(path)) found.push(`${path} is left over`)
  return found
}

/** The folder may exist, but must be empty. */
async function leftoverStaging(staticDir: string): Promise<string[]> {
  const names = await readdir(join(staticDir, STAGING)).catch(() => [])
  return names.map((name) => `${STAGING}/${name} is left over`)
}

/** `a/b/c` and the folders above it. */
const parentsOf = (path: string): string[] =>
  path.split('/').map((_, at, names) => names.slice(0, at + 1).join('/'))

async function differenceOfCopy(
  folder: string,
  owner: object,
  html: string,
): Promise<string | undefined> {
  const read = (name: string) => readFile(join(folder, name)).catch(() => undefined)
  const [plain, gz, br, json] = await Promise.all(
    ['index.html', 'index.html.gz', 'index.html.br', '.page.json'].map(read),
  )
  const shown = plain?.toString()
  if (shown === undefined) return `is missing, expected ${markOf(html)}`
  if (shown !== html) return `shows ${markOf(shown)}, not ${markOf(html)}`
  if (!gz || !br) return 'has no compressed form'
  if (gunzipSync(gz).toString() !== html) return 'has another content in its .gz'
  if (brotliDecompressSync(br).toString() !== html) return 'has another content in its .br'
  const { site, page, url }: Record<string, unknown> = JSON.parse(json?.toString() || '{}')
  if (JSON.stringify({ site, page, url }) !== JSON.stringify(owner))
    return `belongs to ${json?.toString()} according to its .page.json`
  return undefined
}

/** What tells two contents apart: the marks of writes in them, and their size. */
function markOf(html: string): string {
  const marks = html.match(/\bw\d-\d+|\bw\d \d+ at|\bpaused-\d+/g) ?? []
  return `${[...new Set(marks)].slice(0, 3).join(' with ')} (${html.length} characters)`
}

/** Compares the records of the copies with the pages and with the files. */
async function differencesOfRows(
  { db, site, staticDir }: TortureFixture,
  pages: readonly FreshPage[],
): Promise<string[]> {
  const rows = await db
    .sql(`${site.globals.basePrefix}svc_copies`)
    .where({ blog_id: site.blogId })
    .select('page_id', 'url', 'digest', 'html_bytes', 'file_time')
  const rowOf = new Map(rows.map((row) => [Number(row.page_id), row]))
  const found: string[] = []
  for (const { page, url, html } of pages) {
    const row = rowOf.get(page)
    rowOf.delete(page)
    const folder = copyFolderForUrl(staticDir, url)
    if (folder === undefined) continue
    const stored = row && [row.url, row.digest, Number(row.html_bytes), String(row.file_time)]
    const file = [url, sha256Hex(html), Buffer.byteLength(html), await fileTime(folder)]
    if (JSON.stringify(stored) !== JSON.stringify(file))
      found.push(`the record of page ${page} is ${JSON.stringify(stored)}, expected ${file}`)
  }
  for (const [page, { url }] of rowOf)
    found.push(`page ${page} has a record for ${url}, but no copy`)
  return found
}

/** The time of a copy's file in microseconds since 1970; '' if there is none. */
async function fileTime(folder: string): Promise<string> {
  const stats = await stat(join(folder, 'index.html')).catch(() => undefined)
  return stats === undefined ? '' : String(fileTimeOf(stats))
}

async function leftoverWork({ db, site }: TortureFixture): Promise<string[]> {
  const rows = await db.sql(workTable(site.globals)).select('kind', 'name', 'tries', 'error')
  return rows.map((row) => `work is left: ${JSON.stringify(row)}`)
}
