import type { RequestListener } from 'node:http'
import type { Redis } from 'ioredis'
import { type ApiOptions, createApiApp } from './api/api-app.ts'
import { examinationQueue } from './api/endpoints/findings.ts'
import type { Legacy } from './api/legacy/pass-requests.ts'
import { bodyBudget } from './api/request-body.ts'
import { ReadQueue } from './api/run/read-queue.ts'
import { UserQueues } from './api/run/user-queues.ts'
import { AskedTokens } from './auth/asked-tokens.ts'
import { listExpiringTokens } from './auth/expiring-tokens.ts'
import { connectCounterStore, RateLimits } from './auth/rate-limits.ts'
import { TokenUse } from './auth/tokens.ts'
import {
  type BackgroundServices,
  runWorkerOptions,
  startBackgroundWork,
} from './background-work.ts'
import { type Builder, openBuilder } from './builder.ts'
import type { CliServices, Listening, Roles, ServicesOptions } from './cli/cli-context.ts'
import { Lifetime } from './concurrency/lifetime.ts'
import { RequestCoalescer } from './concurrency/request-coalescer.ts'
import { BYTES_PER_MB, type Config, ConfigError } from './config/config.ts'
import { type Database, openDatabase } from './db/database.ts'
import { isDatabaseUnavailable } from './db/database-error.ts'
import { parseGmt } from './db/gmt.ts'
import { ChangeWatch } from './events/change-watch.ts'
import { createExecutorApp } from './executor/server/executor-app.ts'
import { readExecutorKey, type WakeExecutor, wakeExecutorAt } from './executor/wake-up.ts'
import { createFrontApp, type FrontOptions } from './front/front-app.ts'
import { isLocalHost } from './front/hosts-page.ts'
import { ReadinessProbe } from './health.ts'
import { HistoryGrowth } from './history/history-growth.ts'
import { pruneHistory } from './history/prune-history.ts'
import { UnsentResponses } from './http-server.ts'
import { askEndpoint } from './legacy/ask-about-token.ts'
import { LegacyEndpoint, lookAtEndpoint } from './legacy/legacy-endpoint.ts'
import { type Apps, listen } from './listen.ts'
import { createLog, type Log } from './log.ts'
import { serveMcp } from './mcp/serve-mcp.ts'
import { Metrics } from './metrics.ts'
import { ObjectCache } from './object-cache/object-cache.ts'
import { readVersion } from './package-version.ts'
import { RunWorker } from './plan/run-worker.ts'
import { hasCopies } from './publishing/copies-table.ts'
import { type CopyStore, CopyTargetError, UnusableTargetError } from './publishing/copy-store.ts'
import { loadStore } from './publishing/open-copy-store.ts'
import { buildsPages, readinessChecks, unlessUnavailable } from './readiness-checks.ts'
import { Receivers } from './receivers/receivers.ts'
import { TaskRunner } from './tasks/task-runner.ts'
import type { Timings } from './timings.ts'
import { WebhookSender } from './webhooks/webhook-sender.ts'
import { readWebhookFigures } from './webhooks/webhooks-table.ts'
import { TableKnowledge } from './wordpress/health/table-knowledge.ts'
import { type GlobalTables, globalTables } from './wordpress/network/site.ts'
import { readWorkGauges } from './work/work-status.ts'

/** All services of a process, and what its applications are made of. */
export type Services = CliServices & {
  readonly builder: Builder
  apiOptions(redis?: Redis): ApiOptions
  frontOptions(): FrontOptions
}

/** Creates all objects that live as long as the process. Nothing is connected or listening yet. */
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
  const metrics = config.metricsPort > 0 ? new Metrics(timings.health) : undefined
  const life = new Lifetime((name, error) => log.warn({ err: error }, `could not end: ${name}`))
  const globals = globalTables(config.tablePrefix)
  const db: Database =
    given ??
    life.add(
      'database',
      openDatabase({
        url: config.databaseUrl,
        poolSize: config.databasePoolSize,
        isBatched: config.isBatched,
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
  const objectCache = life.add(
    'object cache',
    openObjectCache(config, { db, log, metrics }),
    (cache) => cache?.close(),
  )
  const wakeOther = executorApart(config, log, timings)
  // A command that does not build itself does not wait for ever.
  const budgetMs = isServer || wakeOther ? config.effectsBudgetMs : undefined
  const budget = () => budgetMs
  const builder = life.add(
    'builder',
    openBuilder({ ...config, openStore, db, globals, log, metrics, budget, wakeOther }),
    (builder) => builder.close(),
  )
  const { bakery, markupAnalyzer, executor } = builder
  const growth = life.add(
    'history growth',
    isServer ? watchGrowth(config, { db, globals, log }) : undefined,
    (growth) => growth?.settled(),
  )
  const tokenUse = life.add('use of tokens', new TokenUse(db, globals, log), (use) =>
    use.storeFailures(),
  )
  metrics?.observeBuild(readVersion)
  metrics?.observePools(() => db.pools())
  metrics?.observeWork(() => readWorkGauges(db, globals))
  metrics?.observeWebhooks(() => readWebhookFigures(db, globals))
  const { copies } = builder
  const changes = new ChangeWatch({ db, globals, log })
  const receivers = new Receivers(config.webhookAllowHosts)
  const webhookSender = life.add(
    'webhook sender',
    new WebhookSender({ receivers, timings: timings.webhooks }),
    (sender) => sender.close(),
  )
  const feed = { changes, webhookSender }
  const shared = { config, log, db, globals, executor, copies, bakery, markupAnalyzer, ...feed }
  const listsHosts = isTried && isLocalHost(config.host)
  const server = { ...shared, metrics, life, builder, tokenUse, listsHosts }
  return {
    ...shared,
    builder,
    apiOptions: (redis) => apiOptions(server, redis),
    frontOptions: () => frontOptions(server),
    listen: async (roles) => {
      objectCache?.start()
      const listening = await listenWith(server, roles)
      startBackgroundWork(config, roles, server)
      return listening
    },
    workOnRuns: ({ builds }) => {
      const isBuilding = builds && config.executorUrl === undefined
      if (isBuilding) executor.start()
      const wake = isBuilding ? executor.wake : () => {}
      const tasks = new TaskRunner({ db, globals, log })
      tasks.addSource(new RunWorker(runWorkerOptions(config, { ...server, wake })))
      return tasks
    },
    serveMcp: async (token, choice) => {
      objectCache?.start()
      if (config.executorUrl === undefined) executor.start()
      // Only this command pays for loading the SDK.
      const { serveMcpOverStdio } = await import('./mcp/mcp-stdio.ts')
      const services = { ...apiServices(server), limits: new RateLimits(config) }
      return serveMcpOverStdio(services, token, choice)
    },
    close: () => life.end(),
    ending: () => life.ending,
  }
}

/** What the parts that listen are made of. */
type ServerServices = BackgroundServices &
  Pick<CliServices, 'config' | 'executor' | 'bakery' | 'markupAnalyzer'> & {
    readonly tokenUse: TokenUse
    readonly listsHosts: boolean
  }

/** Starts the HTTP servers of these roles. */
async function listenWith(services: ServerServices, roles: Roles): Promise<Listening> {
  const { config, log, db, globals, metrics, life, builder } = services
  const { copies } = builder
  const redis = roles.api ? openCounterStore(config, log, db.timings) : undefined
  life.add('counters', redis, (redis) => redis?.disconnect())
  const apps: Apps = {
    api: () => createApiApp(apiOptions(services, redis)),
    front: () => createFrontApp(frontOptions(services)),
    executor: () => createExecutorServer(services),
  }
  const checks = readinessChecks(config, roles, { db, globals, copies, redis })
  const probe = new ReadinessProbe(checks, log, db.timings.health)
  metrics?.observeParts(() => probe.readParts())
  if (roles.api)
    metrics?.observeTokens(async () => {
      const [token] = await listExpiringTokens(db, globals, { now: new Date(), limit: 1 })
      return token && parseGmt(token.expires_at)
    })
  if (copies === undefined && buildsPages(config, roles))
    await unlessUnavailable(warnOfCopies(services))
  // Without a database, the readiness check and the claims find what is wrong later.
  if (copies && (roles.front || buildsPages(config, roles)))
    await unlessUnavailable(assertOwn(builder))
  if (copies && buildsPages(config, roles)) await unlessUnavailable(checkWritable(copies, log))
  const unsent = new UnsentResponses({ timeoutMs: db.timings.http.unsentTimeoutMs })
  const onStop = () => services.changes.close()
  const listening = await listen(config, roles, apps, {
    probe,
    metrics,
    unsent,
    onStop,
    log,
    timings: db.timings.http,
  })
  if (roles.api)
    await lookAtLegacy(config, log, db.timings).catch((error) =>
      listening.close().then(() => Promise.reject(error)),
    )
  return listening
}

/**
 * Looks at the old endpoint once this process answers, so that a loop shows. It may be away now and come back.
 * @throws ConfigError for a loop
 */
async function lookAtLegacy({ legacyUrl }: Config, log: Log, timings: Timings): Promise<void> {
  const seen =
    legacyUrl === undefined ? undefined : await lookAtEndpoint(legacyUrl, timings.legacy.lookMs)
  if (!seen) return
  if (seen.isLoop)
    throw new ConfigError(
      `LEGACY_URL (${legacyUrl}) ${seen.found}; set it to the address of the old endpoint, which the web server must not send here`,
    )
  log.warn(
    `LEGACY_URL ${seen.found}; requests that this service does not serve fail until it is the address of an endpoint`,
  )
}

function apiServices({ config, builder, ...services }: ServerServices) {
  const { db, globals, executor, bakery, markupAnalyzer, tokenUse, log, changes } = services
  const { webhookSender } = services
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
    asked: openAskedTokens(config, services),
    readQueue: new ReadQueue(db.timings.api),
    userQueues: new UserQueues(db.timings.api),
    examinations: examinationQueue(db.timings.api.examinationWaitMs),
    changes,
    webhookSender,
    copies: config.executorUrl === undefined ? builder.copies : undefined,
  }
}

function apiOptions(services: ServerServices, redis: Redis | undefined): ApiOptions {
  const { config, metrics } = services
  const limits = new RateLimits({ ...config, redis })
  const legacy = openLegacy(config, services.builder)
  const api = { ...apiServices(services), limits, bodies: bodyBudget(), metrics, legacy }
  return { ...api, mcp: serveMcp(api) }
}

/** Undefined unless LEGACY_TOKENS is `ask`. */
function openAskedTokens(
  { asksAboutTokens, legacyUrl, legacyTokenUser: login }: Config,
  { db, globals, log }: Pick<ServerServices, 'db' | 'globals' | 'log'>,
): AskedTokens | undefined {
  if (!asksAboutTokens || legacyUrl === undefined) return undefined
  const ask = askEndpoint(legacyUrl, db.timings.legacy.askMs)
  return new AskedTokens({ db, globals, log, login, ask, now: () => new Date() })
}

function openLegacy(config: Config, { identities }: Builder): Legacy | undefined {
  const { legacyUrl: url, legacyFamilies: families } = config
  if (url === undefined) return undefined
  let isKnown = false
  const mayPass = async (): Promise<boolean> => {
    if (isKnown) return true
    // A database that is away does not prevent what the old endpoint answers.
    const network = await identities.read().catch(() => undefined)
    isKnown = network?.isKnownDatabase ?? false
    return isKnown || network === undefined
  }
  const timeoutMs = config.legacyTimeoutSeconds * 1000
  const maxBodyBytes = config.legacyMaxMb * BYTES_PER_MB
  return { endpoint: new LegacyEndpoint({ url, timeoutMs, maxBodyBytes }), families, mayPass }
}

function frontOptions({ config, builder, metrics, ...services }: ServerServices): FrontOptions {
  const { db, globals, executor, log, listsHosts } = services
  const onDamage = (files: readonly string[]) => {
    metrics?.countDamagedCopy()
    log.warn({ files }, 'files of a static copy are damaged; the page is sent without them')
  }
  const copies = builder.copies?.openReader({ onDamage })
  const coalescer = new RequestCoalescer()
  const { hosts } = builder
  return { ...config, db, globals, hosts, executor, copies, coalescer, log, listsHosts }
}

function createExecutorServer(services: ServerServices): RequestListener {
  const { config, builder, log } = services
  const { executorKey, executorSecondKey: second } = config
  const keys = [
    readExecutorKey(executorKey),
    ...(second === undefined ? [] : [readExecutorKey(second, 'EXECUTOR_SECOND_KEY')]),
  ]
  return createExecutorApp({ executor: builder.executor, keys, log })
}

/**
 * A process does not start with the copies of another network. A moved or copied database may have them, because the operator decides later; and what is
 * away may be back soon.
 * @throws UnusableTargetError
 */
async function assertOwn({ copies, identities }: Builder): Promise<void> {
  const ownership = copies?.inspect(await identities.read()).catch((error: unknown) => {
    if (error instanceof UnusableTargetError || !(error instanceof CopyTargetError)) throw error
  })
  const foreign = (await ownership)?.foreign
  if (foreign !== undefined) throw new UnusableTargetError(foreign)
}

/**
 * Says at the start why no copies can be written. The process starts nevertheless, because the disk may be full or not mounted yet, and
 * existing copies are served.
 * @throws UnusableTargetError if that will not change by itself
 */
async function checkWritable(copies: CopyStore, log: Log): Promise<void> {
  try {
    await copies.open()
    await copies.test()
  } catch (error) {
    if (error instanceof UnusableTargetError || isDatabaseUnavailable(error)) throw error
    log.error({ err: error }, 'static copies cannot be written')
  }
}

async function warnOfCopies({ db, globals, log }: ServerServices): Promise<void> {
  if (await hasCopies(db, globals))
    log.warn(
      'the network has static copies, but STATIC_DIR is empty and STATIC_TARGET is not set: this process builds nothing, so that the copies do not become outdated. Set the one that the network uses, or run "wp-frames network forget-copies" if there are to be none any more',
    )
}

/** The counters that processes share; undefined if REDIS_URL is not set. It connects at once. */
const openCounterStore = ({ redisUrl }: Config, log: Log, timings: Timings): Redis | undefined =>
  redisUrl === undefined ? undefined : connectCounterStore(redisUrl, log, timings.auth)

/** The client of WordPress's persistent object cache; undefined if OBJECT_CACHE_URL is not set. */
function openObjectCache(
  config: Config,
  services: Pick<BackgroundServices, 'db' | 'log' | 'metrics'>,
): ObjectCache | undefined {
  const { objectCacheUrl: url, objectCachePrefix: prefix, objectCacheForm: form } = config
  if (url === undefined) return undefined
  return new ObjectCache({ ...services, url, prefix, form, tablePrefix: config.tablePrefix })
}

/** Undefined without EXECUTOR_URL. */
function executorApart(
  { executorUrl: url, executorKey }: Config,
  log: Log,
  { executor: { wakeMs } }: Timings,
): WakeExecutor | undefined {
  if (url === undefined) return undefined
  return wakeExecutorAt({ url, key: readExecutorKey(executorKey), timeoutMs: wakeMs, log })
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
