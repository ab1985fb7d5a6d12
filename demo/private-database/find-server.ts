import { spawn, spawnSync } from 'node:child_process'
import { accessSync, closeSync, constants, existsSync } from 'node:fs'
import { join } from 'node:path'
import { openServerLog, readCause } from './server-failure.ts'

export interface ServerBinary {
  flavour: 'MariaDB' | 'MySQL'
  /** As the binary reports it: `10.11.6`. */
  version: string
  path: string
  /** MariaDB's program that creates a data directory; MySQL's server does it itself. */
  installer?: string
}

/** Common directories of servers that `PATH` may not contain: on Debian, `/usr/sbin` is not in the `PATH` of ordinary users. */
const WELL_KNOWN = [
  '/usr/sbin',
  '/usr/bin',
  '/usr/local/sbin',
  '/usr/local/bin',
  '/usr/libexec',
  '/usr/local/mysql/bin',
  '/opt/homebrew/bin',
]

/** The first of these programs, by directory and then by name. */
const findProgram = (directories: readonly string[], ...names: string[]): string | undefined =>
  directories
    .flatMap((directory) => names.map((name) => join(directory, name)))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK)
        return true
      } catch {
        return false
      }
    })

/**
 * Finds the installed database server, in one directory MariaDB before MySQL. A MariaDB without the two programs that create
 * a data directory (Debian splits them over two packages) does not count.
 *
 * @param path directories to search before the well-known ones, as in the variable `PATH`
 */
export const findServerBinary = (
  path = '',
  wellKnown: readonly string[] = WELL_KNOWN,
): ServerBinary | undefined => {
  const directories = [...path.split(':').filter(Boolean), ...wellKnown]
  const server = findProgram(directories, 'mariadbd', 'mysqld')
  if (!server) return undefined
  const output = spawnSync(server, ['--no-defaults', '--version'], { encoding: 'utf8' }).stdout
  const version = /Ver (\d+\.\d+\.\d+)/.exec(output)?.[1]
  if (!version) return undefined
  if (!output.includes('MariaDB')) return { flavour: 'MySQL', version, path: server }
  const installer = findProgram(directories, 'mariadb-install-db', 'mysql_install_db')
  if (!installer || !findProgram(directories, 'my_print_defaults')) return undefined
  return { flavour: 'MariaDB', version, path: server, installer }
}

/**
 * The server and the tools that create its data directory. Neither package has a service, a system
 * user or an installation script, so nothing is started. (`mariadb-server` has all three.)
 */
const PACKAGES = ['mariadb-server-core', 'mariadb-client-core']

const run = (output: number, ...args: string[]): Promise<number | null> =>
  new Promise((settle) => {
    const child = spawn(
      'env',
      ['DEBIAN_FRONTEND=noninteractive', 'NEEDRESTART_SUSPEND=1', 'apt-get', '--yes', ...args],
      // Detached from the terminal's Ctrl-C: a half-unpacked package is worse than a late exit.
      { detached: true, stdio: ['ignore', output, output] },
    )
    child.once('exit', settle)
    child.once('error', () => settle(null))
  })

/**
 * Installs MariaDB with apt-get, on Debian and as root only.
 *
 * @returns why it could not be installed; undefined if it was installed
 */
export const installWithApt = async (
  directory: string,
  log: (line: string) => void,
): Promise<string | undefined> => {
  if (!existsSync('/etc/debian_version')) return 'this is not Debian'
  if (process.getuid?.() !== 0) return 'this program does not run as root'
  log(`No database found: installing MariaDB with apt-get (${PACKAGES.join(', ')})`)
  const output = openServerLog(directory)
  try {
    // Old package lists may be enough, so only a failure of the installation counts.
    await run(output, 'update')
    const code = await run(
      output,
      'install',
      '--no-install-recommends',
      '--option=DPkg::Lock::Timeout=120',
      ...PACKAGES,
    )
    return code === 0 ? undefined : `apt-get says: ${readCause(directory)}`
  } finally {
    closeSync(output)
  }
}
