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
 * The folder of a server's temporary tables, beside its data. In the system's folder, servers that start delete
 * one another's files.
 */
export const temporaryDirectory = (directory: string): string => `${directory}.tmp`

/** Creates the folder, empty. */
export const createTemporaryDirectory = (directory: string): void => {
  removeTemporaryDirectory(directory)
  mkdirSync(temporaryDirectory(directory), { recursive: true, mode: 0o700 })
}

/** Removes the folder with the files that a server left in it. */
export const removeTemporaryDirectory = (directory: string): void =>
  rmSync(temporaryDirectory(directory), { recursive: true, force: true })

/** Name of a file in the data directory that names the server that opened it last (`MariaDB 10.11.6`). */
const MARK_FILE = 'opened-by'

const seriesOf = (version: string): number => {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major * 1000 + minor
}

const markOf = (binary: ServerBinary): string => `${binary.flavour} ${binary.version}`

/** Refuses a directory that the server cannot open, and records the server: an older one cannot open it afterwards. */
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
        `${markOf(binary)}: delete the folder to start with an empty one.`,
    )
  }
  writeFileSync(file, markOf(binary))
}

const creationCommand = (binary: ServerBinary, directory: string, args: string[]): string[] =>
  binary.installer
    ? [
        binary.installer,
        '--no-defaults',
        `--datadir=${directory}`,
        '--skip-test-db',
        // Skips the lookup of the machine's host name, which is slow and not needed.
        '--force',
        ...args,
      ]
    : [binary.path, '--no-defaults', `--datadir=${directory}`, '--initialize-insecure', ...args]

const createDataDirectory = async (
  directory: string,
  binary: ServerBinary,
  durable: boolean,
): Promise<void> => {
  const unfinished = `${directory}.new`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { mode: 0o700 })
  createTemporaryDirectory(unfinished)
  const output = openServerLog(directory)
  // In the environment: MariaDB's script splits options that contain spaces.
  const temporary = ['env', `TMPDIR=${temporaryDirectory(unfinished)}`]
  const command = [...temporary, ...creationCommand(binary, unfinished, serverArgs(durable))]
  const code = await startGuarded(command, { output }).exited
  closeSync(output)
  removeTemporaryDirectory(unfinished)
  if (code !== 0) {
    rmSync(unfinished, { recursive: true, force: true })
    throw new DatabaseServerError(
      `${markOf(binary)} could not create a database in ${directory}: ` +
        `${readCause(directory)} (its log: ${serverLogFile(directory)})`,
    )
  }
  writeFileSync(join(unfinished, MARK_FILE), markOf(binary))
  renameSync(unfinished, directory)
}

/**
 * Creates the data directory if it is missing or empty. It is filled under another name and renamed when it is
 * complete, so that a killed first start leaves no incomplete directory.
 *
 * @throws DatabaseServerError when it cannot be created, or contains another server's data
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
  log(`Creating a private database in ${directory} (${markOf(binary)})`)
  await createDataDirectory(directory, binary, durable)
}
