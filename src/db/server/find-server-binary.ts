import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'

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
