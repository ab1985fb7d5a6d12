import type { Dirent } from 'node:fs'
import { lstat, opendir, readdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { forEachBounded } from '../concurrency/for-each.ts'
import { parseGmt } from '../wordpress/dates.ts'
import type { Page } from '../wordpress/pages/posts.ts'
import { isTemporaryFileName } from './atomic-write.ts'
import { pageOfRecord, readRecord, recordsFolder } from './copy-records.ts'
import { isFileNotFound } from './file-not-found.ts'
import { isLockName, withLockFile } from './lock-file.ts'
import { withPageLock } from './page-lock.ts'
import { type CopyOwner, readOwner, removeCopy } from './static-copy.ts'
import { COPY_FILE, copyFolderForUrl } from './static-path.ts'

/** A copy that should exist on disk according to its record. */
export type SurveyedCopy = {
  readonly page: number
  readonly url: string
  /** Milliseconds since 1970. */
  readonly builtAt: number
  /** See `Publication`. */
  readonly sourceFingerprint: string | undefined
  /** True if its file exists. */
  readonly exists: boolean
}

export type CopySurvey = {
  readonly copies: readonly SurveyedCopy[]
  /** Temporary files and locks, and when they were last changed, in milliseconds since 1970. */
  readonly temporaries: readonly { readonly path: string; readonly changedAt: number }[]
}

/** Files read concurrently. */
const FILES_AT_ONCE = 16

/** Reads the records of a site's copies and compares them with the files on disk. */
export async function surveyCopies(staticDir: string, site: number): Promise<CopySurvey> {
  const records = recordsFolder(staticDir, site)
  const copies: SurveyedCopy[] = []
  const entries = await listEntries(records)
  const temporaries = await findTemporaryFiles(entries)
  await forEachBounded(entries, FILES_AT_ONCE, async ({ name }) => {
    const page = pageOfRecord(name)
    const record = page && (await readRecord({ staticDir, site, page }))
    if (!record || record.url === null) return
    const folder = copyFolderForUrl(staticDir, record.url)
    const files = folder === undefined ? [] : await listEntries(folder)
    const { url, built_at: builtAt, made_of: sourceFingerprint } = record
    const exists = files.some((file) => file.name === COPY_FILE && file.isFile())
    copies.push({ page, url, builtAt, sourceFingerprint, exists })
    temporaries.push(...(await findTemporaryFiles(files)))
  })
  return { copies: copies.sort((a, b) => a.page - b.page), temporaries }
}

/** Why a copy is not fresh: its file is missing, the page was edited since, or its frame was built since. */
export type CopyProblem = 'lost' | 'edited' | 'built'

/** @param sourceFingerprint the current one, see `Publication`; undefined if unknown */
export function findCopyProblem(
  copy: SurveyedCopy,
  page: Page,
  sourceFingerprint: string | undefined,
): CopyProblem | undefined {
  if (!copy.exists) return 'lost'
  if (parseGmt(page.modifiedGmt).getTime() > copy.builtAt) return 'edited'
  return sourceFingerprint === undefined || sourceFingerprint === copy.sourceFingerprint
    ? undefined
    : 'built'
}

/** True for the name of a temporary file or of a lock. Both are left behind when a process is killed. */
function isTemporaryName(name: string): boolean {
  return isTemporaryFileName(name) || isLockName(name)
}

/**
 * Removes leftover temporary files and locks. A temporary file that was renamed meanwhile no longer exists under its path. A lock may have a
 * new owner meanwhile, so it is acquired, which ends with its removal.
 */
export async function removeTemporaryFiles(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    if (isLockName(basename(path))) await withLockFile(path, async () => {})
    else if (isTemporaryFileName(basename(path))) await rm(path, { force: true })
  }
}

async function findTemporaryFiles(
  entries: readonly Dirent[],
): Promise<{ path: string; changedAt: number }[]> {
  const found: { path: string; changedAt: number }[] = []
  for (const entry of entries.filter(({ name }) => isTemporaryName(name))) {
    const path = join(entry.parentPath, entry.name)
    const changedAt = await changeTime(path)
    if (changedAt !== undefined) found.push({ path, changedAt })
  }
  return found
}

/** Undefined for a file that was renamed or removed meanwhile. */
async function changeTime(path: string): Promise<number | undefined> {
  try {
    return (await lstat(path)).ctimeMs
  } catch (error) {
    if (isFileNotFound(error)) return undefined
    throw error
  }
}

async function listEntries(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true })
  } catch (error) {
    if (isFileNotFound(error)) return []
    throw error
  }
}

/** A static copy that its page's record does not point to: no later write would find it. */
export type OrphanedCopy = { readonly folder: string; readonly owner: CopyOwner }

/** Finds all orphaned copies. Copies without an owner file were created by hand and do not count. */
export async function* findOrphanedCopies(staticDir: string): AsyncGenerator<OrphanedCopy> {
  const open = [staticDir]
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    let hasCopy = false
    for await (const entry of streamEntries(folder)) {
      // Names that start with a dot are internal; symbolic links may lead out of the folder.
      if (entry.isDirectory() && !entry.name.startsWith('.')) open.push(join(folder, entry.name))
      hasCopy ||= entry.isFile() && entry.name === COPY_FILE
    }
    const owner = hasCopy ? await readOwner(folder) : undefined
    if (owner && (await isOrphaned(staticDir, folder, owner))) yield { folder, owner }
  }
}

/** Removes an orphaned copy, unless a record points to it meanwhile. */
export async function removeOrphanedCopy(
  staticDir: string,
  { folder, owner }: OrphanedCopy,
): Promise<void> {
  await withPageLock({ staticDir, ...owner }, async () => {
    const current = await readOwner(folder)
    const isSame = current?.site === owner.site && current.page === owner.page
    if (isSame && (await isOrphaned(staticDir, folder, owner))) await removeCopy(staticDir, folder)
  })
}

async function isOrphaned(
  staticDir: string,
  folder: string,
  { site, page }: CopyOwner,
): Promise<boolean> {
  const record = await readRecord({ staticDir, site, page })
  return record?.url == null || copyFolderForUrl(staticDir, record.url) !== folder
}

async function* streamEntries(folder: string): AsyncGenerator<Dirent> {
  try {
    yield* await opendir(folder)
  } catch (error) {
    if (!isFileNotFound(error)) throw error
  }
}
