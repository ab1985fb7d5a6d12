import { closeSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createConnection } from 'mysql2/promise'
import { accountRefusalOf } from '../../src/db/database-error.ts'
import { type GuardedProcess, type GuardOptions, startGuarded } from './guarded-process.ts'
import {
  DatabaseServerError,
  lostItsPort,
  openServerLog,
  readCause,
  serverLogFile,
} from './server-failure.ts'

/** Options for a disposable database: they disable what protects data from a power failure. */
const NOT_DURABLE = [
  '--innodb-flush-log-at-trx-commit=0',
  '--innodb-doublewrite=OFF',
  '--innodb-flush-method=nosync',
  '--loose-debug-no-sync',
]

/** Options of a server for one service on one machine. MariaDB and MySQL accept all of them. */
export const serverArgs = (durable: boolean): string[] => [
  '--character-set-server=utf8mb4',
  '--max-connections=500',
  '--innodb-buffer-pool-size=64M',
  '--key-buffer-size=8M',
  '--loose-aria-pagecache-buffer-size=8M',
  '--performance-schema=OFF',
  '--skip-log-bin',
  // Without name resolution `localhost` means the socket only, so that root's accounts are not reachable through the port.
  '--skip-name-resolve',
  ...(durable ? [] : NOT_DURABLE),
]

/** Options of a server with a binlog, which the change feed can follow if it contains rows. MySQL's transactions have no GTIDs by default. */
export const binlogArgs = (format: 'ROW' | 'MIXED' = 'ROW'): string[] => [
  '--log-bin=binlog',
  '--server-id=1',
  `--binlog-format=${format}`,
  '--loose-gtid-mode=ON',
  '--loose-enforce-gtid-consistency=ON',
]

export interface RunningServer {
  /** `mysql://user:password@127.0.0.1:port/`; the caller appends the name of a database. */
  url: string
  /** Describes the server, for a log line. */
  how: string
  /** Stops the server and waits until it has ended. May be called repeatedly. */
  stop(): Promise<void>
}

interface ServerStart {
  directory: string
  /** The command line, once the port is known. */
  command(port: number): string[]
  user: string
  password: string
  how: string
  /** How long the server may take until it answers, in seconds. */
  timeoutSeconds: number
  guard?: Omit<GuardOptions, 'output'>
}

const ATTEMPTS = 3
const POLL_MS = 25

/** Listens for a moment. */
const probePort = async (wanted: number): Promise<number> => {
  const probe = createServer()
  const address = await new Promise<ReturnType<typeof probe.address>>((settle, fail) => {
    probe.once('error', fail)
    probe.listen(wanted, '127.0.0.1', () => settle(probe.address()))
  })
  await new Promise((settle) => probe.close(settle))
  return typeof address === 'object' && address ? address.port : 0
}

const findFreePort = (): Promise<number> =>
  probePort(0).catch((error: Error) => {
    throw new DatabaseServerError(`There is no free port for the database: ${error.message}.`)
  })

const portFile = (directory: string): string => `${directory}.port`

/** The port of the last start, so that addresses which somebody has kept stay valid; undefined if it is taken. */
const findLastPort = async (directory: string): Promise<number | undefined> => {
  const file = portFile(directory)
  const port = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0
  return port > 0 && port < 65_536 ? probePort(port).catch(() => undefined) : undefined
}

/** Whether the server accepts the account's password. Only a wrong password throws: the server may still be starting. */
const answers = async (url: string): Promise<boolean> => {
  try {
    const connection = await createConnection({ uri: url, connectTimeout: 2000 })
    await connection.end()
    return true
  } catch (error) {
    if (accountRefusalOf(error) === 'password') throw error
    return false
  }
}

const waitForAnswer = async (
  url: string,
  process: GuardedProcess,
  timeoutSeconds: number,
): Promise<'ready' | 'ended' | 'silent'> => {
  let ended = false
  void process.exited.then(() => {
    ended = true
  })
  const deadline = Date.now() + timeoutSeconds * 1000
  while (Date.now() < deadline) {
    if (ended) return 'ended'
    if (await answers(url)) return 'ready'
    await sleep(POLL_MS)
  }
  return 'silent'
}

/**
 * Starts a server on its last port of 127.0.0.1, or a free one, and waits until it answers. If another program takes the
 * port meanwhile, the start is retried with another port.
 *
 * @throws DatabaseServerError with the cause from the server's log; no process keeps running
 */
export const startOnFreePort = async (start: ServerStart): Promise<RunningServer> => {
  for (let attempt = 1; ; attempt++) {
    const port = (attempt === 1 && (await findLastPort(start.directory))) || (await findFreePort())
    const url = `mysql://${start.user}:${start.password}@127.0.0.1:${port}/`
    const output = openServerLog(start.directory)
    const process = startGuarded(start.command(port), { ...start.guard, output })
    closeSync(output)
    try {
      const state = await waitForAnswer(url, process, start.timeoutSeconds)
      if (state === 'ready') {
        writeFileSync(portFile(start.directory), String(port))
        return { url, how: start.how, stop: process.stop }
      }
      await process.stop()
      if (attempt < ATTEMPTS && lostItsPort(start.directory)) continue
      const what =
        state === 'ended' ? 'ended' : `did not answer within ${start.timeoutSeconds} seconds`
      throw new DatabaseServerError(
        `The database server (${start.how}) ${what}: ${readCause(start.directory)} ` +
          `(its log: ${serverLogFile(start.directory)})`,
      )
    } catch (error) {
      await process.stop()
      // Another database server has the port: this one knows the password.
      if (attempt < ATTEMPTS && accountRefusalOf(error) === 'password') continue
      throw error
    }
  }
}
