import { BackgroundLoop } from '../concurrency/background-loop.ts'
import { TokenBucket } from '../concurrency/token-bucket.ts'
import type { Database } from '../db/database.ts'
import { isDatabaseUnavailable } from '../db/database-error.ts'
import { keepRenewing, newOwner } from '../db/lease.ts'
import type { Tx } from '../db/transaction.ts'
import { groupBy } from '../group-by.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { pageTag, siteTag } from '../publishing/cache-tags.ts'
import type { NetworkIdentities } from '../publishing/network-identity.ts'
import { PurgeError, type TagPurger } from '../publishing/purgers/tag-purger.ts'
import { continuing, inSpan } from '../trace.ts'
import type { GlobalTables } from '../wordpress/network/site.ts'
import type { WorkSite } from '../work/claims.ts'
import {
  claimPurges,
  completePurges,
  failPurges,
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
    const sites = this.#tagsOf(rows)
    const renewal = keepRenewing(db.timings.work.purgeLeaseMs, () =>
      renewPurges(db, globals, owner),
    )
    try {
      const failures = await inSpan('purge', continuing(rows.map(({ trace }) => trace)), () =>
        this.#send(owner, sites, signal),
      )
      if (failures.length > 0) await failPurges(db, globals, owner, describe(failures))
      else await releasePurges(db, globals, owner)
      this.#report(failures)
    } finally {
      await renewal.stop()
    }
    return sites.length
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

  /** Sends the tags of a claim to all page caches. One that fails gets no further request, and keeps no other from its own. */
  async #send(
    owner: string,
    sites: readonly SiteTags[],
    signal: AbortSignal,
  ): Promise<PurgeError[]> {
    const { db, globals, purgers, metrics } = this.#options
    const failures = new Map<TagPurger, PurgeError>()
    for (const batch of this.#batches(sites)) {
      const tags = batch.flatMap((site) => site.tags)
      for (const purger of purgers) {
        if (failures.has(purger)) continue
        const failure = await this.#purge(purger, tags, signal)
        if (failure === 'stopped') return [...failures.values()]
        if (failure) failures.set(purger, failure)
      }
      metrics?.countPurgedTags(failures.size === 0 ? 'ok' : 'failed', tags.length)
      if (failures.size === 0)
        await completePurges(
          db,
          globals,
          owner,
          batch.map(({ blogId }) => blogId),
        )
      if (failures.size === purgers.length) break
    }
    return [...failures.values()]
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

/** What is stored with rows that failed. */
function describe(failures: readonly PurgeError[]) {
  const pauses = failures.map(({ retryAfterMs = 0 }) => retryAfterMs)
  return {
    message: failures.map(({ message }) => message).join(' '),
    pauseMs: Math.max(...pauses),
  }
}
