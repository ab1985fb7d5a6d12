import { DUE_NOW } from '../../db/lease.ts'
import { readRow, runStatement } from '../../db/sql.ts'
import type { Tx } from '../../db/transaction.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { type Change, workOf } from './change.ts'
import { pagesOf, type Work, workOn } from './work.ts'
import { NOW, workTables } from './work-tables.ts'

/** A change whose work is recorded in the transaction of its write. */
export type RecordedChange = Change & {
  readonly isRecorded: boolean
  /** That of the site, which the commit assigns; 0 if nothing is recorded. @throws Error before the commit */
  readonly version: number
}

/** Number of things that one write records. A write that touches more records `all`. */
export const MAX_WORK_PER_WRITE = 1000
/** Number of things of a site, besides single frames, from which on they are replaced by `all`. */
export const MAX_WORK_PER_SITE = 2000
/** A process counts the rows of a site at one of so many of its writes. */
const COUNT_EVERY = 64

/** Length of the column `name`, in characters. */
const MAX_NAME = 255

/**
 * Records the work of a change. Locks the site's version until the transaction ends, so call it last. The order of a site's versions is the
 * order in which its writes are committed.
 */
export async function recordChange(tx: Tx, site: Site, change: Change): Promise<RecordedChange> {
  const work = rowsOf(workOf(change))
  if (work.length === 0) return unrecorded(change)
  const recorded = withNextVersion(tx, site, change)
  storeWork(tx, site, work.length > MAX_WORK_PER_WRITE ? workOn('all') : work)
  if (isCounted(tx, site)) await collapseWork(tx, site)
  return recorded
}

function isCounted({ cache }: Tx, { prefix }: Site): boolean {
  const key = `recorded writes ${prefix}`
  const { count } = (cache.get(key) as { count: number } | undefined) ?? { count: 0 }
  cache.set(key, { count: count + 1 }, { size: key.length })
  return count % COUNT_EVERY === COUNT_EVERY - 1
}

const unrecorded = (change: Change): RecordedChange => ({
  ...change,
  isRecorded: false,
  version: 0,
})

/** Each thing once. A thing whose name does not fit into its column is recorded as `all`. */
function rowsOf(work: readonly Work[]): Work[] {
  const rows = work.flatMap((one) => (one.name.length > MAX_NAME ? workOn('all') : one))
  return [...new Map(rows.map((one) => [`${one.kind} ${one.name}`, one])).values()]
}

function withNextVersion(tx: Tx, { blogId, globals }: Site, change: Change): RecordedChange {
  let assigned: number | undefined
  tx.later(
    `INSERT INTO :sites: (blog_id, version) VALUES (:blogId, LAST_INSERT_ID(1))
      ON DUPLICATE KEY UPDATE version = LAST_INSERT_ID(version + 1)`,
    { ...workTables(globals), blogId },
    {
      onResult: ({ insertId }) => {
        assigned = insertId
      },
    },
  )
  return {
    ...change,
    isRecorded: true,
    get version() {
      if (assigned === undefined) throw new Error('the version is known after the commit')
      return assigned
    },
  }
}

/**
 * Stores rows with the version that the statement before has assigned, or gives it to existing rows, which become due. Pages have rows of their own.
 */
function storeWork(tx: Tx, { blogId, globals }: Site, work: readonly Work[]): void {
  const things = work.filter(({ kind }) => kind !== 'page')
  const pages = pagesOf(work)
  if (things.length > 0)
    tx.later(
      `INSERT INTO :work: (blog_id, kind, name, version, since, due_at) VALUES :rows
        ON DUPLICATE KEY UPDATE version = VALUES(version), due_at = VALUES(due_at)`,
      {
        ...workTables(globals),
        rows: things.map(({ kind, name }) => [blogId, kind, name, ASSIGNED_VERSION, NOW, DUE_NOW]),
      },
    )
  if (pages.length > 0)
    tx.later(
      `INSERT INTO :pages: (blog_id, page_id, wanted, is_touched, since, due_at) VALUES :rows
        ON DUPLICATE KEY UPDATE since = IF(wanted > 0, since, VALUES(since)), wanted = VALUES(wanted), is_touched = 1,
          due_at = VALUES(due_at)`,
      {
        ...workTables(globals),
        rows: pages.map((page) => [blogId, page, ASSIGNED_VERSION, 1, NOW, DUE_NOW]),
      },
    )
}

const ASSIGNED_VERSION = { toSqlString: () => 'LAST_INSERT_ID()' }

/**
 * Replaces a site's things by `all` if there are too many: nothing has been built for long. Single frames stay: they are not more than the site has, and `all`
 * would become them again.
 */
async function collapseWork(tx: Tx, site: Site): Promise<void> {
  const { blogId, globals } = site
  const things = "FROM :work: WHERE blog_id = :blogId AND kind NOT IN ('frame', 'outdated')"
  const values = { ...workTables(globals), blogId }
  const counted = await readRow<{ count: number }>(tx, `SELECT COUNT(*) AS count ${things}`, values)
  if (Number(counted?.count) <= MAX_WORK_PER_SITE) return
  await runStatement(tx, `DELETE ${things}`, values)
  storeWork(tx, site, workOn('all'))
}
