import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startPrivateDatabase } from '../../../../demo/private-database/start-private-database.ts'
import { binlogArgs } from '../../../../demo/private-database/start-server.ts'
import { openDatabase } from '../../../../src/db/database.ts'
import { createLog } from '../../../../src/host/log.ts'
import { TIMINGS } from '../../../../src/host/timings.ts'
import { type SqlDatabase, withBuilder } from '../../../support/open-database.ts'
import type { Undo } from '../../setup/undo.ts'

/** The database server of a run, on a data directory that several starts share. */
export type NetworkServer = {
  /** Its address, without the name of a database. */
  readonly serverUrl: string
  /** The address of the network's database, which may not exist yet. */
  readonly url: string
  readonly pids: readonly number[]
}

/** How a server writes its binlog. */
export type Binlog = 'ROW' | 'none'

export const DATABASE_NAME = 'bench'

/** A network of a thousand sites has ten thousand tables. With the server's defaults, each look at all of them would open them again. */
const SETTINGS: readonly string[] = [
  '--innodb-buffer-pool-size=1G',
  '--table-open-cache=16000',
  '--table-definition-cache=20000',
  '--innodb-open-files=16000',
  '--open-files-limit=65535',
]

export type ServerOptions = {
  readonly binlog: Binlog
  /** Whether its commits survive a power failure. */
  readonly isDurable: boolean
  /** Options that depend on the size of the network [those for a thousand sites]. */
  readonly settings?: readonly string[]
}

/** Starts the server. */
export async function startNetworkServer(
  folder: string,
  undo: Undo,
  { binlog, isDurable, settings = SETTINGS }: ServerOptions,
): Promise<NetworkServer> {
  const dataDir = join(folder, 'db')
  const server = await startPrivateDatabase({
    dataDir,
    durable: isDurable,
    extraArgs: [...settings, ...(binlog === 'none' ? [] : binlogArgs())],
    log: () => {},
  })
  undo.add(() => server.stop())
  const url = new URL(server.url)
  url.pathname = `/${DATABASE_NAME}`
  const pids = [Number.parseInt(readFileSync(join(dataDir, 'server.pid'), 'utf8'), 10)]
  return { serverUrl: server.url, url: url.href, pids }
}

const CONNECTIONS = 16
/** A statement may insert a million rows. */
const REPLY_TIMEOUT_MS = 600_000

/** Opens the network's database for the benchmark itself. */
export function openNetworkDatabase({ url }: NetworkServer, undo: Undo): SqlDatabase {
  const opened = openDatabase({
    url,
    poolSize: CONNECTIONS,
    log: createLog('silent'),
    timings: { ...TIMINGS, db: { ...TIMINGS.db, replyTimeoutMs: REPLY_TIMEOUT_MS } },
  })
  const db = withBuilder(opened, url)
  undo.add(() => db.close())
  return db
}
