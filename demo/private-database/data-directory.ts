import {
  closeSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { ServerBinary } from './find-server.ts'
import { startGuarded } from './guarded-process.ts'
import { DatabaseServerError, openServerLog, readCause, serverLogFile } from './server-failure.ts'
import { serverArgs } from './start-server.ts'

/**
 * Where a server puts its temporary tables: a folder of its own beside its data. In the system's, servers that start delete
 * one another's files there.
 */
export const temporaryDirectory = (directory: string): string => `${directory}.tmp`

/** Makes it anew, empty. */
export const makeTemporaryDirectory = (directory: string): void => {
  removeTemporaryDirectory(directory)
  mkdirSync(temporaryDirectory(directory), { recursive: true, mode: 0o700 })
}

/** Removes it with what a server left there. */
export const removeTemporaryDirectory = (directory: string): void =>
  rmSync(temporaryDirectory(directory), { recursive: true, force: true })

/** Inside the data directory: which server opened it last (`MariaDB 10.11.6`). */
const MARK_FILE = 'opened-by'

const seriesOf = (version: string): number => {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major * 1000 + minor
}

const markOf = (binary: ServerBinary): string => `${binary.flavour} ${binary.version}`

/** Refuses what the server cannot open, and notes that it has: an older one cannot afterwards. */
const claim = (directory: string, binary: ServerBinary): void => {
  const file = join(directory, MARK_FILE)
  if (!existsSync(file)) {
    throw new DatabaseServerError(
      `The folder ${directory} is not a database of this program: choose another one.`,
    )
  }
  const mark = readFileSync(file, 'utf8')
  if (mark === markOf(binary)) return
  const [flavour, version = ''] = mark.split(' ')
  if (flavour !== binary.flavour || seriesOf(version) > seriesOf(binary.version)) {
    throw new DatabaseServerError(
      `The database in ${directory} belongs to ${mark} and cannot be opened by ` +
        `${markOf(binary)}: delete the folder to begin with an empty one.`,
    )
  }
  writeFileSync(file, markOf(binary))
}

const makeCommand = (binary: ServerBinary, directory: string, args: string[]): string[] =>
  binary.installer
    ? [
        binary.installer,
        '--no-defaults',
        `--datadir=${directory}`,
        '--skip-test-db',
        // Skips looking up the machine's own name, which can take long and is not needed.
        '--force',
        ...args,
      ]
    : [binary.path, '--no-defaults', `--datadir=${directory}`, '--initialize-insecure', ...args]

const makeDataDirectory = async (
  directory: string,
  binary: ServerBinary,
  durable: boolean,
): Promise<void> => {
  const unfinished = `${directory}.new`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { mode: 0o700 })
  makeTemporaryDirectory(unfinished)
  const output = openServerLog(directory)
  // By the environment: the script of MariaDB takes options with spaces in them apart.
  const temporary = ['env', `TMPDIR=${temporaryDirectory(unfinished)}`]
  const command = [...temporary, ...makeCommand(binary, unfinished, serverArgs(durable))]
  const code = await startGuarded(command, { output }).exited
  closeSync(output)
  removeTemporaryDirectory(unfinished)
  if (code !== 0) {
    rmSync(unfinished, { recursive: true, force: true })
    throw new DatabaseServerError(
      `${markOf(binary)} could not make a database in ${directory}: ` +
        `${readCause(directory)} (its log: ${serverLogFile(directory)})`,
    )
  }
  writeFileSync(join(unfinished, MARK_FILE), markOf(binary))
  renameSync(unfinished, directory)
}

/**
 * Makes the data directory if it is not there (or empty), beside its place and renamed when it is
 * complete, so that a killed first start leaves nothing half made.
 *
 * @throws DatabaseServerError when it cannot be made, or another server's data is in it
 */
export const prepareDataDirectory = async (
  directory: string,
  binary: ServerBinary,
  { durable, log }: { durable: boolean; log: (line: string) => void },
): Promise<void> => {
  if (existsSync(directory) && readdirSync(directory).length > 0) {
    claim(directory, binary)
    return
  }
  log(`Making a private database in ${directory} (${markOf(binary)})`)
  await makeDataDirectory(directory, binary, durable)
}
