import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  createTemporaryDirectory,
  prepareDataDirectory,
  removeTemporaryDirectory,
  temporaryDirectory,
} from './data-directory.ts'
import type { ServerBinary } from './find-server.ts'
import { type RunningServer, serverArgs, startOnFreePort } from './start-server.ts'

/** The file in the data directory in which the server stores its process id. */
export const PID_FILE = 'server.pid'

const GRACE_MS = 10_000

const readIfThere = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** Compares the command line too: the process id may belong to another program by now. */
const servesDirectory = (pid: number, directory: string): boolean =>
  readIfThere(`/proc/${pid}/cmdline`).split('\0').includes(`--datadir=${directory}`)

/**
 * Stops a server that still runs on a data directory whose owner has ended: its guard is just
 * stopping it, or was killed as well.
 */
const stopLeftoverServer = async (directory: string): Promise<void> => {
  const pid = Number.parseInt(readIfThere(join(directory, PID_FILE)), 10)
  const began = Date.now()
  for (let signal: NodeJS.Signals | 0 = 'SIGTERM'; servesDirectory(pid, directory); ) {
    process.kill(pid, signal)
    signal = Date.now() - began > GRACE_MS ? 'SIGKILL' : 0
    await sleep(50)
  }
}

export interface PrivateServerOptions {
  /** Absolute path of the data directory. The caller has locked it. */
  directory: string
  password: string
  durable: boolean
  extraArgs: readonly string[]
  log: (line: string) => void
}

const USER = 'service'

/** Runs at every start, before the server listens, so that the account always has this password and these rights. */
const accountSql = (password: string): string => `
CREATE USER IF NOT EXISTS '${USER}'@'127.0.0.1' IDENTIFIED BY '${password}';
ALTER USER '${USER}'@'127.0.0.1' IDENTIFIED BY '${password}';
GRANT ALL PRIVILEGES ON *.* TO '${USER}'@'127.0.0.1' WITH GRANT OPTION;
`

/** For MySQL: disables the X protocol's second port and the folder for imports, which a server of the system may use. */
export const flavourArgs = ({ flavour }: ServerBinary): string[] =>
  flavour === 'MySQL' ? ['--mysqlx=OFF', '--secure-file-priv=NULL'] : []

/**
 * Starts the installed server on its own data directory, as the current user, for one account
 * on 127.0.0.1. It reads no configuration file and shares nothing with a server of the system.
 *
 * @throws DatabaseServerError
 */
export const startPrivateServer = async (
  binary: ServerBinary,
  { directory, password, durable, extraArgs, log }: PrivateServerOptions,
): Promise<RunningServer> => {
  await stopLeftoverServer(directory)
  createTemporaryDirectory(directory)
  await prepareDataDirectory(directory, binary, { durable, log })
  const accountFile = `${directory}.sql`
  writeFileSync(accountFile, accountSql(password), { mode: 0o600 })
  try {
    const server = await startOnFreePort({
      directory,
      user: USER,
      password,
      how: `${binary.flavour} ${binary.version}, a private server on ${directory}`,
      timeoutSeconds: 60,
      command: (port) => [
        binary.path,
        '--no-defaults',
        `--datadir=${directory}`,
        `--tmpdir=${temporaryDirectory(directory)}`,
        '--bind-address=127.0.0.1',
        `--port=${port}`,
        // Relative to the data directory, which other users cannot enter, so that the path is never too long.
        '--socket=server.sock',
        `--pid-file=${PID_FILE}`,
        `--init-file=${accountFile}`,
        ...(process.getuid?.() === 0 ? ['--user=root'] : []),
        ...flavourArgs(binary),
        ...serverArgs(durable),
        ...extraArgs,
      ],
    })
    return {
      ...server,
      stop: async () => {
        await server.stop()
        removeTemporaryDirectory(directory)
      },
    }
  } catch (error) {
    removeTemporaryDirectory(directory)
    throw error
  } finally {
    rmSync(accountFile, { force: true })
  }
}
