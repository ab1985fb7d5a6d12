import { createHash, randomBytes } from 'node:crypto'
import {
  access,
  constants,
  mkdir,
  readFile,
  rename,
  rm,
  stat,
  statfs,
  writeFile,
} from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Database, Db } from '../db/database.ts'
import { isDatabaseUnavailable, isDenied } from '../db/database-error.ts'
import type { Log } from '../log.ts'
import type { GlobalTables } from '../wordpress/network/site.ts'
import { isFileNotFound } from './file-not-found.ts'
import type { NetworkIdentities, NetworkIdentity } from './network-identity.ts'
import { createNumbersFolder } from './publication-numbers.ts'

/** The marker file. It distinguishes the folder of static copies from the empty mount point of a file system that is not mounted. */
export const MARKER = '.wp-frames'

const MARKER_TEXT =
  'This folder contains the static copies of wp-frames. Without this file wp-frames writes nothing here, because the file system may not be mounted.\n'

/** The last line of the marker file: the network that the folder belongs to. */
const networkLine = (identity: string): string => `network: ${identity}\n`

/** The folder of the static copies must not be used by this database. The message is for the operator: it contains paths. */
export class StaticFolderError extends Error {
  override readonly name = 'StaticFolderError'
}

export type StaticFolderOptions = {
  readonly db: Database
  readonly globals: GlobalTables
  readonly staticDir: string
  readonly log: Log
  readonly identities: NetworkIdentities
}

/**
 * The folder of the static copies. It is used only if it contains the marker file, which names the network that it belongs to. The first use
 * of a path creates the file. The table `svc_static_folders`
 * records the paths that were used; a folder without the marker file at one of these paths is rejected.
 */
export class StaticFolder {
  readonly #options: StaticFolderOptions
  readonly #path: string
  #isRecorded = false

  constructor(options: StaticFolderOptions) {
    this.#options = options
    this.#path = resolve(options.staticDir)
  }

  /**
   * Resolves unless the folder belongs to another network. A moved or copied database may use it, because the operator decides later.
   * @throws StaticFolderError
   */
  async assertOwn(): Promise<void> {
    const network = { ...(await this.#options.identities.read()), isKnownDatabase: true }
    const problem = await findForeignFolder(network, this.#path)
    if (problem !== undefined) throw new StaticFolderError(problem)
  }

  /**
   * Resolves if static copies may be written.
   * @throws StaticFolderError, and errors of the file system and the database
   */
  async assertPresent(): Promise<void> {
    const { db, globals, log, identities } = this.#options
    const network = await identities.read().catch((error: unknown) => {
      // Without a database nothing is published, and it is not the folder that is at fault.
      if (!isDatabaseUnavailable(error)) throw error
    })
    if (network === undefined) return
    const problem = await findForeignFolder(network, this.#path)
    if (problem !== undefined) throw new StaticFolderError(problem)
    if (!(await pathExists(join(this.#path, MARKER)))) {
      const missing = await findMissingMarker(db, globals, this.#path)
      if (missing !== undefined) throw new StaticFolderError(missing)
      await mkdir(this.#path, { recursive: true })
      await this.#mark(network)
      log.info({ folder: this.#path }, `static folder: ${MARKER} was created`)
    } else if ((await readFolderNetwork(this.#path)) === undefined) {
      await this.#mark(network)
      log.info({ folder: this.#path }, `static folder: ${MARKER} names this network now`)
    }
    await createNumbersFolder(this.#path)
    if (!this.#isRecorded) await this.#record()
  }

  /** Writes the marker file whole. Of two databases that do so at the same time, the second one finds the first one's identity afterwards. */
  async #mark(network: NetworkIdentity): Promise<void> {
    const marker = join(this.#path, MARKER)
    const written = `${marker}.${randomBytes(4).toString('hex')}`
    await writeFile(written, MARKER_TEXT + networkLine(network.identity))
    try {
      await rename(written, marker)
    } finally {
      await rm(written, { force: true })
    }
  }

  /**
   * Like `assertPresent`. Also creates a missing folder, and throws if the folder is not writable or the disk is full.
   * @throws Error whose message says what the problem is
   */
  async assertWritable(): Promise<void> {
    await this.assertPresent()
    await mkdir(this.#path, { recursive: true })
    const problem = await findStaticFolderProblem(this.#path)
    if (problem !== undefined) throw new Error(`static copies cannot be written: ${problem}`)
  }

  /** Called after the marker file exists: a crash in between must not leave a folder that is rejected. */
  async #record(): Promise<void> {
    const { db, globals } = this.#options
    const row = { digest: pathDigest(this.#path), path: this.#path }
    try {
      await db.write({}, async (tx) => {
        await tx.sql(foldersTable(globals)).insert(row).onConflict().ignore()
      })
      this.#isRecorded = true
    } catch (error) {
      // The next call retries.
      if (!isDenied(error) && !isDatabaseUnavailable(error)) throw error
    }
  }
}

/** The identity of the network that a folder belongs to; undefined if there is no folder, or its marker file names none. */
export async function readFolderNetwork(staticDir: string): Promise<string | undefined> {
  try {
    const text = await readFile(join(staticDir, MARKER), 'utf8')
    return /^network: ([0-9a-f-]{36})$/m.exec(text)?.[1]
  } catch (error) {
    if (isFileNotFound(error)) return undefined
    throw error
  }
}

/** Why a folder may not be used with this database; undefined if it may, or has no marker file. */
export async function findForeignFolder(
  { identity, isKnownDatabase }: NetworkIdentity,
  staticDir: string,
): Promise<string | undefined> {
  const path = resolve(staticDir)
  const owner = await readFolderNetwork(path)
  if (owner !== undefined && owner !== identity)
    return `"${path}" belongs to another network: its file ${MARKER} names ${owner}, this database is ${identity}. Set STATIC_DIR to a folder of its own, or DATABASE_URL to the database of that network. If this database replaces it, for example from an old backup, run: wp-frames network moved --take-folder`
  return isKnownDatabase ? undefined : MOVED_OR_COPIED
}

/** The operator decides, because a database does not show whether its original is still in use. */
const MOVED_OR_COPIED =
  'The database is at a new name: it was moved or copied. If it was moved, run: wp-frames network moved. If it is a copy and the original stays in use, for example for staging, run: wp-frames network copied. Until then nothing is published and no page cache is purged'

/** Why nothing may be written into a folder: its path was used before and the marker file is missing. Undefined if there is no problem. */
export async function findMissingMarker(
  db: Db,
  globals: GlobalTables,
  staticDir: string,
): Promise<string | undefined> {
  const path = resolve(staticDir)
  const marker = join(path, MARKER)
  if (await pathExists(marker)) return undefined
  const used = await db
    .sql(foldersTable(globals))
    .where({ digest: pathDigest(path) })
    .first('digest')
  return used === undefined
    ? undefined
    : `"${path}" was used for static copies before, but the file ${MARKER} is missing. Mount the file system that belongs there. If the folder is new on purpose, create the file: mkdir -p '${path}' && touch '${marker}'`
}

export const foldersTable = ({ basePrefix }: GlobalTables): string =>
  `${basePrefix}svc_static_folders`

const pathDigest = (path: string): Buffer => createHash('sha256').update(path).digest()

async function pathExists(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    if (isFileNotFound(error)) return false
    throw error
  }
}

/**
 * Why no copies can be written into the folder of the static copies; undefined if they can. A missing folder is no problem: the first copy
 * creates it. The check writes nothing.
 */
export async function findStaticFolderProblem(staticDir: string): Promise<string | undefined> {
  const path = await nearestExisting(resolve(staticDir))
  if (!(await stat(path)).isDirectory()) return `"${path}" is not a folder`
  try {
    await access(path, constants.W_OK | constants.X_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return `"${path}" is not writable (${code})`
  }
  const { bavail } = await statfs(path)
  return bavail === 0 ? `the disk of "${path}" is full` : undefined
}

async function nearestExisting(path: string): Promise<string> {
  try {
    await stat(path)
    return path
  } catch (error) {
    if (isFileNotFound(error) && dirname(path) !== path) return nearestExisting(dirname(path))
    throw error
  }
}
