import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { forEachBounded } from '../concurrency/for-each.ts'
import type { Db } from '../db/database.ts'
import type { Page } from '../wordpress/pages/posts.ts'
import { type CopyRecord, type CopySite, listCopyRecords } from './copies-table.ts'
import { fileTimeOf } from './copy-files.ts'
import { isFileNotFound } from './file-not-found.ts'
import { COPY_FILE, copyFolderForUrl } from './static-path.ts'
import { isIntact } from './verify-copy.ts'

/** `damaged`: the files differ from what was recorded. */
type CopyFilesState = 'intact' | 'damaged' | 'missing'

/** The record of a copy, and whether its files are on disk, as recorded. */
export type SurveyedCopy = CopyRecord & { readonly files: CopyFilesState }

/** Files read concurrently. */
const FILES_AT_ONCE = 16

/**
 * Reads the records of a site's copies and compares them with the files on disk.
 * @param staticDir absolute path
 * @returns the copies by page id in ascending order
 */
export async function surveyCopies(
  db: Db,
  site: CopySite,
  staticDir: string,
): Promise<SurveyedCopy[]> {
  const records = await listCopyRecords(db, site)
  const states = new Map<number, CopyFilesState>()
  await forEachBounded(records, FILES_AT_ONCE, async (record) => {
    states.set(record.page, await stateOfFiles(staticDir, record))
  })
  return records.map((record) => ({ ...record, files: states.get(record.page) ?? 'missing' }))
}

/** A record without a size and a time is compared with no file. */
async function stateOfFiles(
  staticDir: string,
  { url, htmlBytes, fileTime, digest }: CopyRecord,
): Promise<CopyFilesState> {
  const folder = copyFolderForUrl(staticDir, url)
  if (folder === undefined) return 'missing'
  try {
    const stats = await lstat(join(folder, COPY_FILE))
    if (!stats.isFile()) return 'missing'
    if (fileTime === undefined) return 'intact'
    const isAsRecorded = fileTime === fileTimeOf(stats) && htmlBytes === stats.size
    if (!isAsRecorded) return 'damaged'
    return digest === undefined || (await isIntact(folder, digest)) ? 'intact' : 'damaged'
  } catch (error) {
    if (isFileNotFound(error)) return 'missing'
    throw error
  }
}

/** Why a copy is not fresh: its file is missing, replaced or damaged, the page was edited since, or its frame was built since. */
export type CopyProblem = 'missing' | 'damaged' | 'edited' | 'built'

/** @param sourceFingerprint the current one, see `CopyContent`; undefined if unknown */
export function findCopyProblem(
  { files, pageModified, source }: SurveyedCopy,
  page: Page,
  sourceFingerprint: string | undefined,
): CopyProblem | undefined {
  if (files !== 'intact') return files
  if (pageModified !== undefined && pageModified !== page.modifiedGmt) return 'edited'
  return sourceFingerprint === undefined || sourceFingerprint === source ? undefined : 'built'
}
