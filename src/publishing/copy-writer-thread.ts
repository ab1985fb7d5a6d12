import {
  closeSync,
  fdatasync,
  fstatSync,
  futimesSync,
  openSync,
  realpathSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { forEachBounded } from '../concurrency/for-each.ts'
import {
  type CopyFolders,
  describeError,
  fileTimeOf,
  findCopy,
  moveFile,
  removeCopy,
  removeEmptyFolders,
  StagingGone,
  syncFolder,
} from './copy-files.ts'
import type {
  CopyQuery,
  CopyQuota,
  FindJob,
  FoundCopy,
  NewCopy,
  Outcomes,
  RemoveJob,
  RemoveOutcome,
  WriteJob,
  WriteOutcome,
  WrittenFiles,
} from './copy-jobs.ts'
import { bytesOfCopy, type EncodedCopy, encodeCopy } from './encode-copy.ts'
import { isGone } from './file-not-found.ts'
import { BROTLI_FILE, GZIP_FILE, OWNER_FILE } from './static-copy.ts'
import { COPY_FILE, makeFolderInside } from './static-path.ts'
import { isOutageCode } from './storage-error.ts'
import { isIntact } from './verify-copy.ts'

// The jobs of a worker thread, called by their names (`CopyWriter`).

/** Files that are synced concurrently. They share a commit of the file system's journal. The process has four threads for such calls. */
const SYNCS_AT_ONCE = 3

const sync = promisify(fdatasync)

/** Finds the copies of pages; null for a page that has none. */
export function findCopies({ copies }: FindJob): readonly (FoundCopy | null)[] {
  return copies.map(findIntactCopy)
}

/** A copy whose contents are not as recorded counts as replaced. */
function findIntactCopy({ digest, ...query }: CopyQuery): FoundCopy | null {
  const found = findCopy(query)
  if (!found?.isAsRecorded || digest === undefined) return found
  if (isIntact(query.location, digest)) return found
  const { recorded: _, ...unrecorded } = query
  return findCopy(unrecorded)
}

/**
 * Writes copies with their compressed forms: all of them to the staging folder, which is synced in one group, then each is renamed to its folder. A
 * reader sees either the old or the new bytes of each file, also after a crash. A copy that fails does not affect the others, unless the
 * disk accepts no data.
 */
export async function writeCopies(job: WriteJob): Promise<Outcomes<WriteOutcome>> {
  const outcomes = new Map<NewCopy, WriteOutcome>()
  const staged = new Map<NewCopy, StagedCopy>()
  try {
    const folders = foldersOf(job)
    stageCopies(job, staged, outcomes)
    await syncStaged(staged, outcomes)
    const changed = new Map<NewCopy, readonly string[]>()
    forEachCopy(staged.keys(), outcomes, (copy) => {
      changed.set(copy, installCopy(folders, copy))
    })
    syncFolders(changed, outcomes)
  } catch (error) {
    if (error instanceof StagingGone) return 'lost'
    throw error
  } finally {
    for (const { files } of staged.values()) closeFiles(files)
  }
  return job.copies.map((copy) => outcomes.get(copy) ?? (staged.get(copy) as StagedCopy).written)
}

/** Removes copies. */
export function removeCopies(job: RemoveJob): Outcomes<RemoveOutcome> {
  const outcomes: RemoveOutcome[] = []
  const changed = new Set<string>()
  try {
    const folders = foldersOf(job)
    for (const copy of job.copies) {
      try {
        const left = removeCopy(folders, copy)
        if (left !== undefined) changed.add(left)
        outcomes.push({})
      } catch (error) {
        if (error instanceof StagingGone) throw error
        outcomes.push({ error: describeError(error) })
      }
    }
    for (const folder of changed) syncFolder(folder)
    return outcomes
  } catch (error) {
    if (error instanceof StagingGone) return 'lost'
    throw error
  }
}

/** @throws StagingGone if the folder of the static copies is gone */
function foldersOf({ staticDir, staging }: Omit<CopyFolders, 'root'>): CopyFolders {
  try {
    return { root: realpathSync.native(staticDir), staticDir, staging }
  } catch (error) {
    throw isGone(error) ? new StagingGone() : error
  }
}

/** A copy in the staging folder, with its open files. */
type StagedCopy = { readonly written: WrittenFiles; readonly files: number[] }

/** Calls `work` for each copy without an outcome. An error becomes the outcome, of all further copies too if the disk accepts no data. */
function forEachCopy(
  copies: Iterable<NewCopy>,
  outcomes: Map<NewCopy, WriteOutcome>,
  work: (copy: NewCopy) => void,
): void {
  let failure: WriteOutcome | undefined
  for (const copy of copies) {
    if (outcomes.has(copy)) continue
    try {
      if (failure) outcomes.set(copy, failure)
      else work(copy)
    } catch (error) {
      if (error instanceof StagingGone) throw error
      const outcome = { error: describeError(error) }
      outcomes.set(copy, outcome)
      if (isOutageCode(outcome.error.code)) failure = outcome
    }
  }
}

function stageCopies(
  { staging, copies, quota }: WriteJob,
  staged: Map<NewCopy, StagedCopy>,
  outcomes: Map<NewCopy, WriteOutcome>,
): void {
  let used = quota?.used ?? 0
  forEachCopy(copies, outcomes, (copy) => {
    const encoded = encodeCopy(copy.html)
    const growth = bytesOfCopy(encoded) - copy.replacedBytes
    if (exceeds(quota, used, growth)) return void outcomes.set(copy, { over: true })
    staged.set(copy, stageCopy(staging, copy, encoded))
    used += growth
  })
}

/** A copy that does not grow is always accepted. */
function exceeds(quota: CopyQuota | undefined, used: number, growth: number): boolean {
  return quota !== undefined && growth > 0 && used + growth > quota.limit
}

function stageCopy(
  staging: string,
  { page, owner, fileTime }: NewCopy,
  encoded: EncodedCopy,
): StagedCopy {
  // The random fraction distinguishes copies that are written in the same millisecond.
  const time = fileTime === undefined ? (Date.now() + Math.random()) / 1000 : secondsOf(fileTime)
  const files: number[] = []
  const stage = (name: string, bytes: Buffer) => {
    const file = createFile(staging, stagedName(page, name))
    files.push(file)
    for (let from = 0; from < bytes.length; ) from += writeSync(file, bytes, from)
    futimesSync(file, time, time)
    return file
  }
  try {
    const html = stage(COPY_FILE, encoded.html)
    stage(GZIP_FILE, encoded.gzip)
    stage(BROTLI_FILE, encoded.brotli)
    if (owner !== undefined) stage(OWNER_FILE, Buffer.from(owner))
    const fileTime = fileTimeOf(fstatSync(html))
    const htmlBytes = encoded.html.length
    return { written: { fileTime, htmlBytes, bytes: bytesOfCopy(encoded) }, files }
  } catch (error) {
    closeFiles(files)
    throw error
  }
}

/** In the middle of the microsecond: fractions are cut off on the way to the file system. */
const secondsOf = (fileTime: number): number => (fileTime + 0.5) / 1e6

function createFile(staging: string, name: string): number {
  try {
    return openSync(join(staging, name), 'w')
  } catch (error) {
    throw isGone(error) ? new StagingGone() : error
  }
}

const stagedName = (page: number, name: string): string => `${page}.${name}`

/** The data of a file must be on disk before the file is visible: a crash could leave an empty file otherwise. */
async function syncStaged(
  staged: ReadonlyMap<NewCopy, StagedCopy>,
  outcomes: Map<NewCopy, WriteOutcome>,
): Promise<void> {
  const files = [...staged].flatMap(([copy, { files }]) => files.map((file) => ({ copy, file })))
  await forEachBounded(files, SYNCS_AT_ONCE, async ({ copy, file }) => {
    try {
      await sync(file)
    } catch (error) {
      outcomes.set(copy, { error: describeError(error) })
    }
  })
  for (const { files } of staged.values()) closeFiles(files)
}

function closeFiles(files: number[]): void {
  for (const file of files.splice(0)) closeSync(file)
}

/** Attempts at one copy: another worker may remove its folder, which is empty, at the same time. */
const MAX_ATTEMPTS = 3

/**
 * Renames the files of a copy to their folder, the HTML last.
 * @returns the folders to sync
 */
function installCopy(folders: CopyFolders, copy: NewCopy): readonly string[] {
  const { page, location: folder, owner } = copy
  const names = [...(owner === undefined ? [] : [OWNER_FILE]), GZIP_FILE, BROTLI_FILE, COPY_FILE]
  const changed: string[] = []
  try {
    for (let attempt = 1; ; attempt += 1) {
      const existing = makeFolderInside(folders.root, folder)
      changed.push(...foldersBetween(folder, existing ?? folder))
      while (names[0] !== undefined) {
        const [name] = names
        const from = join(folders.staging, stagedName(page, name))
        if (!moveFile(folders.staging, from, join(folder, name))) break
        names.shift()
      }
      if (names.length === 0) return changed
      if (attempt === MAX_ATTEMPTS) throw new Error(`${folder} was removed while it was written`)
    }
  } catch (error) {
    removeEmptyFolders(folders.staticDir, folder)
    throw error
  }
}

/** A folder and its parents up to `top`. */
function foldersBetween(folder: string, top: string): string[] {
  return folder === top ? [folder] : [folder, ...foldersBetween(dirname(folder), top)]
}

/** Syncs each folder once. */
function syncFolders(
  changed: ReadonlyMap<NewCopy, readonly string[]>,
  outcomes: Map<NewCopy, WriteOutcome>,
): void {
  const synced = new Set<string>()
  forEachCopy(changed.keys(), outcomes, (copy) => {
    for (const folder of changed.get(copy) ?? []) {
      if (!synced.has(folder)) syncFolder(folder)
      synced.add(folder)
    }
  })
}
