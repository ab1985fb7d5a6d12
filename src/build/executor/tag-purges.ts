import type { WorkSite } from '../../content/work/due-work.ts'
import {
  completePurges,
  hasPurges,
  hastenPurges,
  PAUSED,
  purgeTask,
  readPurges,
  reclaimPurges,
  recordPurges,
  type WantedPurge,
} from '../../content/work/purges.ts'
import type { Database } from '../../db/database.ts'
import type { Held } from '../../db/tasks/hold-task.ts'
import { type Task, TaskFailure, TaskRunner, type TaskSource } from '../../db/tasks/task-runner.ts'
import type { Tx } from '../../db/transaction.ts'
import { TokenBucket } from '../../host/concurrency/token-bucket.ts'
import { groupBy } from '../../host/group-by.ts'
import { sha256Hex } from '../../host/hash.ts'
import type { Log } from '../../host/log.ts'
import type { Metrics } from '../../host/metrics.ts'
import { inSpan } from '../../host/trace.ts'
import type { GlobalTables } from '../../wordpress/network/site.ts'
import { pageTag, siteTag } from '../publishing/cache-tags.ts'
import type { NetworkIdentities } from '../publishing/network-identity.ts'
import { PurgeError, type TagPurger } from '../publishing/purgers/tag-purger.ts'

export type TagPurgesOptions = {
  readonly db: Database
  readonly globals: GlobalTables
  readonly log: Log
  readonly metrics?: Metrics | undefined
  readonly identities: NetworkIdentities
  /** In the order in which they are purged: what is nearer to the front first. At least one. */
  readonly purgers: readonly TagPurger[]
  /** Begin of all tags. */
  readonly prefix: string
}

/** The tags of one site that are purged together, and what asks for them. */
type SiteTags = { readonly purges: readonly WantedPurge[]; readonly tags: readonly string[] }

/**
 * Purges pages from page caches by tag, after the commit that records it. Any process sends what is recorded: once a second for all sites together, as
 * fast as each page cache accepts it. Each page cache has a task; what fails is sent again, after a longer pause with each try.
 */
export class TagPurges implements TaskSource {
  readonly #options: TagPurgesOptions
  readonly #buckets: ReadonlyMap<TagPurger, TokenBucket>
  readonly #ids: readonly string[]
  readonly #tasks: readonly Task[]
  readonly #pagesPerSite: number
  #isServer = false
  /** Whether this process has recorded purges. */
  #hasRecorded = false

  constructor(options: TagPurgesOptions) {
    const { purgers, db } = options
    this.#options = options
    this.#buckets = new Map(purgers.map((purger) => [purger, new TokenBucket(purger.limits)]))
    this.#pagesPerSite = Math.min(...purgers.map(({ limits }) => limits.pagesPerSite))
    this.#ids = purgers.map(idOf)
    this.#tasks = purgers.map((purger) => ({
      name: purgeTask(idOf(purger)),
      pauseMs: db.timings.work.backoffMs,
      maxPauseMs: db.timings.work.maxBackoffMs,
      failure: 'pages were not purged from a page cache; it is tried again',
      run: (held, signal) => this.#purgeAt(purger, held, signal),
    }))
  }

  /** The names of the page caches. */
  get by(): string {
    return this.#options.purgers.map(({ name }) => name).join(', ')
  }

  /** False while purges are turned off, or if the database was copied: the page caches may be those of another network. */
  async isAllowed(): Promise<boolean> {
    const { purges, isKnownDatabase } = await this.#options.identities.read()
    return purges && isKnownDatabase
  }

  /** Records pages of a site, in the transaction that completes what has changed them. More than a page cache accepts become the whole site. */
  record(tx: Tx, site: WorkSite, pages: readonly number[]): void {
    if (pages.length === 0) return
    this.#hasRecorded = true
    recordPurges(tx, site, pages.length > this.#pagesPerSite ? 'all' : pages)
  }

  /** Records all pages of a site. */
  recordSite(tx: Tx, site: WorkSite): void {
    this.#hasRecorded = true
    recordPurges(tx, site, 'all')
  }

  /** The tasks of the page caches, if anything is to be purged. A process that looks for them sends what all processes have recorded. */
  async find(): Promise<readonly Task[]> {
    this.#isServer = true
    const { db, globals } = this.#options
    await this.#hasten()
    return (await hasPurges(db, globals)) && (await this.isAllowed()) ? this.#tasks : []
  }

  /** A command sends what it has recorded. */
  async close(): Promise<void> {
    if (this.#isServer || !this.#hasRecorded) return
    const { db, globals, log } = this.#options
    const signal = AbortSignal.timeout(db.timings.tagPurges.lastRoundMs)
    if (!(await this.isAllowed())) return
    await this.#hasten()
    const runner = new TaskRunner({ db, globals, log })
    for (const task of this.#tasks) if (!signal.aborted) await runner.doNow(task, signal)
  }

  /** What was recorded since does not wait as long as what has failed. */
  async #hasten(): Promise<void> {
    if (!this.#hasRecorded) return
    this.#hasRecorded = false
    await hastenPurges(this.#options.db, this.#options.globals)
  }

  /** @throws TaskFailure */
  async #purgeAt(purger: TagPurger, held: Held, signal: AbortSignal): Promise<undefined> {
    const { db, globals, metrics } = this.#options
    const cache = idOf(purger)
    const before = this.#ids.slice(0, this.#ids.indexOf(cache))
    await held.commit((tx) => reclaimPurges(tx, globals, this.#ids))
    const purges = await readPurges(db, globals, cache, before)
    const purgedBy = { cache, all: this.#ids, hasFailed: held.tries > 0 }
    await inSpan('purge', {}, async () => {
      for (const batch of this.#batches(this.#tagsOf(purges), purger)) {
        const tags = batch.flatMap((site) => site.tags)
        const failure = await this.#purge(purger, tags, signal)
        if (failure === 'stopped') return
        metrics?.count('purged_tags_total', { outcome: failure ? 'failed' : 'ok' }, tags.length)
        if (failure)
          throw new TaskFailure(failure.message, {
            cause: failure,
            ...(failure.retryAfterMs === undefined
              ? { state: null }
              : { state: PAUSED, pauseMs: failure.retryAfterMs }),
          })
        const own = batch.flatMap((site) => site.purges)
        await held.commit((tx) => completePurges(tx, globals, own, purgedBy))
      }
    })
    return undefined
  }

  #tagsOf(purges: readonly WantedPurge[]): SiteTags[] {
    const { prefix } = this.#options
    return [...groupBy(purges, ({ blogId }) => blogId)].map(([blogId, own]) => {
      const pages = own.flatMap(({ page }) => page ?? [])
      const isWhole = pages.length < own.length || pages.length > this.#pagesPerSite
      const tags = isWhole
        ? [siteTag(prefix, blogId)]
        : pages.map((page) => pageTag(prefix, blogId, page))
      return { purges: own, tags }
    })
  }

  /** Whole sites, up to the tags of one request. The tags of one site may need several. */
  *#batches(
    sites: readonly SiteTags[],
    { limits: { tagsPerRequest } }: TagPurger,
  ): Generator<SiteTags[]> {
    let batch: SiteTags[] = []
    let size = 0
    for (const site of sites) {
      if (batch.length > 0 && size + site.tags.length > tagsPerRequest) {
        yield batch
        batch = []
        size = 0
      }
      batch.push(site)
      size += site.tags.length
    }
    if (batch.length > 0) yield batch
  }

  /** @returns why it failed; `stopped` if the process ends before all requests were sent */
  async #purge(
    purger: TagPurger,
    tags: readonly string[],
    signal: AbortSignal,
  ): Promise<PurgeError | 'stopped' | undefined> {
    const bucket = this.#buckets.get(purger)
    const { tagsPerRequest } = purger.limits
    for (let sent = 0; sent < tags.length; sent += tagsPerRequest) {
      if (!(await bucket?.take(signal))) return 'stopped'
      try {
        await purger.purge(tags.slice(sent, sent + tagsPerRequest))
      } catch (error) {
        if (!(error instanceof PurgeError)) throw error
        if (error.retryAfterMs !== undefined) bucket?.pauseFor(error.retryAfterMs)
        return error
      }
    }
    return undefined
  }
}

/** What identifies a page cache in the rows of pages, and its task. */
const idOf = ({ name }: TagPurger): string => sha256Hex(name).slice(0, 8)
