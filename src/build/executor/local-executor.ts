import type { FrameGraph } from '../../content/frames/graph.ts'
import { peekCachedGraph } from '../../content/frames/graph-cache.ts'
import { PAGE_META_KEY } from '../../content/frames/option-names.ts'
import { readPartialGraph, readSiteGraph } from '../../content/frames/read-graph.ts'
import type { Change } from '../../content/work/change.ts'
import { type RecordedChange, recordChange } from '../../content/work/record-work.ts'
import { checksCopies, pagesOf, workOn } from '../../content/work/work.ts'
import { type Database, joinTransaction } from '../../db/database.ts'
import type { Tx } from '../../db/transaction.ts'
import type { Effects } from '../../host/effects.ts'
import type { Log } from '../../host/log.ts'
import type { Metrics } from '../../host/metrics.ts'
import { inSpan } from '../../host/trace.ts'
import type { Site } from '../../wordpress/network/site.ts'
import type { Page } from '../../wordpress/pages/posts.ts'
import { readPostMetaOf } from '../../wordpress/postmeta.ts'
import { findDependents } from '../baking/dependents.ts'
import { createSourceCache } from '../baking/frame-sources.ts'
import { SiteData } from '../baking/site-data.ts'
import { describeRecords } from '../publishing/static-effects.ts'
import { bakeFrames, rebakeOf } from './bake-frames.ts'
import { chooseFrames } from './choose-frames.ts'
import { effectsOf, NO_CACHE } from './effects-of.ts'
import {
  type BuildWithin,
  type Executor,
  isExecutorUnavailable,
  logAndDescribe,
  type RebakeRequest,
  skippedEffects,
  type VisiblePage,
  type WrittenMarkup,
} from './executor.ts'
import { describeWrittenFrame, followChange, untilAborted } from './follow-change.ts'
import { DISABLED } from './followed-pages.ts'
import { RebakeRounds } from './rebake-rounds.ts'
import { SiteBuild } from './site-build.ts'
import type { WakeExecutor } from './wake-up.ts'
import type { WorkerOptions } from './worker-options.ts'
import { Workers } from './workers.ts'

export type LocalExecutorOptions = Omit<
  WorkerOptions,
  'sourceCache' | 'pageBakes' | 'outage' | 'blocked' | 'unavailable'
> & {
  /** How long a request waits for the effects of its change, in milliseconds; undefined to wait until everything is done. */
  readonly budget?: () => number | undefined
  /** Wakes the executor that is apart, and does the work; undefined if this process does it. With it, the budget must have a limit. */
  readonly wakeOther?: WakeExecutor | undefined
}

export type LocalExecutor = Executor & {
  /** Starts to do the recorded work of all processes. */
  start(): void
  /** Whether the tables of the work are not as this program expects, so that it builds nothing. */
  isBlocked(): boolean
  /** Starts the recorded work of a site at once. @param isAwaited whether a client of another process waits for it */
  wake(blogId: number, isAwaited?: boolean): void
  /** Completes the slices in progress. */
  stop(): Promise<void>
}

/** Creates the executor that works in this process. */
export function createLocalExecutor(options: LocalExecutorOptions): LocalExecutor {
  const { metrics } = options
  const build: WorkerOptions = {
    ...options,
    sourceCache: createSourceCache(),
    pageBakes: { running: new Map<string, Promise<void>>(), finished: 0 },
    outage: { isLogged: false },
    blocked: { isBlocked: false },
    unavailable: new Set<number>(),
  }
  const workers = new Workers(build)
  const rounds = new RebakeRounds(options.db.timings.executor.rebakeRoundMs)
  const follow = (site: Site, change: RecordedChange): Promise<Effects> => {
    const { wakeOther } = options
    const { blogId } = site
    return followChange(build, site, change, {
      wake: () => (wakeOther ? wakeOther(site, change.version) : workers.wake(blogId, true)),
      news: (signal) => (wakeOther ? untilAborted(signal) : workers.nextSlice(blogId, signal)),
      isApart: wakeOther !== undefined,
      budgetMs: wakeOther ? (options.budget?.() ?? 0) : options.budget?.(),
    })
  }
  metrics?.gauges(() => build.blocked, { work_blocked: ({ isBlocked }) => Number(isBlocked) })
  const report = async (
    site: Site,
    change: Change,
    run: (build: WorkerOptions) => Promise<Effects>,
  ) => {
    const log = options.log.child({ site: site.blogId })
    const effects = await timed(metrics, 'apply', () =>
      run({ ...build, log }).catch((error) => {
        // A client that asked for no build gets no error: the copies of unbound pages are removed later.
        if (isExecutorUnavailable(error) && change.bake) throw error
        return skippedEffects(change, logAndDescribe(error, log))
      }),
    )
    // The whole build failed, so the number of its frames is unknown.
    if (effects.rebaked.message !== undefined) metrics?.count('bakes_total', { outcome: 'failed' })
    return effects
  }
  return {
    within: (tx, site, write) => startWithin(build, tx, site, write),
    apply: async (site, change) =>
      change.effects ??
      report(site, change, (build) =>
        change.version === 0 ? applyUnrecorded(build, site, change) : follow(site, change),
      ),
    rebake: (site, request) =>
      report(site, { bake: true, work: [] }, async (build) =>
        follow(site, await recordRebake(build, site, request, rounds)),
      ),
    render: (site, page, within) => {
      const { db } = within ?? build
      // A page that the clock has cut depends on more than rows.
      const onTimeout = () => void within?.markVolatile(undefined)
      return timed(metrics, 'render', () => render({ ...build, db, onTimeout }, site, page))
    },
    start: () => workers.start(),
    isBlocked: () => build.blocked.isBlocked,
    wake: (blogId, isAwaited) => workers.wake(blogId, isAwaited),
    stop: () => workers.stop(),
  }
}

/**
 * Plain markup needs nothing but itself: the copy of a frame that nothing uses is then stored with the frame, by one commit. Larger markup
 * is not baked while rows are locked.
 */
function startWithin(
  options: WorkerOptions,
  tx: Tx,
  site: Site,
  write: WrittenMarkup,
): BuildWithin | undefined {
  if (!isSmallAndPlain(write) || isProbablyEmbedded(tx, site, write)) return undefined
  const db = joinTransaction(options.db, tx)
  const data = new SiteData(db, site)
  // The description of the bake needs it.
  data.defaultLanguage().catch(() => {})
  return async (change, graph) => {
    const { bake, work, markup } = change
    if (!bake || work.length > 0 || !markup?.isNew) return undefined
    try {
      const build = new SiteBuild({ ...options, db, data, write: tx }, site, graph)
      const unrecorded = { ...change, isRecorded: false, version: 0 }
      const choice = { log: options.log, isStale: true }
      return await timed(options.metrics, 'apply', () => bakeUnused(build, unrecorded, choice))
    } catch (error) {
      options.log.warn({ err: error, site: site.blogId }, 'a frame is baked after its write')
      return undefined
    }
  }
}

/** In characters of markup. */
const MAX_BAKED_WITHIN = 64 * 1024

const isSmallAndPlain = ({ html, report }: WrittenMarkup): boolean =>
  typeof html === 'string' &&
  html.length <= MAX_BAKED_WITHIN &&
  report !== undefined &&
  report.inserts_total === 0 &&
  report.binds === 0

function isProbablyEmbedded(tx: Tx, site: Site, { ref }: WrittenMarkup): boolean {
  const graph = ref === undefined ? undefined : peekCachedGraph(tx, site)?.graph
  const frame = graph?.registry.find(ref ?? '')
  return graph !== undefined && frame !== undefined && graph.embeddersOf([frame.id]).length > 0
}

function timed<T>(
  metrics: Metrics | undefined,
  work: 'apply' | 'render',
  run: () => Promise<T>,
): Promise<T> {
  return metrics ? metrics.time('build_duration_seconds', { work }, run) : run()
}

/** The effects of a change for which nothing is recorded: nothing uses the written frame, or the request asked for no build. */
async function applyUnrecorded(
  options: WorkerOptions,
  site: Site,
  change: RecordedChange,
): Promise<Effects> {
  const { db, copies, log } = options
  if (change.bake) {
    const graph = await readGraphWith(db, site, change)
    return db.together(async (reads) => {
      const build = new SiteBuild({ ...options, reads }, site, graph)
      // The description of the bake needs it: read meanwhile.
      build.data.defaultLanguage().catch(() => {})
      return bakeUnused(build, change, { log, isStale: false })
    })
  }
  const message = 'Nothing was built because the request asked for no build.'
  const pages = pagesOf(change.work)
  const statics = await describeRecords(db, site, pages, message)
  if (copies === undefined)
    for (const [page, effect] of statics)
      if (!effect.published) statics.set(page, { ...effect, ...DISABLED })
  return { ...skippedEffects(change), statics }
}

/** Bakes a frame that nothing used at the commit. A page that is bound to it later has its own work. */
async function bakeUnused(
  build: SiteBuild,
  change: RecordedChange,
  { log, isStale }: { readonly log: Log; readonly isStale: boolean },
): Promise<Effects> {
  build.addMarkup(change)
  build.addNoPages()
  const written = change.frame === undefined ? [] : [change.frame]
  const known = written.filter((id) => build.graph.get(id))
  const describeFailure = (_: string, error: unknown) => logAndDescribe(error, log)
  const results = await inSpan('bake', {}, () =>
    bakeFrames(build, known, describeFailure, {
      isStale,
      isProbablyStale: change.markup !== undefined,
    }),
  )
  return effectsOf(change, {
    baked: {
      bake: await describeWrittenFrame(build, change, results.get(change.frame ?? '')),
      rebaked: rebakeOf(build, change, results),
    },
    statics: new Map(),
    remaining: new Set(),
    cache: NO_CACHE,
  })
}

/**
 * The site's graph with the frame that a change has written. The cached one will do if it has this write: a copy that is baked from it after
 * a later write is not fresh, so it is baked again before it is used.
 */
async function readGraphWith(
  db: Database,
  site: Site,
  { frame = '', markup }: Change,
): Promise<FrameGraph> {
  const cached = peekCachedGraph(db, site)?.graph
  const hasWrite = markup !== undefined && cached?.get(frame)?.meta.sha256 === markup.sha256
  return cached && hasWrite ? cached : readSiteGraph(db, site)
}

/** Chooses the frames of a rebake request, and records them. */
async function recordRebake(
  options: WorkerOptions,
  site: Site,
  { work, limit }: RebakeRequest,
  rounds: RebakeRounds,
): Promise<RecordedChange> {
  const { db } = options
  const build = new SiteBuild(options, site, await readSiteGraph(db, site))
  const dependents = findDependents(build.graph, work)
  const choice = { ...options, site, startedAt: performance.now() }
  const rest = rounds.restOf(site, work, dependents)
  const chosen = await chooseFrames(build, dependents, rest, limit, choice)
  const frames = chosen.map(({ frame }) => frame.id)
  const left = rounds.take(site, work, rest, frames)
  const copies = checksCopies(work) ? workOn('copies') : []
  const change = {
    bake: true,
    work: [...workOn('frame', frames), ...copies],
    declared: { work, left },
  }
  return db.write({ site: { blogId: site.blogId } }, (tx) => recordChange(tx, site, change))
}

/** Renders a page. Reads only the frames that the page needs. */
async function render(
  options: WorkerOptions,
  site: Site,
  page: Page,
): Promise<VisiblePage | undefined> {
  const frameId = await readPostMetaOf(options.db, site, page.id, PAGE_META_KEY)
  if (frameId === undefined) return undefined
  const build = new SiteBuild(options, site, await readPartialGraph(options.db, site, frameId))
  const content = await build.render(page, frameId)
  return 'html' in content ? content : undefined
}
