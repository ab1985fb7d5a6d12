import { createHash } from 'node:crypto'
import { access, constants, mkdir, stat, statfs, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Database, Db } from '../db/database.ts'
import { isDatabaseUnavailable, isDenied } from '../db/database-error.ts'
import type { Log } from '../log.ts'
import type { GlobalTables } from '../wordpress/network/site.ts'
import { isFileNotFound } from './file-not-found.ts'

/** The file that tells the folder of static copies from the empty folder that is there while a file system is not mounted. */
export const MARKER = '.wp-frames'

const MARKER_TEXT =
  'The static copies of wp-frames are in this folder. Without this file nothing is written here: the file system may not be mounted.\n'

/** The folder of the static copies is not the one that was used before. The message is for the operator: it names paths. */
export class StaticFolderError extends Error {
  override readonly name = 'StaticFolderError'
}

export type StaticFolderOptions = {
  readonly db: Database
  readonly globals: GlobalTables
  readonly staticDir: string
  readonly log: Log
}

/**
 * The folder of the static copies, which is used only with its marker file in it. A path that was never used gets the file when it is first
 * looked at, whether the folder is new, empty, or has copies of an older version. The database remembers which paths were used (table
 * `svc_static_folders`); at one of these, a folder without the file is refused.
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
   * Resolves where static copies may be written.
   * @throws StaticFolderError, and errors of the file system and the database
   */
  async assertPresent(): Promise<void> {
    const { db, globals, log } = this.#options
    if (!(await pathExists(join(this.#path, MARKER)))) {
      const fault = await findMissingMarker(db, globals, this.#path)
      if (fault !== undefined) throw new StaticFolderError(fault)
      const hasCopies = await pathExists(join(this.#path, '.pages'))
      await mkdir(this.#path, { recursive: true })
      await writeFile(join(this.#path, MARKER), MARKER_TEXT)
      log.info({ folder: this.#path, hasCopies }, `static folder: ${MARKER} was created`)
    }
    if (!this.#isRecorded) await this.#record()
  }

  /** After the file is there: a crash in between must not leave a folder that is refused. */
  async #record(): Promise<void> {
    const { db, globals } = this.#options
    const row = { digest: pathDigest(this.#path), path: this.#path }
    try {
      await db.write({}, async (tx) => {
        await tx.sql(foldersTable(globals)).insert(row).onConflict().ignore()
      })
      this.#isRecorded = true
    } catch (error) {
      // Tried again with the next look.
      if (!isDenied(error) && !isDatabaseUnavailable(error)) throw error
    }
  }
}

/** Why nothing may be written into a folder: its path was used before, and the marker file is not there. Undefined for any other. */
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
    : `"${path}" was used for static copies before, and the file ${MARKER} is not in it. Mount the file system that belongs there. If the folder is a new one, create the file: mkdir -p '${path}' && touch '${marker}'`
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
 * Why no copies can be written into the folder of the static copies; undefined where they can. One that is not there yet is made with the
 * first copy. Nothing is written to find out.
 */
export async function findStaticFolderProblem(staticDir: string): Promise<string | undefined> {
  const path = await nearestExisting(resolve(staticDir))
  if (!(await stat(path)).isDirectory()) return `"${path}" is no folder`
  try {
    await access(path, constants.W_OK | constants.X_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return `"${path}" can't be written to (${code})`
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

/** Makes the folder of static copies where it is missing; throws where nothing can be written into it, or nothing fits any more. */
export async function assertWritable(staticDir: string): Promise<void> {
  await mkdir(staticDir, { recursive: true })
  const fault = await findStaticFolderProblem(staticDir)
  if (fault !== undefined) throw new Error(`static copies can't be written: ${fault}`)
}
