import { setTimeout as sleep } from 'node:timers/promises'
import { readSiteGraph } from '../../content/frames/read-graph.ts'
import { type Change, workOf } from '../../content/work/change.ts'
import { countWork, type LeftThing, listLeftThings } from '../../content/work/due-work.ts'
import type { RecordedChange } from '../../content/work/record-work.ts'
import { namesOf, pagesOf } from '../../content/work/work.ts'
import type { Db } from '../../db/database.ts'
import { isMissingTable } from '../../db/database-error.ts'
import type { Effects } from '../../host/effects.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { describeBake, outcomeSince } from '../baking/bake-frame.ts'
import { SiteData } from '../baking/site-data.ts'
import {
  type CopyRecord,
  hasCopies,
  listPagesSince,
  readCopyRecords,
} from '../publishing/copies-table.ts'
import { type BakeResult, bakeFrames, type DependentResult, rebakeOf } from './bake-frames.ts'
import { framesFor, framesOf, messagesOf } from './bake-things.ts'
import {
  type BakedChange,
  type ChangeState,
  cacheOf,
  effectsOf,
  type WrittenBake,
} from './effects-of.ts'
import { type FailureLog, logAndDescribe } from './executor.ts'
import { FollowedPages, type KnownBefore, NOT_STORED } from './followed-pages.ts'
import { SiteBuild } from './site-build.ts'
import type { WorkerOptions } from './worker-options.ts'

const NO_RECORDS: ReadonlyMap<number, CopyRecord> = new Map<number, CopyRecord>()

/** How a request waits for what somebody else builds. */
export type Following = {
  /** Lets the site be built. Is called when the state before is known. */
  readonly wake: () => void | Promise<void>
  /** Resolves when there may be news, at the latest when the signal is aborted; with a message for clients if a build has failed in this process. */
  readonly news: (signal: AbortSignal) => Promise<string | undefined>
  /** Whether only other processes build. */
  readonly isApart: boolean
  /** How long the request waits, in milliseconds; undefined to wait until everything is done. */
  readonly budgetMs: number | undefined
}

/**
 * Waits for the effects of a recorded change, and reads them from the database: nobody carries them to the request, so that it makes no difference which
 * process builds.
 * @throws what `wake` throws
 */
export async function followChange(
  options: WorkerOptions,
  site: Site,
  change: RecordedChange,
  { wake, news, isApart, budgetMs = Number.POSITIVE_INFINITY }: Following,
): Promise<Effects> {
  const { db, log } = options
  // The records before the site is built: what the answer compares with.
  const pages = pagesOf(change.work)
  const before = await readCopyRecords(db, site, pages).catch(() => NO_RECORDS)
  await wake()
  const known = { named: new Set(pages), before, isApart }
  const follower = new Follower(options, site, change, known)
  const end = performance.now() + budgetMs
  let failures = 0
  do {
    const leftMs = Math.min(db.timings.executor.followMs, end - performance.now())
    const signal = AbortSignal.timeout(Math.max(0, Math.round(leftMs)))
    const failure = await news(signal)
    failures = failure === undefined ? 0 : failures + 1
    const isRead = await follower.look({ isExpected: !signal.aborted }).then(
      () => true,
      (error) => {
        log.debug({ err: error, site: site.blogId }, 'the work of a change was not read')
        return false
      },
    )
    // The first slice may have begun before the change. Of the second one not even the failure was stored.
    if (failure !== undefined && !follower.isDone && (failures > 1 || !isRead))
      follower.fail(failure)
  } while (!follower.isDone && performance.now() < end)
  const left = () => countWork(db, site).catch(() => ({ pages: 0, frames: 0 }))
  return effectsOf(change, await follower.state(), follower.isDone ? undefined : await left())
}

/** Reads what a change has become: first its frames, then the pages that follow. */
class Follower {
  readonly #options: WorkerOptions
  readonly #site: Site
  readonly #change: RecordedChange
  readonly #isApart: boolean
  readonly #pages: FollowedPages
  #baked: BakedChange | undefined
  #failure: string | undefined

  constructor(options: WorkerOptions, site: Site, change: RecordedChange, known: KnownBefore) {
    this.#options = options
    this.#site = site
    this.#change = change
    this.#isApart = known.isApart
    this.#pages = new FollowedPages(options, site, known)
  }

  get isDone(): boolean {
    return this.#failure !== undefined || (this.#baked !== undefined && this.#pages.isDone)
  }

  /** What is not known yet has failed. */
  fail(message: string): void {
    if (!this.#baked) this.#failure = message
    this.#pages.fail(message)
  }

  /** @param isExpected whether it is probably done: then everything is read in one packet. Otherwise only what tells that it is not */
  look({ isExpected }: { readonly isExpected: boolean }): Promise<void> {
    return this.#options.db.together(async (now) => {
      if (!this.#baked) await this.#lookAtFrames(now, isExpected)
      if (this.#baked && !this.#pages.isDone) await this.#pages.look(now)
    })
  }

  async state(): Promise<ChangeState> {
    return {
      ...(this.#baked && { baked: this.#baked }),
      ...(this.#failure !== undefined && { failure: this.#failure }),
      ...this.#pages.statics(),
      cache: cacheOf(await this.#pages.purged()),
    }
  }

  async #isWaiting(now: Db): Promise<boolean> {
    const isOwn = isOf(this.#change, new Set())
    const left = await listLeftThings(now, this.#site)
    return left.some((thing) => thing.isWaiting && isOwn(thing))
  }

  /** The frames are baked when nothing of the change waits besides pages. */
  async #lookAtFrames(now: Db, isExpected: boolean): Promise<void> {
    const { copies, globals } = this.#options
    const site = this.#site
    const change = this.#change
    if (copies === undefined && !this.#isApart && (await hasCopies(now, globals))) {
      this.#failure = NO_STATIC_DIR
      return
    }
    if (!isExpected && (await this.#isWaiting(now))) return
    const data = new SiteData(now, site)
    // The description of the bake needs it.
    if (change.bake && change.frame !== undefined) data.defaultLanguage().catch(() => {})
    const [left, graph] = await Promise.all([
      listLeftThings(now, site),
      readSiteGraph(now, site).catch(unlessMissing),
    ])
    if (!graph) {
      if (left.length === 0) this.#failure = NO_TABLES
      return
    }
    const ids = framesOf(graph, change)
    const own = left.filter(isOf(change, new Set(ids)))
    if (own.some(({ isWaiting }) => isWaiting)) return
    const build = new SiteBuild({ ...this.#options, reads: now, data }, site, graph)
    const { frames, outdated } = framesFor(graph, workOf(change))
    const written = change.frame === undefined ? [] : [change.frame]
    // Read with the headers of the copies.
    build.pagesOn([...frames, ...written]).catch(() => {})
    const { written: bake, results } = await this.#resultsOf(build, ids, own)
    const failedFrames = messagesOf(results)
    const [failedPages, whole, since] = await Promise.all([
      Promise.all(
        [...failedFrames].map(
          async ([id, message]) => [await build.pagesOn([id]), message] as const,
        ),
      ),
      build.pagesOn(frames.filter((id) => !failedFrames.has(id))),
      outdated.length === 0
        ? []
        : build.pagesOn(outdated).then((pages) => listPagesSince(now, site, pages, change.version)),
    ])
    this.#baked = {
      bake: await describeWrittenFrame(build, change, bake),
      rebaked: rebakeOf(build, change, results),
    }
    this.#pages.follow([...pagesOf(workOf(change)), ...whole, ...since])
    for (const [pages, message] of failedPages) this.#pages.follow(pages, message)
  }

  /** What became of frames, by their copies and by what has failed. */
  async #resultsOf(
    build: SiteBuild,
    ids: readonly string[],
    left: readonly LeftThing[],
  ): Promise<Results> {
    const { bake, frame, version } = this.#change
    const errorOf = (id: string) =>
      left.find(({ kind, name, error }) => error !== null && (kind !== 'frame' || name === id))
        ?.error ?? undefined
    const own = bake && frame !== undefined && build.graph.get(frame) ? frame : undefined
    const others = ids.filter((id) => id !== own && build.graph.get(id))
    const [written, versions] = await Promise.all([
      own === undefined ? undefined : this.#writtenOf(build, own, errorOf(own)),
      build.storedVersions(others),
    ])
    const results = new Map<string, DependentResult>()
    for (const id of others) {
      const message = errorOf(id)
      const stored = message === undefined && versions.get(id)
      results.set(
        id,
        stored
          ? { bake: { outcome: outcomeSince(version, stored) } }
          : { message: message ?? NOT_STORED },
      )
    }
    if (own !== undefined && written) results.set(own, written)
    return { written, results }
  }

  /** The bake of the written frame. */
  async #writtenOf(build: SiteBuild, id: string, error: string | undefined): Promise<BakeResult> {
    const { log } = this.#options
    const { work, version } = this.#change
    // Nobody else bakes a frame that no page shows.
    if (!namesOf('frame', work).includes(id)) {
      const describe: FailureLog = (_, error) => logAndDescribe(error, log, 'debug')
      const baked = await bakeFrames(build, [id], describe)
      return baked.get(id) ?? { message: NOT_STORED }
    }
    const header = error === undefined ? await build.storedHeader(id) : undefined
    if (!header) return { message: error ?? NOT_STORED }
    return {
      bake: { id, copy: { header, body: undefined }, outcome: outcomeSince(version, header) },
    }
  }
}

type Results = {
  /** Of the written frame; undefined if it was not to be baked. */
  readonly written: BakeResult | undefined
  readonly results: ReadonlyMap<string, DependentResult>
}

/** A site that was deleted has no tables. */
function unlessMissing(error: unknown): undefined {
  if (!isMissingTable(error)) throw error
}

/** Many things of a site are recorded as `all`, and become single frames. */
function isOf(change: Change, frames: ReadonlySet<string>): (row: LeftThing) => boolean {
  const things = new Set(workOf(change).map(({ kind, name }) => `${kind} ${name}`))
  return ({ kind, name }) =>
    kind === 'all' ||
    things.has(`${kind} ${name}`) ||
    (kind === 'frame' && frames.has(name)) ||
    (kind === 'outdated' && frames.has(name.replace(/^frame:/, '')))
}

/** Describes the bake of the frame that a change wrote. */
export async function describeWrittenFrame(
  build: SiteBuild,
  change: Change,
  result: BakeResult | undefined,
): Promise<WrittenBake> {
  const id = change.bake ? change.frame : undefined
  const frame = id === undefined ? undefined : build.graph.get(id)
  if (!frame || !result) return { status: 'skipped' }
  if ('message' in result) return { status: 'failed', message: result.message }
  const { bake } = result
  return {
    status: 'ok',
    response: {
      ...describeBake(frame, bake),
      renders_on_request:
        build.graph.rendersOnRequest(frame.id) ||
        bake.copy.header.languages.some(({ live }) => live),
      default_lang: await build.data.defaultLanguage(),
      pages: await build.pagesOn([frame.id]),
    },
  }
}

/** Resolves when the signal is aborted. */
export const untilAborted = (signal: AbortSignal): Promise<undefined> =>
  sleep(60_000, undefined, { signal }).catch(() => undefined)

const NO_TABLES = 'The site was deleted.'
/** Work that is done without a target leaves the copies as they are, so a process without one leaves the work to one that has it. */
const NO_STATIC_DIR =
  'Nothing was built here: the network has static copies, and this process has no STATIC_DIR and no STATIC_TARGET. Your change is saved; a process that has one builds it.'
