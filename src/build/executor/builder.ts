import type { MarkupAnalyzer } from '../../content/frames/frame-markup.ts'
import type { Database } from '../../db/database.ts'
import { WorkerPool } from '../../host/concurrency/worker-pool.ts'
import type { CachePurgeSettings } from '../../host/config/cache-purge.ts'
import { BYTES_PER_MB } from '../../host/config/config.ts'
import type { Log } from '../../host/log.ts'
import type { Metrics } from '../../host/metrics.ts'
import { SiteHosts } from '../../wordpress/hosts/site-hosts.ts'
import type { GlobalTables, Site } from '../../wordpress/network/site.ts'
import { Bakery } from '../baking/bakery/bakery.ts'
import type { CopyStore } from '../publishing/copy-store.ts'
import { NetworkIdentities } from '../publishing/network-identity.ts'
import { type CopyStoreSettings, openCopyStore } from '../publishing/open-copy-store.ts'
import { createPurger } from '../publishing/purgers/create-purger.ts'
import { createLocalExecutor, type LocalExecutor } from './local-executor.ts'
import { TagPurges } from './tag-purges.ts'
import type { WakeExecutor } from './wake-up.ts'
import type { WorkerOptions } from './worker-options.ts'

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
    /** See `WorkerOptions`. */
    readonly recordShownEdits?: WorkerOptions['recordShownEdits']
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
