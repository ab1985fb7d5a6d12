import { setTimeout as sleep } from 'node:timers/promises'
import type { CopyHeader } from '../baking/baked-copy.ts'
import type { Effects, StaticEffect } from '../effects.ts'
import { readSiteGraph } from '../frames/read-graph.ts'
import {
  type CopyRecord,
  listCopiesOfOtherSources,
  listCopyUrls,
  readCopyRecords,
} from '../publishing/copies-table.ts'
import { recordedCopy, unchangedEffect } from '../publishing/static-effects.ts'
import type { Site } from '../wordpress/network/site.ts'
import { workOf } from '../work/change.ts'
import { countWork, type LeftWork, listLeftWork } from '../work/claims.ts'
import { readPendingWork } from '../work/pending-work.ts'
import type { RecordedChange } from '../work/record-work.ts'
import { pagesOf } from '../work/work.ts'
import { bakeWork, framesOf } from './bake-work.ts'
import { logAndDescribe } from './executor.ts'
import { FollowedChange } from './followed-change.ts'
import { findStalePublications, publicationsOf } from './page-publication.ts'
import { COPIES_DISABLED } from './publish-pages.ts'
import { SiteBuild } from './site-build.ts'
import type { WorkerOptions } from './worker-options.ts'

/** What the database had before other processes did the work of a change. */
type Former = {
  /** The headers of the baked copies, by frame id; undefined for a frame without a copy. */
  readonly headers: ReadonlyMap<string, CopyHeader | undefined>
  /** The records of the static copies of the pages that the change names. */
  readonly records: ReadonlyMap<number, CopyRecord>
}

const UNKNOWN: Former = { headers: new Map(), records: new Map() }

/** Frames whose headers are read together. */
const HEADERS_AT_ONCE = 200
/** Pages whose rows are looked for together. */
const PAGES_AT_ONCE = 1000

/**
 * Waits for the effects of a change that this process does not build, and reads them from the database.
 * @param wake is called when the state before is known
 * @param budgetMs how long, in milliseconds
 * @throws what `wake` throws
 */
export async function followOthers(
  options: WorkerOptions,
  { site, change }: { readonly site: Site; readonly change: RecordedChange },
  wake: () => Promise<void>,
  budgetMs: number,
): Promise<Effects> {
  const { db, log } = options
  const followed = new FollowedChange(site, change)
  const former = await readFormer(options, site, change).catch(() => UNKNOWN)
  await wake()
  const end = performance.now() + budgetMs
  const { followMs } = db.timings.executor
  // Most work is done soon.
  for (let pauseMs = followMs / 8; !followed.isDone; pauseMs = Math.min(2 * pauseMs, followMs)) {
    const leftMs = end - performance.now()
    if (leftMs <= 0) break
    await sleep(Math.min(pauseMs, leftMs))
    await look(options, followed, former).catch((error) =>
      log.debug({ err: error, site: site.blogId }, 'the work of another process was not read'),
    )
  }
  const left = () => countWork(db, site).catch(() => ({ pages: 0, frames: 0 }))
  return followed.effects(followed.isDone ? undefined : await left())
}

async function readFormer(
  options: WorkerOptions,
  site: Site,
  change: RecordedChange,
): Promise<Former> {
  const build = new SiteBuild(options, site, await readSiteGraph(options.db, site))
  const [headers, records] = await Promise.all([
    build.storedHeaders(framesOf(build.graph, change), HEADERS_AT_ONCE),
    readCopyRecords(options.db, site, pagesOf(change.work)),
  ])
  return { headers, records }
}

/** Reports what is done: the frames when nothing of the change waits besides pages, then its pages. */
async function look(
  options: WorkerOptions,
  followed: FollowedChange,
  former: Former,
): Promise<void> {
  const { site, change } = followed
  const asked = [...followed.remaining].slice(0, PAGES_AT_ONCE)
  const left = await listLeftWork(options.db, site, asked)
  if (!followed.isBaked) {
    const own = left.filter(isOf(change))
    if (own.some(({ isWaiting }) => isWaiting)) return
    await describeFrames(options, followed, former, own)
    // The rows of the pages that follow were not asked for.
    return followed.isDone ? undefined : look(options, followed, former)
  }
  const rows = new Map(left.map((row) => [`${row.kind} ${row.name}`, row]))
  const done = asked.filter((page) => rows.get(`page ${page}`)?.isWaiting !== true)
  const failures = new Map(
    done.flatMap((page) => {
      const error = rows.get(`page ${page}`)?.error
      return error == null ? [] : [[page, error]]
    }),
  )
  if (done.length > 0)
    followed.report(await publishedByOthers(options, followed, done, { former, failures }))
}

/** Many things of a site are recorded as `all`. */
function isOf(change: RecordedChange): (row: LeftWork) => boolean {
  const things = new Set(workOf(change).map(({ kind, name }) => `${kind} ${name}`))
  return ({ kind, name }) => kind === 'all' || (kind !== 'page' && things.has(`${kind} ${name}`))
}

/** The copies of the frames are fresh; those whose bake has failed are baked here, which says why. */
async function describeFrames(
  options: WorkerOptions,
  followed: FollowedChange,
  former: Former,
  left: readonly LeftWork[],
): Promise<void> {
  const { db, log } = options
  const { site, change } = followed
  try {
    const build = new SiteBuild(options, site, await readSiteGraph(db, site))
    build.addMarkup(change)
    const { failedFrames } = await bakeWork({
      build,
      work: [],
      followed: [followed],
      former: former.headers,
      listOtherCopies: (pages, sources) => listCopiesOfOtherSources(db, site, pages, sources),
      findStalePages: async () => findStalePublications(build, site, await listCopyUrls(db, site)),
      describeFailure: (_, error) => logAndDescribe(error, log, 'debug'),
    })
    for (const [frame, message] of failedFrames) {
      const failures = new Map((await build.pagesOn([frame])).map((page) => [page, message]))
      const pages = [...failures.keys()]
      followed.report(await publishedByOthers(options, followed, pages, { former, failures }))
    }
  } catch (error) {
    const [failed] = left
    if (failed?.error == null) throw error
    followed.fail(failed.error)
  }
}

/**
 * What other processes have done for pages of a change, from the records. A page that failed there still has the record of an older version.
 * @param failures messages for clients, by page [the work that waits for its next try]
 */
export async function publishedByOthers(
  options: WorkerOptions,
  { site, change }: FollowedChange,
  pages: readonly number[],
  {
    former,
    failures,
  }: { readonly former?: Former; readonly failures?: ReadonlyMap<number, string> },
) {
  const { db, copies } = options
  const statics = new Map<number, StaticEffect>(pages.map((page) => [page, COPIES_DISABLED]))
  const records = await readCopyRecords(db, site, pages)
  // The settings of this process may know no copies although others write them.
  if (copies || records.size > 0 || (former?.records.size ?? 0) > 0) {
    const named = new Set(pagesOf(change.work))
    const without = pages.filter((page) => named.has(page) && !records.has(page))
    const reasons = await reasonsOf(options, site, without)
    const work = failures ? undefined : await readPendingWork(db, site, pages)
    for (const page of pages) {
      const record = records.get(page)
      const isOld = record && (record.version < change.version || record.digest === undefined)
      const hasFailed = isOld || work?.failureOf(page) !== undefined
      const failure = failures?.get(page) ?? (hasFailed ? FAILED_ELSEWHERE : undefined)
      statics.set(page, {
        ...unchangedEffect(recordedCopy(record), BUILT_ELSEWHERE),
        ...(failure === undefined
          ? reasons.get(page)
          : { reason: 'failed' as const, message: failure }),
        ...(former ? changesSince(former.records.get(page), record) : {}),
      })
    }
  }
  return {
    statics,
    addresses: new Map<number, readonly string[]>(),
    purged: { status: 'skipped', by: 'none', urls: [], skipped: [] } as const,
  }
}

const changesSince = (former: CopyRecord | undefined, present: CopyRecord | undefined) => ({
  was_published: recordedCopy(former) !== undefined,
  was_url: recordedCopy(former)?.url ?? null,
  removed: recordedCopy(former) !== undefined && recordedCopy(present) === undefined,
  changed: former?.digest !== present?.digest,
})

/** Why pages have no copies although nothing of them is left to do. */
async function reasonsOf(
  options: WorkerOptions,
  site: Site,
  ids: readonly number[],
): Promise<Map<number, Pick<StaticEffect, 'reason' | 'message'>>> {
  const reasons = new Map<number, Pick<StaticEffect, 'reason' | 'message'>>()
  if (ids.length === 0) return reasons
  const { db } = options
  const build = new SiteBuild(options, site, await readSiteGraph(db, site))
  const [pages, frames] = await Promise.all([build.data.pagesById(ids), build.framesOf(ids)])
  const routing = { db, site, hosts: options.hosts, startedAt: performance.now() }
  const publications = await publicationsOf(routing, build, { pages, frames })
  for (const id of ids) {
    const found = publications.get(id)
    if (!found) reasons.set(id, DELETED)
    else if ('error' in found) reasons.set(id, { reason: 'failed', message: FAILED_ELSEWHERE })
    else if ('reason' in found.publication) reasons.set(id, found.publication)
    else reasons.set(id, OVER_QUOTA)
  }
  return reasons
}

const BUILT_ELSEWHERE = 'Another process has published the page.'
const FAILED_ELSEWHERE =
  'Another process could not publish the page. It is tried again; "wp-frames work" shows the reason.'
const DELETED = { reason: 'page_not_public', message: 'The page was deleted.' } as const
const OVER_QUOTA = {
  reason: 'quota',
  message:
    'The page is not published; it is rendered on request. The static copies of this site use all the space that they may (STATIC_MB_PER_SITE).',
} as const
