import { BackgroundLoop } from '../concurrency/background-loop.ts'
import { TokenBucket } from '../concurrency/token-bucket.ts'
import type { Database } from '../db/database.ts'
import { isDatabaseUnavailable } from '../db/database-error.ts'
import { keepRenewing, newOwner } from '../db/lease.ts'
import type { Tx } from '../db/transaction.ts'
import { groupBy } from '../group-by.ts'
import { sha256Hex } from '../hash.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { pageTag, siteTag } from '../publishing/cache-tags.ts'
import type { NetworkIdentities } from '../publishing/network-identity.ts'
import { PurgeError, type TagPurger } from '../publishing/purgers/tag-purger.ts'
import { inSpan } from '../trace.ts'
import type { GlobalTables } from '../wordpress/network/site.ts'
import type { WorkSite } from '../work/claims.ts'
import {
  claimPurges,
  completePurges,
  type FailedPurge,
  MAX_PURGED_SITES,
  type PurgeRow,
  recordPurges,
  releasePurges,
  renewPurges,
} from '../work/purge-rows.ts'

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

/** The tags of one site that are purged together, with the rows that ask for them. */
type SiteTags = { readonly blogId: number; readonly tags: readonly string[] }

/**
 * Purges pages from page caches by tag, after the commit that records it. Any process sends what is recorded: once a second for all sites together, as
 * fast as each page cache accepts it. What fails is sent again, after a longer pause with each try.
 */
export class TagPurges {
  readonly #options: TagPurgesOptions
  readonly #buckets: ReadonlyMap<TagPurger, TokenBucket>
  readonly #tagsPerRequest: number
  readonly #pagesPerSite: number
  #loop: BackgroundLoop | undefined
  /** Whether this process has recorded purges since the last round. */
  #isWoken = false
  /** When the last round began, in milliseconds of `performance.now()`. */
  #roundAt = Number.NEGATIVE_INFINITY
  /** A failure is logged once, until a purge succeeds. */
  #isFailing = false

  constructor(options: TagPurgesOptions) {
    const { purgers } = options
    this.#options = options
    this.#buckets = new Map(purgers.map((purger) => [purger, new TokenBucket(purger.limits)]))
    this.#tagsPerRequest = Math.min(...purgers.map(({ limits }) => limits.tagsPerRequest))
    this.#pagesPerSite = Math.min(...purgers.map(({ limits }) => limits.pagesPerSite))
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
    recordPurges(tx, site, pages.length > this.#pagesPerSite ? 'all' : pages, this.#wake)
  }

  /** Records all pages of a site. */
  recordSite(tx: Tx, site: WorkSite): void {
    recordPurges(tx, site, 'all', this.#wake)
  }

  readonly #wake = (): void => {
    this.#isWoken = true
  }

  /** Starts to send what this and other processes have recorded. */
  start(): void {
    this.#loop ??= new BackgroundLoop((signal) => this.#look(signal))
  }

  /** Ends the round in progress. A command sends what it has recorded. */
  async close(): Promise<void> {
    const isServer = this.#loop !== undefined
    const { lastRoundMs } = this.#options.db.timings.tagPurges
    await this.#loop?.stop()
    if (!isServer && this.#isWoken) await this.#round(AbortSignal.timeout(lastRoundMs))
  }

  async #look(signal: AbortSignal): Promise<number> {
    const { coalesceMs, pollMs, lookMs } = this.#options.db.timings.tagPurges
    const passed = performance.now() - this.#roundAt
    if (passed >= (this.#isWoken ? coalesceMs : pollMs)) await this.#round(signal)
    return lookMs
  }

  async #round(signal: AbortSignal): Promise<void> {
    const { log } = this.#options
    this.#roundAt = performance.now()
    this.#isWoken = false
    try {
      if (!(await this.isAllowed())) return
      const claimed = await this.#purgeClaimed(signal)
      if (claimed >= MAX_PURGED_SITES) this.#isWoken = true
    } catch (error) {
      // The leases end by themselves. An outage of the database is logged by those who need it.
      const level = isDatabaseUnavailable(error) ? 'debug' : 'error'
      log[level]({ err: error }, 'sending purges failed; it is tried again')
    }
  }

  /** @returns the number of sites of the claim */
  async #purgeClaimed(signal: AbortSignal): Promise<number> {
    const { db, globals } = this.#options
    const owner = newOwner()
    const rows = await claimPurges(db, globals, owner)
    if (rows.length === 0) return 0
    const renewal = keepRenewing(db.timings.work.purgeLeaseMs, () =>
      renewPurges(db, globals, owner),
    )
    try {
      const failures = await inSpan('purge', {}, () => this.#send(owner, rows, signal))
      await releasePurges(db, globals, owner)
      this.#report(failures)
    } finally {
      await renewal.stop()
    }
    return new Set(rows.map(({ blogId }) => blogId)).size
  }

  #tagsOf(rows: readonly PurgeRow[]): SiteTags[] {
    const { prefix } = this.#options
    return [...groupBy(rows, ({ blogId }) => blogId)].map(([blogId, own]) => {
      const pages = own.flatMap(({ page }) => page ?? [])
      const isWhole = pages.length < own.length || pages.length > this.#pagesPerSite
      const tags = isWhole
        ? [siteTag(prefix, blogId)]
        : pages.map((page) => pageTag(prefix, blogId, page))
      return { blogId, tags }
    })
  }

  /** Sends the tags of a claim. A page cache that fails gets no further request, and keeps no other from its own. */
  async #send(
    owner: string,
    rows: readonly PurgeRow[],
    signal: AbortSignal,
  ): Promise<PurgeError[]> {
    const { db, globals, metrics } = this.#options
    const failures = new Map<TagPurger, PurgeError>()
    for (const [cache, own] of groupBy(rows, (row) => row.cache)) {
      /** Sites by the page caches that have not purged them. */
      const failed = new Map<string, { failing: readonly TagPurger[]; blogIds: number[] }>()
      for (const batch of this.#batches(this.#tagsOf(own))) {
        const tags = batch.flatMap((site) => site.tags)
        const blogIds = batch.map(({ blogId }) => blogId)
        const failing = await this.#purgeBatch(cache, tags, failures, signal)
        if (failing === 'stopped') return [...failures.values()]
        metrics?.countPurgedTags(failing.length === 0 ? 'ok' : 'failed', tags.length)
        const key = failing.map(idOf).join()
        const alike = failed.get(key)?.blogIds ?? []
        if (failing.length > 0) failed.set(key, { failing, blogIds: [...alike, ...blogIds] })
        else await completePurges(db, globals, { owner, cache, blogIds })
      }
      for (const { failing, blogIds } of failed.values())
        await completePurges(
          db,
          globals,
          { owner, cache, blogIds },
          this.#describe(cache, failing, failures),
        )
    }
    return [...failures.values()]
  }

  /**
   * Sends tags to all page caches, or, if one has failed before, to that one. Once it succeeds, those behind it follow again: they may have taken a page
   * from it meanwhile.
   * @param failures of this round so far
   * @returns the page caches that have not purged; `stopped` if the process ends before all requests were sent
   */
  async #purgeBatch(
    cache: string,
    tags: readonly string[],
    failures: Map<TagPurger, PurgeError>,
    signal: AbortSignal,
  ): Promise<TagPurger[] | 'stopped'> {
    const { purgers } = this.#options
    const failing: TagPurger[] = []
    // A page cache that is no longer there.
    const first = Math.max(
      0,
      purgers.findIndex((purger) => idOf(purger) === cache),
    )
    for (const purger of purgers.slice(first)) {
      const failure = failures.get(purger) ?? (await this.#purge(purger, tags, signal))
      if (failure === 'stopped') return failure
      if (failure === undefined) continue
      failures.set(purger, failure)
      failing.push(purger)
      if (idOf(purger) === cache) break
    }
    return failing
  }

  /** What is stored with rows that failed. If all page caches did, the rows stay as they are. */
  #describe(
    cache: string,
    failing: readonly TagPurger[],
    failures: ReadonlyMap<TagPurger, PurgeError>,
  ): FailedPurge[] {
    const described = failing.map((purger): FailedPurge => {
      const { message = '', retryAfterMs = 0 } = failures.get(purger) ?? {}
      return { cache: idOf(purger), message, pauseMs: retryAfterMs }
    })
    if (cache !== '' || failing.length < this.#options.purgers.length) return described
    return [
      {
        cache,
        message: described.map(({ message }) => message).join(' '),
        pauseMs: Math.max(...described.map(({ pauseMs }) => pauseMs)),
      },
    ]
  }

  /** Whole sites, up to the tags of one request. The tags of one site may need several. */
  *#batches(sites: readonly SiteTags[]): Generator<SiteTags[]> {
    let batch: SiteTags[] = []
    let size = 0
    for (const site of sites) {
      if (batch.length > 0 && size + site.tags.length > this.#tagsPerRequest) {
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

  #report([failure]: readonly PurgeError[]): void {
    const { log } = this.#options
    if (failure && !this.#isFailing)
      log.warn({ err: failure }, 'pages were not purged from a page cache; it is tried again')
    if (!failure && this.#isFailing) log.info('pages are purged from all page caches again')
    this.#isFailing = failure !== undefined
  }
}

/** What identifies a page cache in the rows of purges that it has failed. */
const idOf = ({ name }: TagPurger): string => sha256Hex(name).slice(0, 8)
