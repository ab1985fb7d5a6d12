import { randomBytes } from 'node:crypto'
import { access, constants, readFile, rename, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import {
  CANNOT_WRITE,
  type CheckedCopy,
  type CopyFiles,
  type CopyReader,
  type CopyStore,
  type CopyStoreContext,
  CopyTargetError,
  type CopyWriter,
  type OwnedCopy,
  type PublicationNumbers,
  type ReadCopy,
  type ReaderOptions,
  type StoreInspection,
} from './copy-store.ts'
import { unlessMissing } from './file-not-found.ts'
import { FolderJobs } from './folder-jobs.ts'
import {
  createNumbersFolder,
  readFolderNumbers,
  removeNumbers,
  storeFolderNumber,
} from './folder-numbers.ts'
import type { NetworkIdentity } from './network-identity.ts'
import { MARKER, NetworkMarker } from './network-marker.ts'
import { createStaging, fenceStaging, listStaging, removeStaging } from './staging.ts'
import { readCopy } from './static-copy.ts'
import { StaticCopyCache } from './static-copy-cache.ts'
import { copyFolderForUrl } from './static-path.ts'

/** The folder of the static copies. */
export class StaticFolder implements CopyStore {
  readonly name: string
  readonly setting = 'STATIC_DIR'
  readonly rewriteMs = 0
  readonly #path: string
  readonly #jobs: FolderJobs
  readonly #marker: NetworkMarker

  constructor(options: CopyStoreContext & { readonly staticDir: string }) {
    this.#path = resolve(options.staticDir)
    this.name = this.#path
    this.#jobs = new FolderJobs(this.#path, options.db.timings.threads)
    const marker = join(this.#path, MARKER)
    this.#marker = new NetworkMarker(options, {
      name: this.#path,
      path: this.#path,
      read: () => readFile(marker, 'utf8').catch(unlessMissing),
      prepare: () => this.#jobs.createFolder(),
      write: (text) => this.#writeWhole(marker, text),
      texts: {
        marker: 'its file',
        ifForeign: 'STATIC_DIR to a folder of its own',
        ifMissing: `Mount the file system that belongs there. If the folder is new on purpose, create the file: mkdir -p '${this.#path}' && touch '${marker}'`,
      },
    })
  }

  async open(): Promise<void> {
    if (await this.#marker.open()) await createNumbersFolder(this.#path)
  }

  async #writeWhole(path: string, text: string): Promise<void> {
    const written = `${path}.${randomBytes(4).toString('hex')}`
    await writeFile(written, text)
    try {
      await rename(written, path)
    } finally {
      await rm(written, { force: true })
    }
  }

  async test(): Promise<void> {
    const problem = await findFolderProblem(this.#path)
    if (problem !== undefined) throw new CopyTargetError(CANNOT_WRITE + problem)
  }

  inspect(network: NetworkIdentity): Promise<StoreInspection> {
    return this.#marker.inspect(network)
  }

  locate(url: string): string | undefined {
    return copyFolderForUrl(this.#path, url)
  }

  check(site: number, copies: readonly CheckedCopy[]): Promise<CopyFiles[]> {
    return this.#jobs.check(site, copies)
  }

  list(): AsyncIterable<OwnedCopy> {
    return this.#jobs.list()
  }

  async read(_site: number, location: string): Promise<ReadCopy | undefined> {
    const copy = await readCopy(this.#path, location)
    return copy && { html: copy.html, owner: copy.owner }
  }

  async begin(site: number, owner: string): Promise<CopyWriter> {
    const staging = await createStaging(this.#path, owner)
    const change = { site, owner, staging }
    return {
      write: (copies) => this.#jobs.write(change, copies),
      remove: (copies) => this.#jobs.remove(change, copies),
      end: () => removeStaging(staging),
    }
  }

  fence(owner: string): Promise<void> {
    return fenceStaging(this.#path, owner)
  }

  owners(): Promise<string[]> {
    return listStaging(this.#path)
  }

  marks(raise?: { bucket: number; number: number }): Promise<PublicationNumbers> {
    if (raise === undefined) return readFolderNumbers(this.#path)
    return storeFolderNumber(this.#path, raise.bucket, raise.number)
  }

  openReader(options: ReaderOptions): CopyReader {
    return new StaticCopyCache(this.#path, options)
  }

  async removeMarker(): Promise<void> {
    await rm(join(this.#path, MARKER), { force: true })
    await removeNumbers(this.#path)
  }

  close(): Promise<void> {
    return this.#jobs.close()
  }
}

/** Why no copies can be written; undefined if they can. A missing folder is no problem: the first copy creates it. Writes nothing. */
async function findFolderProblem(staticDir: string): Promise<string | undefined> {
  const path = await nearestExisting(staticDir)
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
  const stats = await stat(path).catch(unlessMissing)
  return stats || dirname(path) === path ? path : nearestExisting(dirname(path))
}
