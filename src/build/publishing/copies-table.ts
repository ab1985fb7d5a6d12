import type { PageFailureCode } from '../../content/work/complete-work.ts'
import { latestWork } from '../../content/work/due-work.ts'
import { IS_EMPTY, pagesTable } from '../../content/work/work-tables.ts'
import type { Db } from '../../db/database.ts'
import { IS_DUE } from '../../db/lease.ts'
import { inBatches, readRows, runStatement, storeRows } from '../../db/sql.ts'
import type { Tx } from '../../db/transaction.ts'
import type { InsertedRow } from '../../db/written-tables.ts'
import type { GlobalTables } from '../../wordpress/network/site.ts'

/** What the claims of a store may write and remove. */
export const storeClaimsTable = ({ basePrefix }: GlobalTables): string =>
  `${basePrefix}svc_store_claims`

/** What identifies a site in the table. */
export type CopySite = { readonly blogId: number; readonly globals: GlobalTables }

/**
 * The record of a page's static copy. It is stored before the files of the copy, so that every copy is found, also after the URL of the page
 * has changed. `digest`, `fileTime` and `htmlBytes` describe complete files; they are missing while files are written, after a crash in
 * between.
 */
export type CopyRecord = {
  readonly page: number
  readonly url: string
  /** The version of the site of which the copy was built. */
  readonly version: number
  /** `sourceFingerprint` of `CopyContent`; missing if unknown. */
  readonly source?: string
  /** `post_modified_gmt` of the page as the build read it. */
  readonly pageModified?: string
  /** SHA-256 of the HTML. */
  readonly digest?: string
  /** Modification time of the HTML file, in microseconds since 1970. */
  readonly fileTime?: number
  readonly htmlBytes?: number
  /** Size with the compressed forms. */
  readonly bytes: number
}

/** The columns of a record. */
const COLUMNS = {
  page: 'page_id',
  url: 'url',
  source: 'source',
  pageModified: 'page_modified',
  digest: 'digest',
  fileTime: 'file_time',
  htmlBytes: 'html_bytes',
  bytes: 'bytes',
  // Assignments run from left to right, and compare with it, so the version is the last one.
  version: 'version',
} as const satisfies Record<keyof CopyRecord, string>

const NAMES = Object.entries(COLUMNS) as [keyof CopyRecord, string][]

type CopyRow = { readonly [Name in keyof CopyRecord]-?: CopyRecord[Name] | null }

const recordOf = (row: CopyRow): CopyRecord =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as CopyRecord

/** Pages in one statement. */
const PAGES_PER_STATEMENT = 5000

const RECORD = NAMES.map(([name, column]) => `${column} AS ${name}`).join()

const SELECT = `SELECT ${RECORD} FROM :pages:
  WHERE blog_id = :blogId AND url IS NOT NULL`

/** The records of these pages, by page id; one statement for some thousand pages. */
export async function readCopyRecords(
  db: Db,
  { blogId, globals }: CopySite,
  pages: readonly number[],
): Promise<Map<number, CopyRecord>> {
  const records = new Map<number, CopyRecord>()
  for (const batch of inBatches(pages, PAGES_PER_STATEMENT)) {
    const rows = await readRows<CopyRow>(db, `${SELECT} AND page_id IN (:batch)`, {
      pages: pagesTable(globals),
      blogId,
      batch,
    })
    for (const row of rows.map(recordOf)) records.set(row.page, row)
  }
  return records
}

/** What is wanted of a page, and what it has. */
export type PageRow = {
  readonly page: number
  /** Whether it is being published or due; otherwise nothing is left to do, or it has failed and waits for its next try. */
  readonly isWaiting: boolean
  /** Why the last try failed; null if it did not. */
  readonly code: PageFailureCode | null
  readonly error: string | null
  /** Undefined without a copy. */
  readonly record: CopyRecord | undefined
}

/** The rows of these pages, by page id; one statement for some thousand pages. */
export async function readPageRows(
  db: Db,
  { blogId, globals }: CopySite,
  pages: readonly number[],
): Promise<Map<number, PageRow>> {
  const rows = new Map<number, PageRow>()
  for (const batch of inBatches(pages, PAGES_PER_STATEMENT)) {
    const found = await readRows<
      CopyRow & Pick<PageRow, 'page' | 'code' | 'error'> & { readonly waiting: number }
    >(
      db,
      `SELECT ${RECORD}, code, error, wanted > 0 AND (tries = 0 OR ${IS_DUE}) AS waiting FROM :pages:
        WHERE blog_id = :blogId AND page_id IN (:batch)`,
      { pages: pagesTable(globals), blogId, batch, latest: latestWork(db) },
    )
    for (const { waiting, code, error, ...row } of found) {
      const record = row.url === null ? undefined : recordOf(row)
      rows.set(row.page, { page: row.page, isWaiting: waiting === 1, code, error, record })
    }
  }
  return rows
}

/** Those of these pages that wait to be published, or were published since a version, in ascending order. */
export async function listPagesSince(
  db: Db,
  { blogId, globals }: CopySite,
  pages: readonly number[],
  version: number,
): Promise<number[]> {
  if (pages.length === 0) return []
  const rows = await readRows<{ page_id: number }>(
    db,
    `SELECT page_id FROM :pages: WHERE blog_id = :blogId AND page_id IN (:ids)
        AND (wanted > 0 OR version >= :version) ORDER BY page_id`,
    { pages: pagesTable(globals), blogId, ids: [...pages], version },
  )
  return rows.map(({ page_id }) => page_id)
}

/** All records of a site, by page id in ascending order. */
export async function listCopyRecords(
  db: Db,
  { blogId, globals }: CopySite,
): Promise<CopyRecord[]> {
  const values = { pages: pagesTable(globals), blogId }
  return (await readRows<CopyRow>(db, `${SELECT} ORDER BY page_id`, values)).map(recordOf)
}

/** The URL of each static copy of a site, by page id. */
export async function listCopyUrls(
  db: Db,
  { blogId, globals }: CopySite,
): Promise<Map<number, string>> {
  const rows = await readRows<{ page_id: number; url: string }>(
    db,
    'SELECT page_id, url FROM :pages: WHERE blog_id = :blogId AND url IS NOT NULL ORDER BY page_id',
    { pages: pagesTable(globals), blogId },
  )
  return new Map(rows.map(({ page_id, url }) => [page_id, url]))
}

/**
 * The URLs of the static copies of these pages, by site and page: `2 13`.
 * @param pages ids of pages by blog id
 */
export async function readCopyUrls(
  db: Db,
  globals: GlobalTables,
  pages: ReadonlyMap<number, readonly number[]>,
): Promise<Map<string, string>> {
  const these = [...pages].flatMap(([blogId, ids]) => ids.map((id) => [blogId, id]))
  if (these.length === 0) return new Map()
  const rows = await readRows<{ blog_id: number; page_id: number; url: string }>(
    db,
    `SELECT blog_id, page_id, url FROM :pages:
      WHERE url IS NOT NULL AND (blog_id, page_id) IN (:these)`,
    { pages: pagesTable(globals), these },
  )
  return new Map(rows.map(({ blog_id, page_id, url }) => [`${blog_id} ${page_id}`, url]))
}

/**
 * The pages whose static copies were made of none of these baked copies, whose files are not complete, or that are to be published in any case, in ascending
 * order.
 */
export async function listCopiesOfOtherSources(
  db: Db,
  { blogId, globals }: CopySite,
  pages: readonly number[],
  sources: readonly string[],
): Promise<number[]> {
  if (pages.length === 0) return []
  const rows = await readRows<{ page_id: number }>(
    db,
    `SELECT page_id FROM :table: WHERE blog_id = :blogId AND page_id IN (:pages)
        AND (url IS NOT NULL OR wanted > 0)
        AND (wanted > 0 OR source IS NULL OR digest IS NULL OR source NOT IN (:sources))
      ORDER BY page_id`,
    { table: pagesTable(globals), blogId, pages: [...pages], sources: ['', ...sources] },
  )
  return rows.map(({ page_id }) => page_id)
}

/** Blog ids of the sites that have static copies, in ascending order. The database skips from site to site in the index. */
export async function listSitesWithCopies(db: Db, globals: GlobalTables): Promise<number[]> {
  const rows = await readRows<{ blog_id: number }>(
    db,
    'SELECT DISTINCT blog_id FROM :pages: WHERE url IS NOT NULL ORDER BY blog_id',
    { pages: pagesTable(globals) },
  )
  return rows.map(({ blog_id }) => blog_id)
}

/** Number of static copies of the network. */
export async function countCopies(db: Db, globals: GlobalTables): Promise<number> {
  const rows = await readRows<{ copies: number | string }>(
    db,
    'SELECT COUNT(*) AS copies FROM :pages: WHERE url IS NOT NULL',
    { pages: pagesTable(globals) },
  )
  return Number(rows[0]?.copies ?? 0)
}

/** Whether the network has static copies. */
export async function hasCopies(db: Db, globals: GlobalTables): Promise<boolean> {
  const rows = await readRows(db, 'SELECT 1 FROM :pages: WHERE url IS NOT NULL LIMIT 1', {
    pages: pagesTable(globals),
  })
  return rows.length > 0
}

/** Size of a site's static copies, in bytes; read from an index, with the next statement of the transaction. */
export function sumCopyBytes(
  tx: Tx,
  { blogId, globals }: CopySite,
  onSum: (bytes: number) => void,
): void {
  tx.later<{ readonly total: number | string | null }[]>(
    'SELECT SUM(bytes) AS total FROM :pages: USE INDEX (`usage`) WHERE blog_id = :blogId',
    { pages: pagesTable(globals), blogId },
    { onResult: ([row]) => onSum(Number(row?.total ?? 0)) },
  )
}

const KEEP_NEWER = Object.values(COLUMNS)
  .slice(1)
  .map((column) => `${column} = IF(version > VALUES(version), ${column}, VALUES(${column}))`)
  .join(', ')

/** Stores records. A record of a newer version stays. */
export async function storeCopyRecords(
  tx: Tx,
  { blogId, globals }: CopySite,
  records: readonly CopyRecord[],
): Promise<void> {
  // Rows are locked in the order of the pages, so that two transactions do not block each other.
  const rows = [...records].sort((a, b) => a.page - b.page).map((record) => rowOf(blogId, record))
  await storeRows(tx, [{ table: pagesTable(globals), rows, onDuplicate: KEEP_NEWER }])
}

/** Forgets the copies of these pages. A row that something is wanted of stays. A record of a newer version stays. */
export function deleteCopyRecords(
  tx: Tx,
  { blogId, globals }: CopySite,
  pages: readonly number[],
  version: number,
): void {
  const these = 'blog_id = :blogId AND page_id IN (:batch) AND version <= :version'
  for (const batch of inBatches(pages, PAGES_PER_STATEMENT)) {
    const values = { pages: pagesTable(globals), blogId, batch, version }
    tx.later(`UPDATE :pages: SET ${NO_COPY} WHERE ${these}`, values)
    tx.later(`DELETE FROM :pages: WHERE ${these} AND ${IS_EMPTY}`, values)
  }
}

const NO_COPY = `url = NULL, source = NULL, page_modified = NULL, digest = NULL, file_time = NULL,
  html_bytes = NULL, bytes = 0`

/** Forgets all copies. */
export async function forgetAllCopies(tx: Tx, globals: GlobalTables): Promise<number> {
  const pages = pagesTable(globals)
  const { affectedRows } = await runStatement(
    tx,
    `UPDATE :pages: SET ${NO_COPY}, version = 0 WHERE url IS NOT NULL`,
    { pages },
  )
  await runStatement(tx, `DELETE FROM :pages: WHERE ${IS_EMPTY}`, { pages })
  return affectedRows
}

const rowOf = (blogId: number, record: CopyRecord): InsertedRow => ({
  blog_id: blogId,
  ...Object.fromEntries(NAMES.map(([name, column]) => [column, record[name] ?? null])),
})
