// The life of a process, in its order: what is opened, what runs, what listens, and what ends.

import type { RequestListener } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import type { OldEndpoint } from '#migration/old-endpoint/old-endpoint'
import { type ApiOptions, createApiApp } from './api/api-app.ts'
import { examinationQueue } from './api/endpoints/findings.ts'
import { serveMcp } from './api/mcp/serve-mcp.ts'
import { bodyBudget } from './api/request-body.ts'
import { ReadQueue } from './api/run/read-queue.ts'
import { UserQueues } from './api/run/user-queues.ts'
import { type Builder, openBuilder } from './build/executor/builder.ts'
import { CopyScrub } from './build/executor/copy-scrub.ts'
import { createExecutorApp } from './build/executor/server/executor-app.ts'
import { readExecutorKey, type WakeExecutor, wakeExecutorAt } from './build/executor/wake-up.ts'
import { createFrontApp, type FrontOptions } from './build/front/front-app.ts'
import { isLocalHost } from './build/front/hosts-page.ts'
import { assertOwn, checkWritable, warnOfCopies } from './build/publishing/copies-at-start.ts'
import { loadStore } from './build/publishing/open-copy-store.ts'
import { ChangePoller } from './changes/change-poller.ts'
import type { OnChanges } from './changes/changed-rows.ts'
import { ChangeWatch } from './changes/events/change-watch.ts'
import { ChangeFeed, type ChangeFeedOptions } from './changes/feed/change-feed.ts'
import { isFeedHealthy } from './changes/feed/feed-state.ts'
import { recordShownEdits } from './changes/record-edits.ts'
import { recordReportedEdits } from './changes/record-reported-edits.ts'
import { UnreadableSites } from './changes/unreadable-sites.ts'
import { pruneDeliveries } from './changes/webhooks/deliveries-table.ts'
import { WebhookSender } from './changes/webhooks/webhook-sender.ts'
import { WebhookWorker } from './changes/webhooks/webhook-worker.ts'
import {
  deleteFormerSecrets,
  deleteWebhooksOfGoneSites,
  nameOfWebhookTask,
  readWebhookFigures,
} from './changes/webhooks/webhooks-table.ts'
import type { CliServices, Listening, Roles, ServicesOptions } from './cli/cli-context.ts'
import { prunePlannedWrites } from './content/planned-writes/planned-writes-table.ts'
import { SITE_TASK } from './content/work/due-work.ts'
import { purgeTask } from './content/work/purges.ts'
import { readPageError, readWorkGauges } from './content/work/work-status.ts'
import { checkWorkTables } from './content/work/work-tables.ts'
import { type Database, openDatabase } from './db/database.ts'
import { isDatabaseUnavailable } from './db/database-error.ts'
import { parseGmt } from './db/gmt.ts'
import { describeIncompatible, findNewerMigrations } from './db/migrate.ts'
import { type Prunable, pruneTask, pruneTasks } from './db/tasks/prune-task.ts'
import { TaskRunner } from './db/tasks/task-runner.ts'
import { Lifetime } from './host/concurrency/lifetime.ts'
import { RequestCoalescer } from './host/concurrency/request-coalescer.ts'
import { BYTES_PER_MB, type Config, maxSiteBytesOf } from './host/config/config.ts'
import { isTrustedPeer } from './host/config/trust-proxy.ts'
import { answerProbes, type ReadinessCheck, ReadinessProbe } from './host/health.ts'
import { HttpServer, type HttpServerOptions, UnsentResponses } from './host/http-server.ts'
import { fromMigration } from './host/load-package.ts'
import { createLog } from './host/log.ts'
import { Metrics } from './host/metrics.ts'
import { readVersion } from './host/package-version.ts'
import { Receivers } from './host/receivers/receivers.ts'
import { traceRequest } from './host/trace.ts'
import { FolderWatch, RestoreWatch } from './network/identity/folder-watch.ts'
import { RunWorker } from './network/plan/run-worker.ts'
import { nameOfRunTask, pruneRuns } from './network/plan/runs-table.ts'
import type { AskedTokens } from './record/auth/asked-tokens.ts'
import { listExpiringTokens } from './record/auth/expiring-tokens.ts'
import { connectCounterStore, RateLimits } from './record/auth/rate-limits.ts'
import { TokenUse } from './record/auth/tokens.ts'
import { HistoryGrowth } from './record/history/history-growth.ts'
import { pruneHistory } from './record/history/prune-history.ts'
import { pruneAnswers } from './record/idempotency/kept-answers.ts'
import { TableSurvey } from './wordpress/health/survey-tables.ts'
import { TableKnowledge } from './wordpress/health/table-knowledge.ts'
import { globalTables } from './wordpress/network/site.ts'
import { ObjectCache } from './wordpress/object-cache/object-cache.ts'

/** All objects that live as long as the process, and what its applications are made of. */
export type Services = CliServices & {
  readonly builder: Builder
  /** An operator tries the front: it may list the hosts of the network. */
  readonly listsHosts: boolean
  readonly metrics: Metrics | undefined
  readonly objectCache: ObjectCache | undefined
  readonly tokenUse: TokenUse
  readonly life: Lifetime
  apiOptions(redis?: Redis): ApiOptions
  frontOptions(): FrontOptions
}

// What is opened

/** Creates all objects that live as long as the process. Nothing is connected, works or listens yet. */
export async function openServices(
  config: Config,
  {
    timings,
    isServer = false,
    isTried = false,
    log = createLog(config.logLevel),
    db: given,
  }: ServicesOptions,
): Promise<Services> {
  if (config.databaseUrl === undefined) throw new Error('no database')
  const openStore = config.staticStore && (await loadStore(config.staticStore))
  const life = new Lifetime((name, error) => log.warn({ err: error }, `could not end: ${name}`))
  const metrics = config.metricsPort > 0 ? new Metrics(timings.health) : undefined
  const globals = globalTables(config.tablePrefix)
  const db: Database =
    given ??
    life.add(
      'database',
      openDatabase({
        url: config.databaseUrl,
        poolSize: config.dbPoolSize,
        isBatched: config.dbBatch,
        log,
        timings,
        knowTables: (db) => new TableKnowledge(db),
        onInvalidate:
          config.objectCacheUrl === undefined
            ? undefined
            : async (tx, keys) => objectCache?.invalidate(tx, keys),
        onGrowth: (blogId, bytes) => growth?.add(blogId, bytes),
      }),
      (db) => db.close(),
    )
  const base = { config, db, globals, log, metrics }
  const objectCache = life.add('object cache', openObjectCache(base), (cache) => cache?.close())
  const wakeOther = executorApart(base)
  // A command that does not build itself does not wait for ever.
  const budgetMs = isServer || wakeOther ? config.effectsBudgetMs : undefined
  const budget = () => budgetMs
  // A new folder of copies is no news on a terminal, which is greeted instead.
  const ofBuilder = isTried && config.logLevel === 'info' ? log.child({}, { level: 'warn' }) : log
  const builder = life.add(
    'builder',
    openBuilder({
      ...config,
      openStore,
      db,
      globals,
      log: ofBuilder,
      metrics,
      budget,
      wakeOther,
      recordShownEdits: (...shown) => recordShownEdits({ db, globals }, ...shown),
    }),
    (builder) => builder.close(),
  )
  const growth = life.add('history growth', isServer ? watchGrowth(base) : undefined, (growth) =>
    growth?.settled(),
  )
  const tokenUse = life.add('use of tokens', new TokenUse(db, globals, log), (use) =>
    use.storeFailures(),
  )
  const receivers = new Receivers(config.webhookAllowHosts)
  const webhookSender = life.add(
    'webhook sender',
    new WebhookSender({ receivers, timings: timings.webhooks }),
    (sender) => sender.close(),
  )
  const changes = new ChangeWatch({ db, globals, log })
  const { executor, copies, bakery, markupAnalyzer } = builder
  const built = { builder, executor, copies, bakery, markupAnalyzer }
  measure(base)
  const services: Services = {
    ...base,
    ...built,
    objectCache,
    tokenUse,
    webhookSender,
    changes,
    life,
    listsHosts: isTried && isLocalHost(config.host),
    apiOptions: (redis) => apiOptions(services, redis),
    frontOptions: () => frontOptions(services),
    workOnRuns: ({ builds }) => workOnRuns(services, builds),
    listen: (roles) => serve(services, roles),
    serveMcp: (token, choice) => serveMcpClient(services, token, choice),
    close: () => life.end(),
    ending: () => life.ending,
  }
  return services
}

type Base = Pick<Services, 'config' | 'db' | 'globals' | 'log' | 'metrics'>

/** The client of WordPress's persistent object cache; undefined if OBJECT_CACHE_URL is not set. */
function openObjectCache({ config, ...services }: Base): ObjectCache | undefined {
  const { objectCacheUrl: url, objectCachePrefix: prefix, objectCacheForm: form } = config
  if (url === undefined) return undefined
  return new ObjectCache({ ...services, url, prefix, form, tablePrefix: config.tablePrefix })
}

/** Undefined without EXECUTOR_URL. */
function executorApart({ config, db, log }: Base): WakeExecutor | undefined {
  const { executorUrl: url, executorKey } = config
  const { wakeMs: timeoutMs } = db.timings.executor
  return url === undefined
    ? undefined
    : wakeExecutorAt({ url, key: readExecutorKey(executorKey), timeoutMs, log })
}

/** Undefined without a limit. */
function watchGrowth({ config, db, globals, log }: Base): HistoryGrowth | undefined {
  if (config.historyMbPerSite === 0) return undefined
  const bytesPerSite = config.historyMbPerSite * BYTES_PER_MB
  const prune = (blogId: number): Promise<number> =>
    pruneHistory(db, globals, { days: undefined, bytesPerSite }, { now: new Date(), blogId })
  return new HistoryGrowth({ bytesPerSite, prune, log })
}

/** Adds the metrics of any process. */
function measure({ db, globals, metrics }: Base): void {
  metrics?.gauges(readVersion, {
    build_info: (version) => [[{ version, node: process.versions.node }, 1]],
  })
  metrics?.gauges(() => Object.entries(db.pools()), {
    db_connections: (pools) =>
      pools.flatMap(([pool, { used, free, waiting }]) =>
        Object.entries({ used, free, waiting }).map(
          ([state, count]) => [{ pool, state }, count] as const,
        ),
      ),
    db_connections_limit: (pools) => pools.map(([pool, { limit }]) => [{ pool }, limit]),
  })
  metrics?.gauges(() => readWorkGauges(db, globals), {
    work_pending: ({ pending }) => pending,
    work_failing: ({ failing }) => failing,
    work_oldest_seconds: ({ oldestSeconds }) => oldestSeconds,
    exposed_pages: ({ exposed }) => exposed,
    purges_pending: ({ pendingPurges }) => pendingPurges,
    purges_failing: ({ failingPurges }) => failingPurges,
  })
  metrics?.gauges(() => readWebhookFigures(db, globals), {
    webhooks_failing: ({ failing }) => failing,
    webhooks_disabled: ({ disabled }) => disabled,
    webhooks_oldest_seconds: ({ oldestSeconds }) => oldestSeconds,
  })
}

// What runs

/** Whether a process with these roles does the recorded work. */
const buildsPages = ({ executorUrl }: Config, { api, front, executor = false }: Roles): boolean =>
  executor || ((api || front) && executorUrl === undefined)

/** Starts what a process with these roles does without a request. It ends with the life of the process. */
function startBackgroundWork(services: Services, roles: Roles): void {
  const { config, db, globals, log, metrics, builder, life } = services
  const { executor, copies, identities, tagPurges } = builder
  const unreadable = new UnreadableSites(log)
  metrics?.gauges(() => unreadable, { unreadable_sites: ({ count }) => count })
  const isBuilding = buildsPages(config, roles)
  // With EXECUTOR_URL, this process builds nothing: an executor finds the work of its runs.
  const wake = isBuilding ? executor.wake : () => {}
  const edits = { db, globals, log, metrics, unreadable, wake }
  const tasks = life.addLoop('tasks', new TaskRunner({ db, globals, log }))
  if (isBuilding) {
    executor.start()
    if (tagPurges) tasks.addSource(tagPurges)
    life.addLoop('survey of tables', new TableSurvey(services))
  }
  const onChanges: OnChanges = (changes) => recordReportedEdits(edits, changes)
  const feed = openFeed(config, roles, { db, globals, log, metrics, onChanges })
  if (feed) tasks.add(feed)
  // Only processes that build pages compare the folder with the database, its copies with their records, and what other programs have edited.
  if (isBuilding && copies) {
    const { pageCachePurge, scrubPagesPerMinute: pagesPerMinute, watchSeconds } = config
    const options = { ...edits, copies, identities, pageCachePurge, tagPurges, pagesPerMinute }
    life.addLoop('restore watch', new RestoreWatch(options))
    tasks.add(new FolderWatch(options))
    tasks.add(new CopyScrub(options))
    if (watchSeconds > 0) {
      const health = feed ? { isFeedHealthy: () => isFeedHealthy(db, globals) } : {}
      tasks.add(new ChangePoller({ ...edits, ...health, intervalMs: watchSeconds * 1000 }))
    }
  }
  if (roles.front) void builder.hosts.prepare()
  if (roles.api) {
    tasks.addSource(runWorker(services, wake))
    const { changes, webhookSender: sender } = services
    const webhooks = new WebhookWorker({ ...edits, changes, sender, identities })
    webhooks.onChange(tasks.addSource(webhooks))
    const { pruneIntervalMs: intervalMs } = db.timings.db
    tasks.add(pruneTask({ prunables: prunablesOf(services), log, intervalMs }))
  }
}

/** Only processes that build pages follow the change feed. Undefined for others, and without FEED_DATABASE_URL. */
export function openFeed(
  config: Config,
  roles: Roles,
  options: Omit<ChangeFeedOptions, 'feedUrl'>,
): ChangeFeed | undefined {
  const { staticDir, staticStore, feedDatabaseUrl: feedUrl } = config
  const hasCopies = staticDir !== undefined || staticStore !== undefined
  if (!hasCopies || feedUrl === undefined || !buildsPages(config, roles)) return undefined
  return new ChangeFeed({ ...options, feedUrl })
}

function runWorker(
  { config, db, globals, log, bakery }: Services,
  wake: (blogId: number) => void,
): RunWorker {
  const analyzer = bakery.analyzerFor('runs')
  return new RunWorker({ db, globals, log, analyzer, maxSiteBytes: maxSiteBytesOf(config), wake })
}

/** See `CliServices`. */
function workOnRuns(services: Services, builds: boolean): TaskRunner {
  const { config, builder } = services
  const isBuilding = builds && config.executorUrl === undefined
  if (isBuilding) builder.executor.start()
  const tasks = new TaskRunner(services)
  tasks.addSource(runWorker(services, isBuilding ? builder.executor.wake : () => {}))
  return tasks
}

/** Old entries of the history and events, and answers, runs and planned writes that are no longer kept. */
function prunablesOf({ config, db, globals }: Services): readonly Prunable[] {
  const retention = {
    days: config.historyDays || undefined,
    bytesPerSite: config.historyMbPerSite * BYTES_PER_MB || undefined,
  }
  const tasks = [nameOfRunTask('%'), nameOfWebhookTask('%'), purgeTask('%'), `${SITE_TASK}%`]
  return [
    {
      rows: 'entries of the history, and events',
      prune: (signal) => pruneHistory(db, globals, retention, { now: new Date(), signal }),
    },
    {
      rows: 'answers to requests with an Idempotency-Key',
      prune: (signal) => pruneAnswers(db, globals, signal),
    },
    { rows: 'tasks', prune: (signal) => pruneTasks(db, globals, tasks, signal) },
    { rows: 'runs', prune: (signal) => pruneRuns(db, globals, { now: new Date(), signal }) },
    { rows: 'planned writes', prune: (signal) => prunePlannedWrites(db, globals, signal) },
    { rows: 'former secrets of webhooks', prune: () => deleteFormerSecrets(db, globals) },
    {
      rows: 'webhooks of deleted sites',
      prune: (signal) => deleteWebhooksOfGoneSites(db, globals, signal),
    },
    { rows: 'deliveries to webhooks', prune: (signal) => pruneDeliveries(db, globals, signal) },
  ]
}

// What listens

/** Checks what must be right, and starts the HTTP servers of these roles and the work of the process. */
async function serve(services: Services, roles: Roles): Promise<Listening> {
  const { config, db, globals, log, metrics, life, builder } = services
  const { copies, identities } = builder
  const isBuilding = buildsPages(config, roles)
  services.objectCache?.start()
  const redis =
    roles.api && config.redisUrl !== undefined
      ? connectCounterStore(config.redisUrl, log, db.timings.auth)
      : undefined
  life.add('counters', redis, (redis) => redis?.disconnect())
  const checks = readinessChecks(services, isBuilding, redis)
  const probe = new ReadinessProbe(checks, log, db.timings.health)
  metrics?.gauges(() => probe.readParts(), {
    readiness: (parts) => [...parts].map(([part, isUp]) => [{ part }, Number(isUp)]),
  })
  if (roles.api)
    metrics?.gauges(
      async () => (await listExpiringTokens(db, globals, { now: new Date(), limit: 1 }))[0],
      {
        token_expiry_timestamp_seconds: ({ expires_at }) => parseGmt(expires_at).getTime() / 1000,
      },
    )
  // Without a database, the readiness check and the claims find what is wrong later.
  if (copies === undefined && isBuilding) await unlessUnavailable(warnOfCopies(db, globals, log))
  if (copies && (roles.front || isBuilding)) await unlessUnavailable(assertOwn(copies, identities))
  if (copies && isBuilding) await unlessUnavailable(checkWritable(copies, log))
  const oldEndpoint = roles.api ? await loadOldEndpoint(services) : undefined
  const listening = await listen(services, roles, probe, {
    api: () => createApiApp(apiOptions(services, redis, oldEndpoint)),
    front: () => createFrontApp(frontOptions(services)),
    executor: () => createExecutorApp({ ...builder, keys: executorKeys(config), log }),
  })
  await oldEndpoint?.look().catch((error) => listening.close().then(() => Promise.reject(error)))
  startBackgroundWork(services, roles)
  return listening
}

/** The readiness checks of a process. Only one that builds pages writes static copies. Requests need no counters (`RateLimits`). */
function readinessChecks(
  { db, globals, copies }: Services,
  isBuilding: boolean,
  redis: Redis | undefined,
): Record<string, ReadinessCheck> {
  const found = { isPublic: true, isExceptional: true }
  const readIncompatible = async (): Promise<string | undefined> => {
    const { incompatible } = await findNewerMigrations(db, globals.basePrefix)
    return incompatible.length > 0 ? describeIncompatible(incompatible) : undefined
  }
  return {
    database: { test: () => db.ping(), required: true },
    // Migrations may be applied while the process runs.
    migrations: { test: () => unlessUnavailable(readIncompatible()), required: true, ...found },
    ...(isBuilding && copies
      ? {
          static: { test: () => copies.open().then(() => copies.test()), required: true },
          exposed_pages: {
            test: () => unlessUnavailable(readPageError(db, globals, 'exposed')),
            required: true,
            ...found,
          },
          copies: {
            test: () => unlessUnavailable(readPageError(db, globals, 'unwritable')),
            required: false,
            ...found,
          },
        }
      : {}),
    ...(isBuilding
      ? {
          work: {
            test: () => unlessUnavailable(checkWorkTables(db, globals)),
            required: true,
            isExceptional: true,
          },
        }
      : {}),
    ...(redis ? { counters: { test: () => redis.ping(), required: false } } : {}),
  }
}

/**
 * An unavailable database is a part of its own.
 * @throws what was thrown, and what was found
 */
async function unlessUnavailable(finding: Promise<unknown>): Promise<void> {
  const reason = await finding.catch((error: unknown) => {
    if (!isDatabaseUnavailable(error)) throw error
  })
  if (typeof reason === 'string') throw new Error(reason)
}

/** Starts the HTTP servers of these roles and of the metrics. If one fails to start, the others are stopped. */
async function listen(
  { config, log, metrics, changes, db }: Services,
  roles: Roles,
  probe: ReadinessProbe,
  apps: Readonly<Record<keyof Roles, () => RequestListener>>,
): Promise<Listening> {
  const timings = db.timings.http
  const unsent = new UnsentResponses({ timeoutMs: timings.unsentTimeoutMs })
  const common = { timings, unsent, log, keepAliveMs: config.keepAliveSeconds * 1000 }
  // Uploads to the old endpoint may take as long as it may be silent.
  const legacyMs = config.legacyUrl === undefined ? 0 : config.legacyTimeoutSeconds * 1000
  const uploadTimeoutMs = Math.max(timings.requestTimeoutMs, legacyMs)
  const servers: HttpServer[] = []
  const start = (server: HttpServer, host: string, port: number): Promise<string> => {
    servers.push(server)
    return server.start(host, port)
  }
  const startPart = (part: keyof Roles, port: number): Promise<string> => {
    const answer = answerProbes(probe, { byAddressOnly: part === 'front' })
    const handle: HttpServerOptions['handle'] = (request, response, next) => {
      if (answer(request, response)) return
      metrics?.countRequest(part, request, response)
      // The API is the client of the executor. Others could have every request recorded.
      const isTrusted =
        part === 'executor' || isTrustedPeer(config.trustProxy, request.socket.remoteAddress)
      traceRequest(part, isTrusted, request, response, next)
    }
    const options = { ...common, handle, ...(part === 'api' ? { uploadTimeoutMs } : {}) }
    return start(new HttpServer(apps[part](), options), config.host, port)
  }
  const startMetrics = ({ metricsHost, metricsPort }: Config, shown: Metrics): Promise<string> =>
    start(new HttpServer(shown.listener(), common), metricsHost, metricsPort)
  const stop = (): Promise<unknown> => {
    // The servers would wait for those who wait for changes.
    changes.close()
    return Promise.all(servers.map((server) => server.stop()))
  }
  const close = async (): Promise<void> => {
    probe.stop()
    if (config.drainSeconds > 0) await sleep(config.drainSeconds * 1000)
    await stop()
  }
  try {
    const { port, frontPort } = config
    return {
      apiUrl: roles.api ? (await startPart('api', port)) + config.basePath : undefined,
      frontUrl: roles.front && frontPort > 0 ? await startPart('front', frontPort) : undefined,
      executorUrl: roles.executor ? await startPart('executor', port) : undefined,
      metricsUrl: metrics ? await startMetrics(config, metrics) : undefined,
      close,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

function apiServices(services: Services, asked?: AskedTokens) {
  const { config, db, globals, log, executor, bakery, markupAnalyzer, tokenUse } = services
  const { changes, webhookSender, copies } = services
  return {
    ...config,
    db,
    globals,
    executor,
    bakery,
    markupAnalyzer,
    tokenUse,
    log,
    now: () => new Date(),
    coalescer: new RequestCoalescer(),
    asked,
    readQueue: new ReadQueue(db.timings.api),
    userQueues: new UserQueues(db.timings.api),
    examinations: examinationQueue(db.timings.api.examinationWaitMs),
    changes,
    webhookSender,
    copies: config.executorUrl === undefined ? copies : undefined,
  }
}

function apiOptions(
  services: Services,
  redis: Redis | undefined,
  oldEndpoint?: OldEndpoint,
): ApiOptions {
  const { config, metrics } = services
  const limits = new RateLimits({ ...config, redis })
  const common = apiServices(services, oldEndpoint?.asked)
  const api = { ...common, limits, bodies: bodyBudget(), metrics }
  return { ...api, mcp: serveMcp(api), passRequests: oldEndpoint?.passRequests }
}

/** Undefined without LEGACY_URL: then nothing of the package is loaded. */
async function loadOldEndpoint({
  config,
  builder: { identities },
  ...services
}: Services): Promise<OldEndpoint | undefined> {
  if (config.legacyUrl === undefined) return undefined
  const { openOldEndpoint } = await fromMigration(
    'LEGACY_URL is set',
    () => import('#migration/old-endpoint/old-endpoint'),
  )
  return openOldEndpoint(config.legacyUrl, config, { ...services, identities })
}

function frontOptions({ config, db, globals, log, metrics, ...services }: Services): FrontOptions {
  const { builder, listsHosts } = services
  const { hosts, executor } = builder
  const onDamage = (files: readonly string[]) => {
    metrics?.count('damaged_copies_total', {})
    log.warn({ files }, 'files of a static copy are damaged; the page is sent without them')
  }
  const copies = builder.copies?.openReader({ onDamage })
  const coalescer = new RequestCoalescer()
  return { ...config, db, globals, hosts, executor, copies, coalescer, log, listsHosts }
}

const executorKeys = ({ executorKey, executorSecondKey: second }: Config) => [
  readExecutorKey(executorKey),
  ...(second === undefined ? [] : [readExecutorKey(second, 'EXECUTOR_SECOND_KEY')]),
]

/** Serves an MCP client on standard input and output. */
async function serveMcpClient(
  services: Services,
  ...[token, choice]: Parameters<Services['serveMcp']>
): Promise<() => Promise<void>> {
  const { config, builder } = services
  services.objectCache?.start()
  if (config.executorUrl === undefined) builder.executor.start()
  // Only this command pays for loading the SDK.
  const { serveMcpOverStdio } = await import('./api/mcp/mcp-stdio.ts')
  const limits = new RateLimits(config)
  const asked = (await loadOldEndpoint(services))?.asked
  return serveMcpOverStdio({ ...apiServices(services, asked), limits }, token, choice)
}
