import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { forEachBounded } from '../concurrency/for-each.ts'
import type { Db } from '../db/database.ts'
import type { Page } from '../wordpress/pages/posts.ts'
import { type CopyRecord, type CopySite, listCopyRecords } from './copies-table.ts'
import { fileTimeOf } from './copy-files.ts'
import { isFileNotFound } from './file-not-found.ts'
import { COPY_FILE, copyFolderForUrl } from './static-path.ts'

/** The record of a copy, and whether its HTML file is on disk, as recorded. */
export type SurveyedCopy = CopyRecord & { readonly exists: boolean }

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
  const existing = new Set<number>()
  await forEachBounded(records, FILES_AT_ONCE, async (record) => {
    if (await hasFile(staticDir, record)) existing.add(record.page)
  })
  return records.map((record) => ({ ...record, exists: existing.has(record.page) }))
}

/** A record without a size and a time, for example of an older version, is compared with no file. */
async function hasFile(
  staticDir: string,
  { url, htmlBytes, fileTime }: CopyRecord,
): Promise<boolean> {
  const folder = copyFolderForUrl(staticDir, url)
  if (folder === undefined) return false
  try {
    const stats = await lstat(join(folder, COPY_FILE))
    if (!stats.isFile()) return false
    return fileTime === undefined || (fileTime === fileTimeOf(stats) && htmlBytes === stats.size)
  } catch (error) {
    if (isFileNotFound(error)) return false
    throw error
  }
}

/** Why a copy is not fresh: its file is missing or was replaced, the page was edited since, or its frame was built since. */
export type CopyProblem = 'lost' | 'edited' | 'built'

/** @param sourceFingerprint the current one, see `Publication`; undefined if unknown */
export function findCopyProblem(
  { exists, pageModified, source }: SurveyedCopy,
  page: Page,
  sourceFingerprint: string | undefined,
): CopyProblem | undefined {
  if (!exists) return 'lost'
  if (pageModified !== undefined && pageModified !== page.modifiedGmt) return 'edited'
  return sourceFingerprint === undefined || sourceFingerprint === source ? undefined : 'built'
}
