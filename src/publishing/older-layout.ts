import { randomBytes } from 'node:crypto'
import { readdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { forEachBounded } from '../concurrency/for-each.ts'
import type { Database } from '../db/database.ts'
import type { GlobalTables } from '../wordpress/network/site.ts'
import { addCopyRecords, type CopyRecord } from './copies-table.ts'
import { isFileNotFound } from './file-not-found.ts'
import { createStaging } from './staging.ts'

/** The folder in which older versions stored the record of each copy as a file, `<blog id>/<page id>.json`. */
export const OLDER_RECORDS = '.pages'

/** Files read concurrently. */
const FILES_AT_ONCE = 16

/**
 * Stores the copy records of an older version in the database, and removes their files. They have no digest, so the next build of each page
 * checks its copy. The version 0 is older than that of any build. Can be repeated after a crash, and run in two processes at once: a record
 * that exists is kept, and files are removed only after all were stored.
 * @param staticDir absolute path
 * @returns the number of records; undefined if there is no such folder
 */
export async function adoptOlderLayout(
  db: Database,
  globals: GlobalTables,
  staticDir: string,
): Promise<number | undefined> {
  const folder = join(staticDir, OLDER_RECORDS)
  const sites = await listNames(folder)
  if (sites === undefined) return undefined
  let count = 0
  for (const blogId of sites.filter((name) => /^\d+$/.test(name)).map(Number)) {
    const records = await readOlderRecords(join(folder, String(blogId)))
    const site = { blogId, globals }
    await db.write({ site }, (tx) => addCopyRecords(tx, site, records))
    count += records.length
  }
  await removeFolder(staticDir, folder)
  return count
}

async function readOlderRecords(folder: string): Promise<CopyRecord[]> {
  const records: CopyRecord[] = []
  await forEachBounded((await listNames(folder)) ?? [], FILES_AT_ONCE, async (name) => {
    const page = Number(/^(\d+)\.json$/.exec(name)?.[1]) || undefined
    const record = page && (await readOlderRecord(join(folder, name), page))
    if (record) records.push(record)
  })
  return records
}

/** Undefined for a page without a copy, and for a damaged file. */
async function readOlderRecord(path: string, page: number): Promise<CopyRecord | undefined> {
  try {
    const { url, made_of, bytes } = JSON.parse(await readFile(path, 'utf8'))
    if (typeof url !== 'string') return undefined
    const source = /^[0-9a-f]{1,64}$/.test(made_of) ? { source: String(made_of) } : {}
    return { page, url, version: 0, ...source, bytes: Number.isSafeInteger(bytes) ? bytes : 0 }
  } catch (error) {
    if (isFileNotFound(error) || error instanceof SyntaxError) return undefined
    throw error
  }
}

/** In one step, so that no part of it can be adopted again after a crash: it becomes a staging folder that no claim owns. */
async function removeFolder(staticDir: string, folder: string): Promise<void> {
  const staging = await createStaging(staticDir, randomBytes(8).toString('hex'))
  try {
    await rename(folder, join(staging.path, OLDER_RECORDS))
  } catch (error) {
    if (!isFileNotFound(error)) throw error
  } finally {
    await staging.remove()
  }
}

async function listNames(folder: string): Promise<string[] | undefined> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isFileNotFound(error)) return undefined
    throw error
  }
}
