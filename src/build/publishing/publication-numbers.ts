import type { Db } from '../../db/database.ts'
import { readRows } from '../../db/sql.ts'
import type { Tx } from '../../db/transaction.ts'
import { AppError } from '../../host/errors.ts'
import type { GlobalTables, Site } from '../../wordpress/network/site.ts'
import type { CopyStore, PublicationNumbers } from './copy-store.ts'
import { scrubNewFolder } from './scrub-position.ts'

// Publications are numbered in the database, and the folder of the static copies remembers the last number: an empty file with the number in
// its name. A database whose number is lower than the folder's has lost publications, and so the content of which they were made.

/** Rows of the numbers; a site has that of its blog id modulo this. */
const BUCKETS = 16

export const publicationsTable = ({ basePrefix }: GlobalTables): string =>
  `${basePrefix}svc_publications`

/**
 * Begins a publication: call it before a copy of the site is written or removed, and after its content was read.
 * @param write runs the transaction that gets the number
 * @throws AppError `service_busy` if the database is older than the folder
 */
export async function beginPublication(
  { blogId, globals }: Pick<Site, 'blogId' | 'globals'>,
  copies: CopyStore,
  write: (number: (tx: Tx) => void) => Promise<void>,
): Promise<void> {
  const bucket = blogId % BUCKETS
  const mark = (await copies.marks()).get(bucket)
  const inFolder = mark ?? 0
  const values = { publications: publicationsTable(globals), bucket, inFolder }
  let number = 0
  await write((tx) => {
    tx.assertFound(
      'SELECT 1 FROM :publications: WHERE bucket = :bucket AND number >= :inFolder FOR UPDATE',
      values,
      () => new AppError('service_busy', IS_OLDER),
    )
    tx.later(
      'UPDATE :publications: SET number = LAST_INSERT_ID(number + 1) WHERE bucket = :bucket',
      values,
      {
        onResult: ({ insertId }) => {
          number = Number(insertId)
        },
      },
    )
    // The number that follows would hide that the folder has lost its copies.
    if (mark === undefined)
      scrubNewFolder(tx, globals, { table: publicationsTable(globals), bucket })
  })
  await copies.marks({ bucket, number })
}

const IS_OLDER =
  'The database is older than the static copies: it was restored, or a replica took over that had not received everything. All pages are verified within a minute, and then this page is published.'

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
