import { Bakery } from './baking/bakery/bakery.ts'
import { WorkerPool } from './concurrency/worker-pool.ts'
import type { CachePurgeSettings } from './config/cache-purge.ts'
import { BYTES_PER_MB } from './config/config.ts'
import type { Database } from './db/database.ts'
import { createLocalExecutor, type LocalExecutor } from './executor/local-executor.ts'
import { TagPurges } from './executor/tag-purges.ts'
import type { WakeExecutor } from './executor/wake-up.ts'
import type { MarkupAnalyzer } from './frames/frame-markup.ts'
import { SiteHosts } from './hosts/site-hosts.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import type { CopyStore } from './publishing/copy-store.ts'
import { NetworkIdentities } from './publishing/network-identity.ts'
import { type CopyStoreSettings, openCopyStore } from './publishing/open-copy-store.ts'
import { createPurger } from './publishing/purgers/create-purger.ts'
import type { GlobalTables, Site } from './wordpress/network/site.ts'

export type BuilderOptions = CopyStoreSettings &
  Partial<CachePurgeSettings> & {
    readonly db: Database
    readonly globals: GlobalTables
    readonly log: Log
    readonly metrics?: Metrics | undefined
    /** Quota of static copies per site, in megabytes; 0 [the default] for no limit. */
    readonly staticMbPerSite?: number
    /** Base URLs of page caches that accept PURGE [none]. */
    readonly pageCachePurge?: readonly string[]
    /** See `LocalExecutorOptions`. */
    readonly budget?: () => number | undefined
    /** See `LocalExecutorOptions`. */
    readonly wakeOther?: WakeExecutor | undefined
  }

/** Everything that builds pages in this process. */
export type Builder = {
  readonly executor: LocalExecutor
  readonly bakery: Bakery
  readonly markupAnalyzer: (site: Site) => MarkupAnalyzer
  readonly hosts: SiteHosts
  /** Undefined if static copies are turned off. */
  readonly copies: CopyStore | undefined
  readonly identities: NetworkIdentities
  /** Undefined without page caches that purge by tag. */
  readonly tagPurges: TagPurges | undefined
  /** Completes the slices in progress, and stops the worker threads. */
  close(): Promise<void>
}

/** Creates the executor of this process, and what it shares with other parts. */
export function openBuilder(options: BuilderOptions): Builder {
  const { db, globals, staticMbPerSite = 0 } = options
  const workers = new WorkerPool(db.timings.threads)
  const bakery = new Bakery(workers)
  const hosts = new SiteHosts(db, globals)
  const identities = new NetworkIdentities(db, globals)
  const copies = openCopyStore({ ...options, identities })
  const tagPurges = openTagPurges(options, identities)
  const quotaBytes = staticMbPerSite === 0 ? undefined : staticMbPerSite * BYTES_PER_MB
  const executor = createLocalExecutor({
    ...options,
    bakery,
    hosts,
    identities,
    copies,
    quotaBytes,
    tagPurges,
  })
  const markupAnalyzer = (site: Site) => bakery.analyzerFor(site.prefix)
  const close = async () => {
    await executor.stop()
    await tagPurges?.close()
    await copies?.close()
    await workers.close()
  }
  return { executor, bakery, markupAnalyzer, hosts, copies, identities, tagPurges, close }
}

function openTagPurges(
  { cachePurge = [], cacheTags, ...options }: BuilderOptions,
  identities: NetworkIdentities,
): TagPurges | undefined {
  if (cacheTags === undefined || cachePurge.length === 0) return undefined
  const purgers = cachePurge.map((setting) => createPurger(setting, options.db.timings.publishing))
  return new TagPurges({ ...options, identities, purgers, prefix: cacheTags.prefix })
}
