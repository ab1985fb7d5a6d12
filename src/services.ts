import type { RequestListener, Server } from 'node:http'
import type { Redis } from 'ioredis'
import { createApi } from './api/app.ts'
import { connectCounterStore } from './callers/counter-store.ts'
import { Limits } from './callers/limits.ts'
import { TokenUse } from './callers/token-use.ts'
import type { CliServices, Listening, Roles } from './cli/context.ts'
import type { Config } from './config/config.ts'
import { openDatabase } from './db/database.ts'
import { EditWatch, type EditWatchOptions } from './executor/edit-watch.ts'
import type { Executor } from './executor/executor.ts'
import { readExecutorKey, readSigningKey } from './executor/executor-key.ts'
import { createLocalExecutor } from './executor/local-executor.ts'
import { createRemoteExecutor } from './executor/remote-executor.ts'
import { createExecutorServer } from './executor/server/app.ts'
import { createFront } from './front/app.ts'
import { addressOf, createHttpServer, startServer, stopServer } from './http-server.ts'
import { createLog, type Log } from './log.ts'
import { globalTables } from './wordpress/network/global-tables.ts'
import { ObjectCache } from './wordpress/object-cache/object-cache.ts'

/** Makes everything that lives as long as the process. Nothing is connected or listening yet. */
export function openServices(config: Config): CliServices {
  if (config.databaseUrl === undefined) throw new Error('no database')
  const log = createLog(config.logLevel)
  const objectCache = openObjectCache(config, log)
  const db = openDatabase({
    url: config.databaseUrl,
    poolSize: config.databasePoolSize,
    log,
    onForget: objectCache && ((keys) => objectCache.forget(keys)),
  })
  const globals = globalTables(config.tablePrefix)
  const local = createLocalExecutor({ ...config, db, log })
  const executor = openRemoteExecutor(config, log) ?? local
  const now = () => new Date()
  const tokenUse = new TokenUse(db, globals, log)
  let redis: Redis | undefined
  let watch: EditWatch | undefined
  const api = () => {
    redis = config.redisUrl === undefined ? undefined : connectCounterStore(config.redisUrl, log)
    const limits = new Limits({ ...config, redis })
    return createApi({ ...config, db, globals, executor, limits, tokenUse, log, now })
  }
  const front = () => createFront({ ...config, db, globals, executor, log })
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
    listen: async (roles) => {
      const listening = await listen(config, roles, { api, front, executor: executorServer })
      watch = openEditWatch(config, roles, { db, globals, executor: local, log })
      return listening
    },
    close: async () => {
      redis?.disconnect()
      await watch?.stop()
      await local.close()
      await db.close()
      await objectCache?.close()
    },
  }
}

/** WordPress's persistent object cache, where the network has one. */
function openObjectCache(config: Config, log: Log): ObjectCache | undefined {
  const { objectCacheUrl: url, objectCachePrefix: prefix, objectCacheForm: form } = config
  return url === undefined ? undefined : new ObjectCache({ url, prefix, form, log })
}

/** The executor in another process, where there is one. */
function openRemoteExecutor(config: Config, log: Log): Executor | undefined {
  const { executorUrl: url, executorTimeoutMs: timeoutMs } = config
  if (url === undefined) return undefined
  return createRemoteExecutor({ url, key: readSigningKey(config.executorKey), timeoutMs, log })
}

/** Edits are looked for where pages are built and may be seen, once a process. */
function openEditWatch(
  { staticDir, watchSeconds, executorUrl }: Config,
  { executor: isExecutor = false }: Roles,
  services: Omit<EditWatchOptions, 'staticDir' | 'intervalMs'>,
): EditWatch | undefined {
  const isElsewhere = executorUrl !== undefined && !isExecutor
  if (staticDir === undefined || watchSeconds === 0 || isElsewhere) return undefined
  return new EditWatch({ ...services, staticDir, intervalMs: watchSeconds * 1000 })
}

type Apps = Readonly<Record<keyof Roles, () => RequestListener>>

async function listen(config: Config, roles: Roles, apps: Apps): Promise<Listening> {
  const servers: Server[] = []
  const start = async (app: RequestListener, port: number): Promise<string> => {
    const server = createHttpServer(app)
    await startServer(server, config.host, port)
    servers.push(server)
    return addressOf(server)
  }
  const close = async (): Promise<void> => {
    await Promise.all(servers.map(stopServer))
  }
  try {
    const apiUrl = roles.api ? (await start(apps.api(), config.port)) + config.basePath : undefined
    const frontUrl =
      roles.front && config.frontPort > 0 ? await start(apps.front(), config.frontPort) : undefined
    const executorUrl = roles.executor ? await start(apps.executor(), config.port) : undefined
    return { apiUrl, frontUrl, executorUrl, close }
  } catch (error) {
    await close()
    throw error
  }
}
