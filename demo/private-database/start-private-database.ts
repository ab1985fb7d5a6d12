import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { lockDirectory } from './directory-lock.ts'
import { findDockerObstacle, startDockerServer } from './docker-server.ts'
import { findServerBinary, installWithApt } from './find-server.ts'
import { type PrivateServerOptions, startPrivateServer } from './private-server.ts'
import { asDatabaseServerError, DatabaseServerError } from './server-failure.ts'
import type { RunningServer } from './start-server.ts'

export interface PrivateDatabaseOptions {
  /** The server's data directory. Its lock, log, password and port are files beside it, `<dataDir>.*`. */
  dataDir: string
  /** Whether data must survive a power failure. Writes are much faster without it. */
  durable: boolean
  /** Receives a line for each step that takes long. */
  log: (line: string) => void
  /** More options for the server. */
  extraArgs?: readonly string[]
  /** Directories to search for a server before the usual ones [the variable `PATH`]. */
  path?: string
}

/** Tries to start a server; returns the server, or why this is not possible. */
type Method = (options: PrivateServerOptions & { path: string }) => Promise<RunningServer | string>

const startInstalled: Method = async (options) => {
  const binary = findServerBinary(options.path)
  return binary ? startPrivateServer(binary, options) : 'no server was found'
}

const startDocker: Method = async (options) => {
  try {
    return (await findDockerObstacle()) ?? (await startDockerServer(options))
  } catch (error) {
    if (error instanceof DatabaseServerError) return error.message
    throw error
  }
}

const installAndStart: Method = async (options) =>
  (await installWithApt(options.directory, options.log)) ?? startInstalled(options)

const METHODS: readonly { advice: string; start: Method }[] = [
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

const startByAnyMethod = async (
  options: Parameters<Method>[0],
  methods: typeof METHODS,
): Promise<RunningServer> => {
  const advices = ['set DATABASE_URL=mysql://user:password@host:port/name']
  for (const { advice, start } of methods) {
    const outcome = await start(options)
    if (typeof outcome !== 'string') return outcome
    advices.push(`${advice} (not possible now: ${outcome})`)
  }
  throw new DatabaseServerError(
    ['No database is available. Use one of these ways:', ...advices].join('\n  - '),
  )
}

const getPassword = (file: string): string => {
  const stored = existsSync(file) ? readFileSync(file, 'utf8') : ''
  if (/^[\w-]{32}$/.test(stored)) return stored
  const password = randomBytes(24).toString('base64url')
  writeFileSync(file, password, { mode: 0o600 })
  return password
}

/**
 * Starts a private database server: an installed MariaDB or MySQL, else one in Docker,
 * else one that is installed now. The server ends with this process, however that ends; its data stays.
 *
 * @throws DatabaseServerError when no method works (one line for each), when another process has locked
 * the data directory, or when the server does not start
 */
export const startPrivateDatabase = async (
  { dataDir, durable, log, extraArgs = [], path = process.env.PATH ?? '' }: PrivateDatabaseOptions,
  methods = METHODS,
): Promise<RunningServer> => {
  const directory = resolve(dataDir)
  let undo = async (): Promise<void> => {}
  try {
    mkdirSync(dirname(directory), { recursive: true })
    const unlock = lockDirectory(directory)
    undo = async () => unlock()
    const password = getPassword(`${directory}.password`)
    const server = await startByAnyMethod(
      { directory, password, durable, extraArgs, path, log },
      methods,
    )
    undo = async () => {
      await server.stop()
      unlock()
    }
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
