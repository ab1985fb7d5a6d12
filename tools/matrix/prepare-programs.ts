import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { findServerBinary, type ServerBinary } from '../../demo/private-database/find-server.ts'
import type { Database, NodeMajor } from './options.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const FOLDER = join(ROOT, '.data/matrix')

/** A program of a run. */
export type Prepared = {
  readonly version: string
  /** To put before PATH; undefined if PATH leads to the program. */
  readonly directory: string | undefined
}

/**
 * Downloads a database server unless it is there; `mariadb` is the installed one.
 * @throws Error if there is no such server
 */
export function prepareDatabase(database: Database): Prepared {
  if (database === 'mariadb') {
    const server = findServerBinary(process.env.PATH)
    if (server?.flavour === 'MariaDB') return { version: nameOf(server), directory: undefined }
    throw new Error(
      `The installed database server must be MariaDB, and is ${server ? nameOf(server) : 'missing'}. Install mariadb-server, or choose other --databases.`,
    )
  }
  const folder = join(FOLDER, database)
  run(join(ROOT, '.ci/fetch-server'), [database, folder])
  const directory = join(folder, 'bin')
  const server = findServerBinary(directory, [])
  if (server) return { version: nameOf(server), directory }
  throw new Error(
    `${directory} contains no database server. Delete ${folder} to download it again.`,
  )
}

function nameOf({ flavour, version }: ServerBinary): string {
  return `${flavour} ${version}`
}

/**
 * Downloads a version of Node from the npm registry, unless it runs this program or is there. The packages `node-<platform>-<processor>`
 * contain the binary alone, so no installation script is needed.
 */
export function prepareNode(major: NodeMajor): Prepared {
  if (process.versions.node.startsWith(`${major}.`))
    return { directory: dirname(process.execPath), version: process.versions.node }
  const folder = join(FOLDER, `node-${major}`)
  const name = `node-${process.platform}-${process.arch}`
  const directory = join(folder, 'node_modules', name, 'bin')
  if (!existsSync(join(directory, 'node'))) {
    const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
    run('npm', ['install', '--prefix', folder, '--ignore-scripts', ...quiet, `${name}@${major}`])
  }
  const version = execFileSync(join(directory, 'node'), ['--version'], { encoding: 'utf8' }).trim()
  return { directory, version: version.replace(/^v/, '') }
}

function run(program: string, args: readonly string[]): void {
  execFileSync(program, args, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] })
}
