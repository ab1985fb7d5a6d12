import { mkdir, readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database, Db } from '../db/database.ts'
import { readRows } from '../db/sql.ts'
import { AppError } from '../errors.ts'
import type { GlobalTables, Site } from '../wordpress/network/site.ts'
import { isFileNotFound } from './file-not-found.ts'

// Publications are numbered in the database, and the folder of the static copies remembers the last number: an empty file with the number in
// its name. A database whose number is lower than the folder's has lost publications, and so the content of which they were made.

/** Rows of the numbers; a site has that of its blog id modulo this. */
const BUCKETS = 16

/** The folder of the files. It cannot collide with a host folder: hosts start with a letter or a digit. */
const FOLDER = '.published'

/** Publication numbers by bucket; a missing one is 0. */
export type PublicationNumbers = ReadonlyMap<number, number>

export const publicationsTable = ({ basePrefix }: GlobalTables): string =>
  `${basePrefix}svc_publications`

/**
 * Begins a publication: call it before a copy of the site is written or removed, and after its content was read.
 * @throws AppError `service_busy` if the database is older than the folder
 */
export async function beginPublication(
  db: Database,
  site: Pick<Site, 'blogId' | 'globals'>,
  staticDir: string,
): Promise<void> {
  const bucket = site.blogId % BUCKETS
  const inFolder = (await readFolderNumbers(staticDir)).get(bucket) ?? 0
  const number = await db.write({ site, isWork: true, isStatement: true }, async (tx) => {
    const [{ affectedRows, insertId }] = await tx.sql.raw(
      'UPDATE ?? SET number = LAST_INSERT_ID(number + 1) WHERE bucket = ? AND number >= ?',
      [publicationsTable(site.globals), bucket, inFolder],
    )
    return affectedRows === 0 ? undefined : Number(insertId)
  })
  if (number === undefined) throw new AppError('service_busy', IS_OLDER)
  await storeFolderNumber(staticDir, bucket, number)
}

const IS_OLDER =
  'The database is older than the folder of the static copies: it was restored, or a replica took over that had not received everything. All pages are verified within a minute, and then this page is published.'

/** The numbers in the folder. Of several files of a bucket, the highest counts. */
export async function readFolderNumbers(staticDir: string): Promise<PublicationNumbers> {
  const numbers = new Map<number, number>()
  for (const name of await namesIn(join(staticDir, FOLDER))) {
    const [, bucket, number] = /^(\d{1,3})\.(\d{1,16})$/.exec(name) ?? []
    if (number === undefined) continue
    const at = Number(bucket)
    numbers.set(at, Math.max(numbers.get(at) ?? 0, Number(number)))
  }
  return numbers
}

/** The numbers in the database. */
export async function readStoredNumbers(
  db: Db,
  globals: GlobalTables,
): Promise<PublicationNumbers> {
  const rows = await readRows<{ bucket: number; number: number }>(
    db,
    'SELECT bucket, number FROM :publications:',
    { publications: publicationsTable(globals) },
  )
  return new Map(rows.map(({ bucket, number }) => [bucket, Number(number)]))
}

/** The buckets in which `numbers` is behind `others`. */
export function bucketsBehind(numbers: PublicationNumbers, others: PublicationNumbers): number[] {
  return [...others].flatMap(([bucket, number]) =>
    (numbers.get(bucket) ?? 0) < number ? [bucket] : [],
  )
}

/** Creates the folder of the numbers. Only after the marker file was found: the static folder may be an empty mount point. */
export async function createNumbersFolder(staticDir: string): Promise<void> {
  await mkdir(join(staticDir, FOLDER)).catch(ignoreExisting)
}

/**
 * Stores a number in the folder. A higher one stays, also one of another process.
 * @throws ENOENT if there is no folder of the numbers, for example because the file system was unmounted within a claim
 */
export async function storeFolderNumber(
  staticDir: string,
  bucket: number,
  number: number,
): Promise<void> {
  const pathOf = (n: number) => join(staticDir, FOLDER, `${bucket}.${n}`)
  for (;;) {
    const stored = (await readFolderNumbers(staticDir)).get(bucket) ?? 0
    if (stored >= number) return
    if (stored === 0) return writeFile(pathOf(number), '')
    try {
      return await rename(pathOf(stored), pathOf(number))
    } catch (error) {
      // Another process has renamed the file meanwhile.
      if (!isFileNotFound(error)) throw error
    }
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isFileNotFound(error)) return []
    throw error
  }
}

function ignoreExisting(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
}
