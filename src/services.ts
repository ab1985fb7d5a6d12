import type { RequestListener } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import { createApiApp } from './api/api-app.ts'
import { connectCounterStore, RateLimits } from './auth/rate-limits.ts'
import { TokenUse } from './auth/token-use.ts'
import type { CliServices, Listening, Roles } from './cli/cli-context.ts'
import { WorkerPool } from './concurrency/worker-pool.ts'
import type { Config } from './config/config.ts'
import { type Database, openDatabase } from './db/database.ts'
import { ChangePoller, type ChangePollerOptions } from './executor/change-poller.ts'
import type { Executor } from './executor/executor.ts'
import { readExecutorKey, readSigningKey } from './executor/executor-protocol.ts'
import { instrumentExecutor } from './executor/instrumented-executor.ts'
import { createLocalExecutor } from './executor/local-executor.ts'
import { createRemoteExecutor } from './executor/remote-executor.ts'
import { createExecutorServer } from './executor/server/executor-app.ts'
import { createFrontApp } from './front/front-app.ts'
import { answerProbes, type ReadinessCheck, ReadinessProbe } from './health.ts'
import { HttpServer, type HttpServerOptions, UnsentResponses } from './http-server.ts'
import { createLog, type Log } from './log.ts'
import { Metrics } from './metrics.ts'
import { assertWritable, StaticFolder } from './publishing/static-folder.ts'
import { globalTables } from './wordpress/network/site.ts'
import { SiteHosts } from './wordpress/network/site-hosts.ts'
import { ObjectCache } from './wordpress/object-cache/object-cache.ts'

/** Makes everything that lives as long as the process. Nothing is connected or listening yet. */
export function openServices(config: Config): CliServices {
  if (config.databaseUrl === undefined) throw new Error('no database')
  const log = createLog(config.logLevel)
  const metrics = config.metricsPort > 0 ? new Metrics() : undefined
  const objectCache = openObjectCache(config, log, metrics, () => db)
  const db: Database = openDatabase({
    url: config.databaseUrl,
    poolSize: config.databasePoolSize,
    log,
    onInvalidate: objectCache && ((tx, keys) => objectCache.invalidate(tx, keys)),
  })
  metrics?.observePool(() => db.poolUse())
  const globals = globalTables(config.tablePrefix)
  const workers = new WorkerPool()
  const hosts = new SiteHosts(db, globals)
  const { staticDir } = config
  const folder =
    staticDir === undefined ? undefined : new StaticFolder({ db, globals, staticDir, log })
  const own = createLocalExecutor({ ...config, db, hosts, folder, log, workers })
  const local = metrics ? instrumentExecutor(own, metrics) : own
  const executor = openRemoteExecutor(config, log) ?? local
  const now = () => new Date()
  const tokenUse = new TokenUse(db, globals, log)
  let redis: Redis | undefined
  let watch: ChangePoller | undefined
  const api = () => {
    redis = config.redisUrl === undefined ? undefined : connectCounterStore(config.redisUrl, log)
    const limits = new RateLimits({ ...config, redis })
    const { markupReader } = own
    return createApiApp({
      ...config,
      db,
      globals,
      executor,
      markupReader,
      limits,
      tokenUse,
      log,
      now,
    })
  }
  const front = () => createFrontApp({ ...config, db, globals, hosts, executor, log })
  const executorServer = () => {
    const key = readExecutorKey(config.executorKey)
    return createExecutorServer({ db, globals, executor: local, key, log })
  }
  return {
    config,
    log,
    db,
    globals,
    executor,
    markupAnalyzer: own.markupReader,
    listen: async (roles) => {
      objectCache?.start()
      const apps = { api, front, executor: executorServer }
      const probe = new ReadinessProbe(
        readinessChecks(config, roles, { db, folder }, () => redis),
        log,
      )
      const listening = await listen(config, roles, apps, { probe, metrics, log })
      watch = startChangePoller(config, roles, { db, globals, executor: local, log })
      return listening
    },
    close: async () => {
      redis?.disconnect()
      await watch?.stop()
      await own.close()
      await workers.close()
      await objectCache?.close()
      await db.close()
    },
  }
}

/** WordPress's persistent object cache, where the network has one. */
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

/** The executor in another process, where there is one. */
function openRemoteExecutor(config: Config, log: Log): Executor | undefined {
  const { executorUrl: url, executorTimeoutMs: timeoutMs } = config
  if (url === undefined) return undefined
  return createRemoteExecutor({ url, key: readSigningKey(config.executorKey), timeoutMs, log })
}

/** What requests to these roles need. Static copies are written where pages are built; counters that are away stop nobody (`Limits`). */
function readinessChecks(
  { staticDir, executorUrl, redisUrl }: Config,
  { api, front, executor = false }: Roles,
  { db, folder }: { readonly db: Database; readonly folder: StaticFolder | undefined },
  counters: () => Redis | undefined,
): Record<string, ReadinessCheck> {
  const builds = executor || ((api || front) && executorUrl === undefined)
  return {
    database: { test: () => db.ping(), required: true },
    ...(builds && staticDir !== undefined
      ? { static: { test: () => assertStaticFolder(staticDir, folder), required: true } }
      : {}),
    ...(api && redisUrl !== undefined
      ? { counters: { test: async () => counters()?.ping(), required: false } }
      : {}),
  }
}

async function assertStaticFolder(
  staticDir: string,
  folder: StaticFolder | undefined,
): Promise<void> {
  await folder?.assertPresent()
  await assertWritable(staticDir)
}

/** Edits are looked for where pages are built and may be seen, once a process. */
function startChangePoller(
  { staticDir, watchSeconds, executorUrl }: Config,
  { executor: isExecutor = false }: Roles,
  services: Omit<ChangePollerOptions, 'staticDir' | 'intervalMs'>,
): ChangePoller | undefined {
  const isElsewhere = executorUrl !== undefined && !isExecutor
  if (staticDir === undefined || watchSeconds === 0 || isElsewhere) return undefined
  return new ChangePoller({ ...services, staticDir, intervalMs: watchSeconds * 1000 })
}

type ListenServices = {
  readonly probe: ReadinessProbe
  readonly metrics: Metrics | undefined
  readonly log: Log
}

type Apps = Readonly<Record<keyof Roles, () => RequestListener>>

async function listen(
  config: Config,
  roles: Roles,
  apps: Apps,
  { probe, metrics, log }: ListenServices,
): Promise<Listening> {
  const servers: HttpServer[] = []
  const unsent = new UnsentResponses()
  const start = (server: HttpServer, host: string, port: number): Promise<string> => {
    servers.push(server)
    return server.start(host, port)
  }
  const startPart = (part: keyof Roles, port: number): Promise<string> => {
    const answer = answerProbes(probe, { byAddressOnly: part === 'front' })
    const before: HttpServerOptions['before'] = (request, response) => {
      if (answer(request, response)) return true
      metrics?.countRequest(part, request, response)
      return false
    }
    return start(new HttpServer(apps[part](), { before, unsent, log }), config.host, port)
  }
  const stop = (): Promise<unknown> => Promise.all(servers.map((server) => server.stop()))
  const close = async (): Promise<void> => {
    probe.stop()
    if (config.drainSeconds > 0) await sleep(config.drainSeconds * 1000)
    await stop()
  }
  try {
    const { port, frontPort, metricsHost, metricsPort } = config
    return {
      apiUrl: roles.api ? (await startPart('api', port)) + config.basePath : undefined,
      frontUrl: roles.front && frontPort > 0 ? await startPart('front', frontPort) : undefined,
      executorUrl: roles.executor ? await startPart('executor', port) : undefined,
      metricsUrl:
        metrics &&
        (await start(
          new HttpServer(metrics.listener(), { unsent, log }),
          metricsHost,
          metricsPort,
        )),
      close,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
