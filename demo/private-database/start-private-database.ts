import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { findHolder, lockDirectory } from './directory-lock.ts'
import { findDockerObstacle, startDockerServer } from './docker-server.ts'
import { findServerBinary, installWithApt } from './find-server.ts'
import { type PrivateServerOptions, startPrivateServer } from './private-server.ts'
import { asDatabaseServerError, DatabaseServerError } from './server-failure.ts'
import type { RunningServer } from './start-server.ts'

export interface PrivateDatabaseOptions {
  /** The server's data directory. Its lock, log and secrets are files beside it, `<dataDir>.*`. */
  dataDir: string
  /** Whether data must survive a power failure; without, writing is much faster. */
  durable: boolean
  /** Takes one line at a time about what takes long. */
  log: (line: string) => void
  /** More options for the server. */
  extraArgs?: readonly string[]
  /** Directories to look for a server in before the usual ones, as in the variable `PATH`. */
  path?: string
}

/** A way to get a server: the server, or why this way is closed. */
type Way = (options: PrivateServerOptions & { path: string }) => Promise<RunningServer | string>

const startInstalled: Way = async (options) => {
  const binary = findServerBinary(options.path)
  return binary ? startPrivateServer(binary, options) : 'no server was found'
}

const startDocker: Way = async (options) => {
  try {
    return (await findDockerObstacle()) ?? (await startDockerServer(options))
  } catch (error) {
    if (error instanceof DatabaseServerError) return error.message
    throw error
  }
}

const installAndStart: Way = async (options) =>
  (await installWithApt(options.directory, options.log)) ?? startInstalled(options)

const WAYS: readonly { advice: string; start: Way }[] = [
  {
    advice: 'install MariaDB or MySQL, on Debian with: apt-get install mariadb-server',
    start: startInstalled,
  },
  { advice: 'start a Docker engine that has Compose', start: startDocker },
  {
    advice: 'run this program as root on Debian: it installs MariaDB with apt-get',
    start: installAndStart,
  },
]

const startAnyWay = async (
  options: Parameters<Way>[0],
  ways: typeof WAYS,
): Promise<RunningServer> => {
  const closed = ['set DATABASE_URL=mysql://user:password@host:port/name']
  for (const { advice, start } of ways) {
    const outcome = await start(options)
    if (typeof outcome !== 'string') return outcome
    closed.push(`${advice} (now: ${outcome})`)
  }
  throw new DatabaseServerError(
    ['There is no database. One of these gives you one:', ...closed].join('\n  - '),
  )
}

const getPassword = (file: string): string => {
  const kept = existsSync(file) ? readFileSync(file, 'utf8') : ''
  if (/^[\w-]{32}$/.test(kept)) return kept
  const password = randomBytes(24).toString('base64url')
  writeFileSync(file, password, { mode: 0o600 })
  return password
}

const urlFile = (directory: string): string => `${directory}.url`

/** The address of the database that another process runs on this data directory now. */
export const findRunningDatabase = (dataDir: string): string | undefined => {
  const directory = resolve(dataDir)
  const file = urlFile(directory)
  return findHolder(directory) !== undefined && existsSync(file)
    ? readFileSync(file, 'utf8')
    : undefined
}

/**
 * Gets a database server of the program's own: an installed MariaDB or MySQL, else one in Docker,
 * else one that is installed now. It ends with this process, however that ends, and its data stays.
 *
 * @throws DatabaseServerError when there is no way (one line for each), when another process holds
 * the data directory, or when the server does not start
 */
export const startPrivateDatabase = async (
  { dataDir, durable, log, extraArgs = [], path = '' }: PrivateDatabaseOptions,
  ways = WAYS,
): Promise<RunningServer> => {
  const directory = resolve(dataDir)
  let undo = async (): Promise<void> => {}
  try {
    mkdirSync(dirname(directory), { recursive: true })
    const unlock = lockDirectory(directory)
    undo = async () => unlock()
    rmSync(urlFile(directory), { force: true })
    const password = getPassword(`${directory}.password`)
    const server = await startAnyWay({ directory, password, durable, extraArgs, path, log }, ways)
    undo = async () => {
      await server.stop()
      rmSync(urlFile(directory), { force: true })
      unlock()
    }
    writeFileSync(urlFile(directory), server.url, { mode: 0o600 })
    let stopped: Promise<void> | undefined
    const stop = (): Promise<void> => {
      stopped ??= undo()
      return stopped
    }
    return { ...server, stop }
  } catch (error) {
    await undo()
    throw asDatabaseServerError(error, directory)
  }
}
