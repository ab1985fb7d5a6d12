import type { Redis } from 'ioredis'
import { createApiApp } from './api/api-app.ts'
import { examinationQueue } from './api/findings/examinations.ts'
import { bodyBudget } from './api/request-body.ts'
import { ReadQueue } from './api/run/read-queue.ts'
import { connectCounterStore, countForWorkers, RateLimits } from './auth/rate-limits.ts'
import { TokenUse } from './auth/tokens.ts'
import { Bakery } from './baking/bakery/bakery.ts'
import type { CliServices, Roles } from './cli/cli-context.ts'
import { workerProcessId } from './cluster/worker-process.ts'
import { ByteBudget } from './concurrency/byte-budget.ts'
import { RequestCoalescer } from './concurrency/request-coalescer.ts'
import { WorkerPool } from './concurrency/worker-pool.ts'
import type { Config } from './config/config.ts'
import { type Database, openDatabase } from './db/database.ts'
import { Pruner } from './db/pruner.ts'
import { recordReportedEdits } from './edits/record-reported-edits.ts'
import { UnreadableSites } from './edits/unreadable-sites.ts'
import { ChangePoller, type ChangePollerOptions } from './executor/change-poller.ts'
import { CopyScrub } from './executor/copy-scrub.ts'
import type { Executor } from './executor/executor.ts'
import { readExecutorKey, readSigningKey } from './executor/executor-protocol.ts'
import { FolderWatch } from './executor/folder-watch.ts'
import { createLocalExecutor, type LocalExecutor } from './executor/local-executor.ts'
import { createRemoteExecutor } from './executor/remote-executor.ts'
import { createExecutorApp, MAX_EXECUTOR_BYTES_IN_PROCESS } from './executor/server/executor-app.ts'
import { OneTimeIds } from './executor/server/verify-request.ts'
import { ChangeFeed, type ChangeFeedOptions } from './feed/change-feed.ts'
import { isFeedHealthy } from './feed/feed-table.ts'
import type { MarkupAnalyzer } from './frames/frame-markup.ts'
import { createFrontApp } from './front/front-app.ts'
import { ReadinessProbe } from './health.ts'
import { HistoryGrowth } from './history/history-growth.ts'
import { pruneHistory } from './history/prune-history.ts'
import { UnsentResponses } from './http-server.ts'
import { pruneAnswers } from './idempotency/kept-answers.ts'
import { listen, listenInWorkers } from './listen.ts'
import { createLog, type Log } from './log.ts'
import { serveMcp } from './mcp/serve-mcp.ts'
import { Metrics } from './metrics.ts'
import { pruneRuns } from './plan/prune-runs.ts'
import { RunWorker } from './plan/run-worker.ts'
import { prunePlannedWrites } from './planned-writes/planned-writes-table.ts'
import { hasCopies } from './publishing/copies-table.ts'
import { CopyWriter } from './publishing/copy-writer.ts'
import { NetworkIdentities } from './publishing/network-identity.ts'
import { StaticCopyCache } from './publishing/static-copy-cache.ts'
import { StaticFolder } from './publishing/static-folder.ts'
import { buildsPages, readinessChecks, unlessUnavailable } from './readiness-checks.ts'
import { type GlobalTables, globalTables, type Site } from './wordpress/network/site.ts'
import { SiteHosts } from './wordpress/network/site-hosts.ts'
import { ObjectCache } from './wordpress/object-cache/object-cache.ts'
import { readWorkGauges } from './work/work-status.ts'

const BYTES_PER_MB = 1024 * 1024

/** Creates all objects that live as long as the process. Nothing is connected or listening yet. */
export function openServices(config: Config): CliServices {
  if (config.databaseUrl === undefined) throw new Error('no database')
  const log = createLog(config.logLevel)
  const metrics = config.metricsPort > 0 ? new Metrics() : undefined
  const objectCache = openObjectCache(config, log, metrics, () => db)
  // Only a process that listens prunes; a command ends before.
  let growth: HistoryGrowth | undefined
  const db: Database = openDatabase({
    url: config.databaseUrl,
    poolSize: config.databasePoolSize,
    log,
    onInvalidate: objectCache && ((tx, keys) => objectCache.invalidate(tx, keys)),
    onGrowth: (blogId, bytes) => growth?.add(blogId, bytes),
  })
  metrics?.observePool(() => db.poolUse())
  const globals = globalTables(config.tablePrefix)
  metrics?.observeWork(() => readWorkGauges(db, globals))
  // A command waits until everything is built, a request only for so long.
  let budgetMs: number | undefined
  const builder = openBuilder({ ...config, db, globals, log, metrics, budget: () => budgetMs })
  const { hosts, folder, bakery, markupAnalyzer } = builder
  const executor = openRemoteExecutor(config, log) ?? builder.executor
  const now = () => new Date()
  const tokenUse = new TokenUse(db, globals, log)
  let redis: Redis | undefined
  let poller: ChangePoller | undefined
  let feed: ChangeFeed | undefined
  let pruner: Pruner | undefined
  let runs: RunWorker | undefined
  let folderLoops: readonly { stop(): Promise<void> }[] = []
  const apiServices = () => ({
    ...config,
    db,
    globals,
    executor,
    bakery,
    markupAnalyzer,
    tokenUse,
    log,
    now,
    coalescer: new RequestCoalescer(),
    readQueue: new ReadQueue(),
    examinations: examinationQueue(),
    staticDir: config.executorUrl === undefined ? config.staticDir : undefined,
  })
  const api = () => {
    redis = config.redisUrl === undefined ? undefined : connectCounterStore(config.redisUrl, log)
    const limits = new RateLimits({ ...config, redis })
    const services = { ...apiServices(), limits, bodies: bodyBudget() }
    return createApiApp({ ...services, mcp: serveMcp(services) })
  }
  const front = () => {
    const { staticDir } = config
    const onDamage = (files: readonly string[]) => {
      metrics?.countDamagedCopy()
      log.warn({ files }, 'files of a static copy are damaged; the page is sent without them')
    }
    const copies =
      staticDir === undefined ? undefined : new StaticCopyCache(staticDir, { onDamage })
    const coalescer = new RequestCoalescer()
    return createFrontApp({ ...config, db, globals, hosts, executor, copies, coalescer, log })
  }
  const executorServer = () =>
    createExecutorApp({
      db,
      globals,
      executor: builder.executor,
      key: readExecutorKey(config.executorKey),
      bodies: new ByteBudget('request bodies', MAX_EXECUTOR_BYTES_IN_PROCESS),
      usedTokens: new OneTimeIds(),
      log,
    })
  const warnOfCopies = async () => {
    if (await hasCopies(db, globals))
      log.warn(
        'the network has static copies, but STATIC_DIR is empty: this process builds nothing, so that the copies do not become outdated. Set STATIC_DIR, or run "wp-frames network forget-copies" if there are to be none any more',
      )
  }
  return {
    config,
    log,
    db,
    globals,
    executor,
    bakery,
    markupAnalyzer,
    listen: async (roles) => {
      if (config.workers > 1 && workerProcessId() === undefined) {
        countForWorkers()
        return listenInWorkers(config, log)
      }
      objectCache?.start()
      const apps = { api, front, executor: executorServer }
      const checks = readinessChecks(config, roles, { db, globals, folder }, () => redis)
      const probe = new ReadinessProbe(checks, log)
      const unsent = new UnsentResponses()
      if (config.staticDir === undefined && buildsPages(config, roles))
        await unlessUnavailable(warnOfCopies())
      // Without a database, the readiness check and the claims find what is wrong later.
      if (folder && (roles.front || buildsPages(config, roles)))
        await unlessUnavailable(folder.assertOwn())
      const listening = await listen(config, roles, apps, { probe, metrics, unsent, log })
      budgetMs = config.effectsBudgetMs
      if (buildsPages(config, roles)) builder.executor.start()
      const unreadable = new UnreadableSites(log)
      metrics?.observeUnreadableSites(() => unreadable.count)
      const edits = {
        db,
        globals,
        log,
        unreadable,
        wake: (blogId: number) => builder.executor.wake(blogId),
      }
      folderLoops = startFolderLoops(config, roles, { ...edits, metrics, builder })
      feed = openFeed(config, roles, {
        db,
        globals,
        log,
        metrics,
        onChanges: (changes) => recordReportedEdits(edits, changes),
      })
      feed?.start()
      pruner = startPruner(config, roles, { db, globals, log })
      growth = watchGrowth(config, { db, globals, log })
      if (roles.api) {
        const maxSiteBytes = config.storedMbPerSite * BYTES_PER_MB || undefined
        runs = new RunWorker({ ...edits, maxSiteBytes })
      }
      poller = startChangePoller(config, roles, {
        ...edits,
        ...(feed ? { isFeedHealthy: () => isFeedHealthy(db, globals) } : {}),
      })
      return listening
    },
    serveMcp: async (token) => {
      objectCache?.start()
      budgetMs = config.effectsBudgetMs
      if (config.executorUrl === undefined) builder.executor.start()
      // Only this command pays for loading the SDK.
      const { serveMcpOverStdio } = await import('./mcp/mcp-stdio.ts')
      return serveMcpOverStdio({ ...apiServices(), limits: new RateLimits(config) }, token)
    },
    close: async () => {
      redis?.disconnect()
      await tokenUse
        .storeFailures()
        .catch((error) =>
          log.warn({ err: error }, 'could not record the failed requests of tokens'),
        )
      await pruner?.stop()
      await growth?.settled()
      await runs?.stop()
      await poller?.stop()
      for (const loop of folderLoops) await loop.stop()
      await feed?.stop()
      await builder.close()
      await objectCache?.close()
      await db.close()
    },
  }
}

export type BuilderOptions = {
  readonly db: Database
  readonly globals: GlobalTables
  readonly log: Log
  readonly metrics?: Metrics | undefined
  /** Folder of the static copies; undefined disables them. */
  readonly staticDir: string | undefined
  /** Quota of static copies per site, in megabytes; 0 [the default] for no limit. */
  readonly staticMbPerSite?: number
  /** Base URLs of page caches that accept PURGE [none]. */
  readonly pageCachePurge?: readonly string[]
  /** See `LocalExecutorOptions`. */
  readonly budget?: () => number | undefined
}

/** Everything that builds pages in this process. */
export type Builder = {
  readonly executor: LocalExecutor
  readonly bakery: Bakery
  readonly markupAnalyzer: (site: Site) => MarkupAnalyzer
  readonly hosts: SiteHosts
  /** Undefined if static copies are turned off. */
  readonly folder: StaticFolder | undefined
  readonly writer: CopyWriter
  readonly identities: NetworkIdentities
  /** Completes the claims in progress, and stops the worker threads. */
  close(): Promise<void>
}

/** Creates the executor of this process, and what it shares with other parts. */
export function openBuilder(options: BuilderOptions): Builder {
  const { db, globals, staticDir, staticMbPerSite = 0 } = options
  const workers = new WorkerPool()
  const bakery = new Bakery(workers)
  const hosts = new SiteHosts(db, globals)
  const identities = new NetworkIdentities(db, globals)
  const folder =
    staticDir === undefined ? undefined : new StaticFolder({ ...options, staticDir, identities })
  const writer = new CopyWriter()
  const quotaBytes = staticMbPerSite === 0 ? undefined : staticMbPerSite * BYTES_PER_MB
  const executor = createLocalExecutor({
    ...options,
    bakery,
    hosts,
    identities,
    folder,
    writer,
    quotaBytes,
  })
  const markupAnalyzer = (site: Site) => bakery.analyzerFor(site.prefix)
  const close = async () => {
    await executor.stop()
    await writer.close()
    await workers.close()
  }
  return { executor, bakery, markupAnalyzer, hosts, folder, writer, identities, close }
}

/** Only processes that build pages compare the folder of the static copies with the database, and its copies with their records. */
function startFolderLoops(
  config: Config,
  roles: Roles,
  {
    builder,
    ...services
  }: Pick<BuilderOptions, 'db' | 'globals' | 'log' | 'metrics'> & {
    readonly builder: Builder
    readonly wake: (blogId: number) => void
  },
): readonly { stop(): Promise<void> }[] {
  const { staticDir, pageCachePurge, scrubPagesPerMinute: pagesPerMinute } = config
  const { folder, writer, identities } = builder
  if (staticDir === undefined || folder === undefined || !buildsPages(config, roles)) return []
  const options = { ...services, staticDir, folder, writer, identities }
  return [new FolderWatch(options), new CopyScrub({ ...options, pageCachePurge, pagesPerMinute })]
}

/** The client of WordPress's persistent object cache; undefined if OBJECT_CACHE_URL is not set. */
function openObjectCache(
  config: Config,
  log: Log,
  metrics: Metrics | undefined,
  db: () => Database,
): ObjectCache | undefined {
  const { objectCacheUrl: url, objectCachePrefix: prefix, objectCacheForm: form } = config
  if (url === undefined) return undefined
  return new ObjectCache({ url, prefix, form, tablePrefix: config.tablePrefix, db, log, metrics })
}

/** The client of an executor in another process; undefined if EXECUTOR_URL is not set. */
function openRemoteExecutor(config: Config, log: Log): Executor | undefined {
  const { executorUrl: url, executorTimeoutMs: timeoutMs } = config
  if (url === undefined) return undefined
  return createRemoteExecutor({ url, key: readSigningKey(config.executorKey), timeoutMs, log })
}

/** Processes with the API delete old entries of the history, and answers, runs and planned writes that are no longer kept. */
function startPruner(
  { historyDays, historyMbPerSite }: Config,
  { api }: Roles,
  { db, globals, log }: { db: Database; globals: GlobalTables; log: Log },
): Pruner | undefined {
  if (!api) return undefined
  const retention = {
    days: historyDays || undefined,
    bytesPerSite: historyMbPerSite * BYTES_PER_MB || undefined,
  }
  const history = {
    rows: 'entries of the history',
    prune: (signal: AbortSignal) =>
      pruneHistory(db, globals, retention, { now: new Date(), signal }),
  }
  const answers = {
    rows: 'answers to requests with an Idempotency-Key',
    prune: (signal: AbortSignal) => pruneAnswers(db, globals, signal),
  }
  const runs = {
    rows: 'runs',
    prune: (signal: AbortSignal) => pruneRuns(db, globals, { now: new Date(), signal }),
  }
  const plannedWrites = {
    rows: 'planned writes',
    prune: () => prunePlannedWrites(db, globals),
  }
  const keepsHistory = retention.days === undefined && retention.bytesPerSite === undefined
  return new Pruner({
    prunables: [...(keepsHistory ? [] : [history]), answers, runs, plannedWrites],
    log,
  })
}

/** Undefined without a limit. */
function watchGrowth(
  { historyMbPerSite }: Config,
  { db, globals, log }: { db: Database; globals: GlobalTables; log: Log },
): HistoryGrowth | undefined {
  if (historyMbPerSite === 0) return undefined
  const bytesPerSite = historyMbPerSite * BYTES_PER_MB
  const prune = (blogId: number): Promise<number> =>
    pruneHistory(db, globals, { days: undefined, bytesPerSite }, { now: new Date(), blogId })
  return new HistoryGrowth({ bytesPerSite, prune, log })
}

/** Only processes that build pages poll for edits in WordPress. */
function startChangePoller(
  config: Config,
  roles: Roles,
  services: Omit<ChangePollerOptions, 'intervalMs'>,
): ChangePoller | undefined {
  const { staticDir, watchSeconds } = config
  if (staticDir === undefined || watchSeconds === 0 || !buildsPages(config, roles)) return undefined
  return new ChangePoller({ ...services, intervalMs: watchSeconds * 1000 })
}

/** Only processes that build pages follow the change feed. Undefined for others, and without FEED_DATABASE_URL. */
export function openFeed(
  config: Config,
  roles: Roles,
  services: Omit<ChangeFeedOptions, 'feedUrl'>,
): ChangeFeed | undefined {
  const { staticDir, feedUrl } = config
  if (staticDir === undefined || feedUrl === undefined || !buildsPages(config, roles))
    return undefined
  return new ChangeFeed({ ...services, feedUrl })
}
