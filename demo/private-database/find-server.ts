import { spawn, spawnSync } from 'node:child_process'
import { accessSync, closeSync, constants, existsSync } from 'node:fs'
import { join } from 'node:path'
import { openServerLog, readCause } from './server-failure.ts'

export interface ServerBinary {
  flavour: 'MariaDB' | 'MySQL'
  /** As the binary tells it: `10.11.6`. */
  version: string
  path: string
  /** MariaDB's program that makes a data directory; MySQL's server does it itself. */
  installer?: string
}

/** Where servers live that `PATH` does not show: Debian keeps `/usr/sbin` from ordinary users. */
const WELL_KNOWN = [
  '/usr/sbin',
  '/usr/bin',
  '/usr/local/sbin',
  '/usr/local/bin',
  '/usr/libexec',
  '/usr/local/mysql/bin',
  '/opt/homebrew/bin',
]

const findProgram = (directories: readonly string[], name: string): string | undefined =>
  directories
    .map((directory) => join(directory, name))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK)
        return true
      } catch {
        return false
      }
    })

/**
 * The installed database server, MariaDB before MySQL. A MariaDB without the two programs that make
 * a data directory (Debian splits them over two packages) is as good as none.
 *
 * @param path directories to look in before the well-known ones, as in the variable `PATH`
 */
export const findServerBinary = (
  path = '',
  wellKnown: readonly string[] = WELL_KNOWN,
): ServerBinary | undefined => {
  const directories = [...path.split(':').filter(Boolean), ...wellKnown]
  const server = findProgram(directories, 'mariadbd') ?? findProgram(directories, 'mysqld')
  if (!server) return undefined
  const said = spawnSync(server, ['--no-defaults', '--version'], { encoding: 'utf8' }).stdout
  const version = /Ver (\d+\.\d+\.\d+)/.exec(said)?.[1]
  if (!version) return undefined
  if (!said.includes('MariaDB')) return { flavour: 'MySQL', version, path: server }
  const installer =
    findProgram(directories, 'mariadb-install-db') ?? findProgram(directories, 'mysql_install_db')
  if (!installer || !findProgram(directories, 'my_print_defaults')) return undefined
  return { flavour: 'MariaDB', version, path: server, installer }
}

/**
 * The server and the tools that make its data directory. Neither package has a service, a system
 * user or an installation script: nothing is started. (`mariadb-server` has all three.)
 */
const PACKAGES = ['mariadb-server-core', 'mariadb-client-core']

const run = (output: number, ...args: string[]): Promise<number | null> =>
  new Promise((settle) => {
    const child = spawn(
      'env',
      ['DEBIAN_FRONTEND=noninteractive', 'NEEDRESTART_SUSPEND=1', 'apt-get', '--yes', ...args],
      // Away from the terminal's Ctrl-C: a package half unpacked is worse than a late exit.
      { detached: true, stdio: ['ignore', output, output] },
    )
    child.once('exit', settle)
    child.once('error', () => settle(null))
  })

/**
 * Installs MariaDB with apt-get, on Debian and as root only.
 *
 * @returns why it is not installed, or undefined when it is
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
    // Old package lists may do, so only the installation's own failure counts.
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
