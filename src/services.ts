import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createApi } from './api/app.ts'
import { connectCounterStore } from './callers/counter-store.ts'
import { Limits } from './callers/limits.ts'
import { TokenUse } from './callers/token-use.ts'
import type { CliServices, Listening, Roles } from './cli/context.ts'
import type { Config } from './config/config.ts'
import { openDatabase } from './db/database.ts'
import { createLocalExecutor } from './executor/local-executor.ts'
import { createFront } from './front/app.ts'
import { createLog } from './log.ts'
import { globalTables } from './wordpress/network/global-tables.ts'

/** Makes everything that lives as long as the process. Nothing is connected or listening yet. */
export function openServices(config: Config): CliServices {
  if (config.databaseUrl === undefined) throw new Error('no database')
  const log = createLog(config.logLevel)
  const db = openDatabase({ url: config.databaseUrl, poolSize: config.databasePoolSize, log })
  const globals = globalTables(config.tablePrefix)
  const executor = createLocalExecutor({ db, log, staticDir: config.staticDir })
  const now = () => new Date()
  const redis =
    config.redisUrl === undefined ? undefined : connectCounterStore(config.redisUrl, log)
  const limits = new Limits({ ...config, redis })
  const tokenUse = new TokenUse(db, globals, log)
  const api = () => createApi({ ...config, db, globals, executor, limits, tokenUse, log, now })
  const front = () => createFront({ ...config, db, globals, executor, log })
  return {
    config,
    log,
    db,
    globals,
    executor,
    listen: (roles) => listen(config, roles, { api, front }),
    close: async () => {
      redis?.disconnect()
      await db.close()
    },
  }
}

type Apps = { readonly api: () => RequestListener; readonly front: () => RequestListener }

async function listen(config: Config, roles: Roles, apps: Apps): Promise<Listening> {
  const servers: Server[] = []
  const start = async (app: RequestListener, port: number): Promise<string> => {
    const server = createServer(app)
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
    return { apiUrl, frontUrl, close }
  } catch (error) {
    await close()
    throw error
  }
}

function startServer(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve())
  })
}

function stopServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeIdleConnections()
  })
}

function addressOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}
