import {
  closeSync,
  fdatasync,
  fstatSync,
  futimesSync,
  openSync,
  realpathSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib'
import { forEachBounded } from '../../host/concurrency/for-each.ts'
import {
  type CopyFolders,
  checkCopy,
  fileTimeOf,
  makeFolderInside,
  moveFile,
  readCopyFolder,
  removeCopy,
  removeEmptyFolders,
  StagingGone,
  syncFolder,
} from './copy-files.ts'
import type {
  CheckedCopy,
  CopyFiles,
  NewCopy,
  OwnedCopy,
  PlacedCopy,
  WrittenCopy,
} from './copy-store.ts'
import { isGone } from './file-not-found.ts'
import { makeFolder } from './make-folder.ts'
import { BROTLI_FILE, type CopyOwner, GZIP_FILE, OWNER_FILE } from './static-copy.ts'
import { COPY_FILE } from './static-path.ts'
import { codeOf, isOutageCode } from './storage-error.ts'

// The jobs of a worker thread, called by their names (`FolderJobs`). Jobs and results are plain data.

/** Copies to change for a writer. */
export type ChangeJob<Copy> = {
  /** Absolute path. */
  readonly staticDir: string
  /** Path of the writer's staging folder. */
  readonly staging: string
  /** Blog id. */
  readonly site: number
  readonly copies: readonly Copy[]
}

/** An error of one copy; `code`: that of the system, or of a `StaticPathError`; empty if there is none. */
export type FileError = { readonly code: string; readonly message: string }

/** The outcome for each copy. `lost`: the staging folder is gone. */
export type Outcomes<T> = readonly (T | { readonly error: FileError })[] | 'lost'

/** Compares copies with their records, see `CopyStore.check`. */
export function compareCopies({
  site,
  copies,
}: {
  readonly site: number
  readonly copies: readonly (CheckedCopy & { readonly location: string | undefined })[]
}): CopyFiles[] {
  return copies.map((copy) =>
    copy.location === undefined ? 'missing' : checkCopy(site, copy.location, copy),
  )
}

/** Reads some folders: the folders in them, and their copies that have an owner. */
export function readFolders({ folders }: { readonly folders: readonly string[] }) {
  const inner: string[] = []
  const copies: OwnedCopy[] = []
  for (const path of folders) {
    const { folders, copy } = readCopyFolder(path)
    inner.push(...folders)
    if (copy) copies.push(copy)
  }
  return { folders: inner, copies }
}

/** Creates a folder. @returns why that failed, and the path that cannot be created */
export function createFolder({
  path,
}: {
  readonly path: string
}): { readonly code: string; readonly at: string } | undefined {
  try {
    makeFolder(path)
    return undefined
  } catch (error) {
    return { code: codeOf(error), at: (error as NodeJS.ErrnoException).path ?? path }
  }
}

/** Files that are synced concurrently. They share a commit of the file system's journal. The process has four threads for such calls. */
const SYNCS_AT_ONCE = 3

const sync = promisify(fdatasync)

/**
 * Writes copies with their compressed forms: all of them to the staging folder, which is synced in one group, then each is renamed to its folder. A
 * reader sees either the old or the new bytes of each file, also after a crash. A copy that fails does not affect the others, unless the
 * disk accepts no data.
 */
export function writeCopies(job: ChangeJob<NewCopy>): Promise<Outcomes<WrittenCopy>> {
  return unlessLost(job, async (folders) => {
    const { site, copies } = job
    const staged = new Map<NewCopy, StagedCopy>()
    const errors = new Map<NewCopy, FileError>()
    try {
      forEachCopy(copies, errors, (copy) => staged.set(copy, stageCopy(folders, site, copy)))
      await syncStaged(staged, errors)
      const changed = new Map<NewCopy, readonly string[]>()
      forEachCopy(staged.keys(), errors, (copy) => changed.set(copy, installCopy(folders, copy)))
      const synced = new Set<string>()
      forEachCopy(changed.keys(), errors, (copy) => {
        for (const folder of changed.get(copy) ?? []) {
          if (!synced.has(folder)) syncFolder(folder)
          synced.add(folder)
        }
      })
    } finally {
      for (const { files } of staged.values()) closeFiles(files)
    }
    return copies.map((copy) => {
      const error = errors.get(copy)
      return error ? { error } : (staged.get(copy) as StagedCopy).written
    })
  })
}

/** Removes copies. */
export function removeCopies(job: ChangeJob<PlacedCopy>): Promise<Outcomes<object>> {
  return unlessLost(job, async (folders) => {
    const changed = new Set<string>()
    const errors = new Map<PlacedCopy, FileError>()
    forEachCopy(job.copies, errors, (copy) => {
      const left = removeCopy(folders, job.site, copy)
      if (left !== undefined) changed.add(left)
    })
    for (const folder of changed) syncFolder(folder)
    return job.copies.map((copy) => {
      const error = errors.get(copy)
      return error ? { error } : {}
    })
  })
}

async function unlessLost<T>(
  { staticDir, staging }: Omit<CopyFolders, 'root'>,
  change: (folders: CopyFolders) => Promise<Outcomes<T>>,
): Promise<Outcomes<T>> {
  try {
    return await change({ root: realpathSync.native(staticDir), staticDir, staging })
  } catch (error) {
    if (error instanceof StagingGone || isGone(error)) return 'lost'
    throw error
  }
}

/** Calls `work` for each copy without an error. An error of the whole disk is that of all further copies, too. */
function forEachCopy<Copy extends PlacedCopy>(
  copies: Iterable<Copy>,
  errors: Map<Copy, FileError>,
  work: (copy: Copy) => void,
): void {
  let outage: FileError | undefined
  for (const copy of copies) {
    if (errors.has(copy)) continue
    try {
      if (outage) errors.set(copy, outage)
      else work(copy)
    } catch (thrown) {
      if (thrown instanceof StagingGone) throw thrown
      const error = describeError(thrown)
      errors.set(copy, error)
      if (isOutageCode(error.code)) outage = error
    }
  }
}

const describeError = (error: unknown): FileError => ({
  code: codeOf(error),
  message: error instanceof Error ? error.message : String(error),
})

/** A copy in the staging folder, with its open files. */
type StagedCopy = { readonly written: WrittenCopy; readonly files: number[] }

function stageCopy({ staging }: CopyFolders, site: number, copy: NewCopy): StagedCopy {
  const { page, url, shown, isOwned, fileTime } = copy
  const { html, gzip, brotli } = encode(copy.html)
  // The random fraction distinguishes copies that are written in the same millisecond.
  const time = fileTime === undefined ? (Date.now() + Math.random()) / 1000 : secondsOf(fileTime)
  const files: number[] = []
  const stage = (name: string, bytes: Buffer) => {
    const file = createFile(join(staging, stagedName(page, name)))
    files.push(file)
    for (let from = 0; from < bytes.length; ) from += writeSync(file, bytes, from)
    futimesSync(file, time, time)
    return file
  }
  try {
    const fileTime = fileTimeOf(fstatSync(stage(COPY_FILE, html)))
    stage(GZIP_FILE, gzip)
    stage(BROTLI_FILE, brotli)
    const owner: CopyOwner = { site, page, url, shown }
    if (!isOwned) stage(OWNER_FILE, Buffer.from(JSON.stringify(owner)))
    const bytes = html.length + gzip.length + brotli.length
    return { written: { fileTime, htmlBytes: html.length, bytes }, files }
  } catch (error) {
    closeFiles(files)
    throw error
  }
}

/** At this level Brotli compresses 50% better than gzip in the same time; higher levels would delay the write. */
const BROTLI_QUALITY = 5

/** Compresses a copy: about a millisecond for 20 KB. */
function encode(text: string) {
  const html = Buffer.from(text)
  const params = {
    [zlib.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [zlib.BROTLI_PARAM_SIZE_HINT]: html.length,
  }
  return { html, gzip: gzipSync(html), brotli: brotliCompressSync(html, { params }) }
}

/** In the middle of the microsecond: fractions are cut off on the way to the file system. */
const secondsOf = (fileTime: number): number => (fileTime + 0.5) / 1e6

function createFile(path: string): number {
  try {
    return openSync(path, 'w')
  } catch (error) {
    throw isGone(error) ? new StagingGone() : error
  }
}

const stagedName = (page: number, name: string): string => `${page}.${name}`

/** The data of a file must be on disk before the file is visible: a crash could leave an empty file otherwise. */
async function syncStaged(
  staged: ReadonlyMap<NewCopy, StagedCopy>,
  errors: Map<NewCopy, FileError>,
): Promise<void> {
  const files = [...staged].flatMap(([copy, { files }]) => files.map((file) => ({ copy, file })))
  await forEachBounded(files, SYNCS_AT_ONCE, async ({ copy, file }) => {
    try {
      await sync(file)
    } catch (error) {
      errors.set(copy, describeError(error))
    }
  })
  for (const { files } of staged.values()) closeFiles(files)
}

function closeFiles(files: number[]): void {
  for (const file of files.splice(0)) closeSync(file)
}

/** Attempts at one copy: another writer may remove its folder, which is empty, at the same time. */
const MAX_ATTEMPTS = 3

/**
 * Renames the files of a copy to their folder, the HTML last.
 * @returns the folders to sync
 */
function installCopy(
  { root, staticDir, staging }: CopyFolders,
  { page, location: folder, isOwned }: NewCopy,
): readonly string[] {
  const names = [...(isOwned ? [] : [OWNER_FILE]), GZIP_FILE, BROTLI_FILE, COPY_FILE]
  const changed: string[] = []
  try {
    for (let attempt = 1; ; attempt += 1) {
      changed.push(...makeFolderInside(root, folder))
      while (names[0] !== undefined) {
        const [name] = names
        const from = join(staging, stagedName(page, name))
        if (!moveFile(staging, from, join(folder, name))) break
        names.shift()
      }
      if (names.length === 0) return changed
      if (attempt === MAX_ATTEMPTS) throw new Error(`${folder} was removed while it was written`)
    }
  } catch (error) {
    removeEmptyFolders(staticDir, folder)
    throw error
  }
}
