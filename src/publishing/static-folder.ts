import { randomBytes } from 'node:crypto'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Database } from '../db/database.ts'
import { isDatabaseUnavailable, isDenied } from '../db/database-error.ts'
import type { Log } from '../log.ts'
import type { GlobalTables } from '../wordpress/network/site.ts'
import type { CopyFailure } from './copy-failure.ts'
import type {
  CopyQuery,
  CopyQuota,
  FormerCopy,
  FoundCopy,
  NewCopy,
  WrittenFiles,
} from './copy-jobs.ts'
import {
  type CopyClaim,
  type CopyReader,
  type CopyTarget,
  CopyTargetError,
  type OwnedCopy,
  type PublicationNumbers,
  type ReadCopy,
  type ReaderOptions,
  UnusableTargetError,
} from './copy-target.ts'
import { CopyWriter, type WriteTarget } from './copy-writer.ts'
import {
  findForeignFolder,
  findMissingMarker,
  findStaticFolderProblem,
  foldersTable,
  MARKER,
  pathDigest,
  pathExists,
  readFolderNetwork,
} from './folder-marker.ts'
import {
  createNumbersFolder,
  readFolderNumbers,
  removeNumbers,
  storeFolderNumber,
} from './folder-numbers.ts'
import { listOwnedCopies } from './list-owned-copies.ts'
import { makeFolder } from './make-folder.ts'
import type { NetworkIdentities, NetworkIdentity } from './network-identity.ts'
import { createStaging, fenceClaim, listStaging } from './staging.ts'
import { type CopyOwner, readCopy, readOwner } from './static-copy.ts'
import { StaticCopyCache } from './static-copy-cache.ts'
import { copyFolderForUrl } from './static-path.ts'

const MARKER_TEXT =
  'This folder contains the static copies of wp-frames. Without this file wp-frames writes nothing here, because the file system may not be mounted.\n'

/** The last line of the marker file: the network that the folder belongs to. */
const networkLine = (identity: string): string => `network: ${identity}\n`

export type StaticFolderOptions = {
  readonly db: Database
  readonly globals: GlobalTables
  readonly staticDir: string
  readonly log: Log
  readonly identities: NetworkIdentities
}

/**
 * The folder of the static copies. It is used only if it contains the marker file, which names the network that it belongs to. The first use
 * of a path creates the file. The table `svc_static_folders` records the paths that were used; a folder without the marker file at one of
 * these paths is rejected.
 */
export class StaticFolder implements CopyTarget {
  readonly name: string
  readonly setting = 'STATIC_DIR'
  readonly rewriteMs = 0
  readonly #options: StaticFolderOptions
  readonly #path: string
  readonly #writer: CopyWriter
  #isRecorded = false

  constructor(options: StaticFolderOptions) {
    this.#options = options
    this.#writer = new CopyWriter(options.db.timings.threads)
    this.#path = resolve(options.staticDir)
    this.name = this.#path
  }

  async assertOwn(): Promise<void> {
    const network = { ...(await this.#options.identities.read()), isKnownDatabase: true }
    const problem = await findForeignFolder(network, this.#path)
    if (problem !== undefined) throw new CopyTargetError(problem)
  }

  async assertPresent(): Promise<void> {
    const { db, globals, log, identities } = this.#options
    const network = await identities.read().catch((error: unknown) => {
      // Without a database nothing is published, and it is not the folder that is at fault.
      if (!isDatabaseUnavailable(error)) throw error
    })
    if (network === undefined) return
    const problem = await findForeignFolder(network, this.#path)
    if (problem !== undefined) throw new CopyTargetError(problem)
    if (!(await pathExists(join(this.#path, MARKER)))) {
      const missing = await findMissingMarker(db, globals, this.#path)
      if (missing !== undefined) throw new CopyTargetError(missing)
      await this.#create()
      await this.#mark(network)
      log.info({ folder: this.#path }, `static folder: ${MARKER} was created`)
    } else if ((await readFolderNetwork(this.#path)) === undefined) {
      await this.#mark(network)
      log.info({ folder: this.#path }, `static folder: ${MARKER} names this network now`)
    }
    await createNumbersFolder(this.#path)
    if (!this.#isRecorded) await this.#record()
  }

  async #create(): Promise<void> {
    try {
      await makeFolder(this.#path)
    } catch (error) {
      const { code, path } = error as NodeJS.ErrnoException
      throw new UnusableTargetError(
        `The folder of the static copies "${this.#path}" does not exist, and "${path}" cannot be created (${code}). Create it for the operating system user of the service, or set STATIC_DIR to another folder`,
      )
    }
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

  /** Also creates a missing folder. Throws if the folder is not writable or the disk is full. */
  async assertWritable(): Promise<void> {
    await this.assertPresent()
    await this.#create()
    const problem = await findStaticFolderProblem(this.#path)
    if (problem !== undefined) throw new Error(`static copies cannot be written: ${problem}`)
  }

  readNetwork(): Promise<string | undefined> {
    return readFolderNetwork(this.#path)
  }

  findWriteProblem(): Promise<string | undefined> {
    return findStaticFolderProblem(this.#path)
  }

  findMissing(): Promise<string | undefined> {
    const { db, globals } = this.#options
    return findMissingMarker(db, globals, this.#path)
  }

  findForeign(network: NetworkIdentity): Promise<string | undefined> {
    return findForeignFolder({ ...network, isKnownDatabase: true }, this.#path)
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

  locate(url: string): string | undefined {
    return copyFolderForUrl(this.#path, url)
  }

  find(site: number, copies: readonly CopyQuery[]): Promise<(FoundCopy | null)[]> {
    return this.#writer.find(site, copies)
  }

  listOwned(): AsyncIterable<OwnedCopy> {
    return listOwnedCopies(this.#path)
  }

  readOwner(location: string): Promise<CopyOwner | undefined> {
    return readOwner(location)
  }

  async read(_site: number, location: string): Promise<ReadCopy | undefined> {
    const copy = await readCopy(this.#path, location)
    return copy && { html: copy.html, owner: copy.owner }
  }

  async openClaim(site: number, claimId: string): Promise<CopyClaim> {
    const staging = await createStaging(this.#path, claimId)
    return new FolderClaim(this.#writer, { staticDir: this.#path, staging, site })
  }

  fenceClaim(claimId: string): Promise<void> {
    return fenceClaim(this.#path, claimId)
  }

  listClaims(): Promise<string[]> {
    return listStaging(this.#path)
  }

  readNumbers(): Promise<PublicationNumbers> {
    return readFolderNumbers(this.#path)
  }

  storeNumber(bucket: number, number: number): Promise<void> {
    return storeFolderNumber(this.#path, bucket, number)
  }

  openReader(options: ReaderOptions): CopyReader {
    return new StaticCopyCache(this.#path, options)
  }

  async removeMarker(): Promise<void> {
    await rm(join(this.#path, MARKER), { force: true })
    await removeNumbers(this.#path)
  }

  close(): Promise<void> {
    return this.#writer.close()
  }
}

/** A claim and its staging folder. */
class FolderClaim implements CopyClaim {
  readonly #writer: CopyWriter
  readonly #target: WriteTarget
  publication: Promise<void> | undefined

  constructor(writer: CopyWriter, target: WriteTarget) {
    this.#writer = writer
    this.#target = target
  }

  get growth(): number {
    return this.#target.staging.growth
  }

  set growth(bytes: number) {
    this.#target.staging.growth = bytes
  }

  write(
    copies: readonly NewCopy[],
    findQuota?: () => Promise<CopyQuota>,
  ): Promise<Map<number, WrittenFiles | 'over' | CopyFailure>> {
    return this.#writer.write(this.#target, copies, findQuota)
  }

  remove(copies: readonly FormerCopy[]): Promise<Map<number, CopyFailure>> {
    return this.#writer.remove(this.#target, copies)
  }

  assertPresent(): Promise<void> {
    return this.#target.staging.assertPresent()
  }

  end(): Promise<void> {
    return this.#target.staging.remove()
  }
}
