import type { Database, Db } from '../db/database.ts'
import { readRows } from '../db/sql.ts'
import { AppError } from '../errors.ts'
import type { GlobalTables, Site } from '../wordpress/network/site.ts'
import type { CopyTarget, PublicationNumbers } from './copy-target.ts'

// Publications are numbered in the database, and the folder of the static copies remembers the last number: an empty file with the number in
// its name. A database whose number is lower than the folder's has lost publications, and so the content of which they were made.

/** Rows of the numbers; a site has that of its blog id modulo this. */
const BUCKETS = 16

export const publicationsTable = ({ basePrefix }: GlobalTables): string =>
  `${basePrefix}svc_publications`

/**
 * Begins a publication: call it before a copy of the site is written or removed, and after its content was read.
 * @throws AppError `service_busy` if the database is older than the folder
 */
export async function beginPublication(
  db: Database,
  site: Pick<Site, 'blogId' | 'globals'>,
  copies: CopyTarget,
): Promise<void> {
  const bucket = site.blogId % BUCKETS
  const inFolder = (await copies.readNumbers()).get(bucket) ?? 0
  const number = await db.write({ site, isWork: true, isStatement: true }, async (tx) => {
    const [{ affectedRows, insertId }] = await tx.sql.raw(
      'UPDATE ?? SET number = LAST_INSERT_ID(number + 1) WHERE bucket = ? AND number >= ?',
      [publicationsTable(site.globals), bucket, inFolder],
    )
    return affectedRows === 0 ? undefined : Number(insertId)
  })
  if (number === undefined) throw new AppError('service_busy', IS_OLDER)
  await copies.storeNumber(bucket, number)
}

const IS_OLDER =
  'The database is older than the folder of the static copies: it was restored, or a replica took over that had not received everything. All pages are verified within a minute, and then this page is published.'

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
