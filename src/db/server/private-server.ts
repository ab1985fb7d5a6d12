import { rmSync, writeFileSync } from 'node:fs'
import { prepareDataDirectory } from './data-directory.ts'
import type { ServerBinary } from './find-server-binary.ts'
import { serverArgs } from './server-args.ts'
import { type RunningServer, startOnFreePort } from './start-on-free-port.ts'
import { PID_FILE, stopLeftoverServer } from './stop-leftover-server.ts'
import {
  makeTemporaryDirectory,
  removeTemporaryDirectory,
  temporaryDirectory,
} from './temporary-directory.ts'

export interface PrivateServerOptions {
  /** Absolute path of the data directory; its lock is held by the caller. */
  directory: string
  password: string
  durable: boolean
  extraArgs: readonly string[]
  log: (line: string) => void
}

const USER = 'service'

/** Runs at every start, before the server listens, so that the account is always as we know it. */
const accountSql = (password: string): string => `
CREATE USER IF NOT EXISTS '${USER}'@'127.0.0.1' IDENTIFIED BY '${password}';
ALTER USER '${USER}'@'127.0.0.1' IDENTIFIED BY '${password}';
GRANT ALL PRIVILEGES ON *.* TO '${USER}'@'127.0.0.1' WITH GRANT OPTION;
`

/** The X protocol's second port and MySQL's folder for imports belong to a system's server. */
const MYSQL_ONLY = ['--mysqlx=OFF', '--secure-file-priv=NULL']

/**
 * Starts the installed server on a data directory of its own, as the current user, for one account
 * on 127.0.0.1. It reads no configuration file and shares nothing with a server of the system.
 *
 * @throws DatabaseServerError
 */
export const startPrivateServer = async (
  binary: ServerBinary,
  { directory, password, durable, extraArgs, log }: PrivateServerOptions,
): Promise<RunningServer> => {
  await stopLeftoverServer(directory)
  makeTemporaryDirectory(directory)
  await prepareDataDirectory(directory, binary, { durable, log })
  const accountFile = `${directory}.sql`
  writeFileSync(accountFile, accountSql(password), { mode: 0o600 })
  try {
    const server = await startOnFreePort({
      directory,
      user: USER,
      password,
      how: `${binary.flavour} ${binary.version}, a private server on ${directory}`,
      patience: 60,
      command: (port) => [
        binary.path,
        '--no-defaults',
        `--datadir=${directory}`,
        `--tmpdir=${temporaryDirectory(directory)}`,
        '--bind-address=127.0.0.1',
        `--port=${port}`,
        // Relative to the data directory, which others cannot enter; no path is too long this way.
        '--socket=server.sock',
        `--pid-file=${PID_FILE}`,
        `--init-file=${accountFile}`,
        ...(process.getuid?.() === 0 ? ['--user=root'] : []),
        ...(binary.flavour === 'MySQL' ? MYSQL_ONLY : []),
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
