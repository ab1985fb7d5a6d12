import { siteTask } from '../../src/content/work/due-work.ts'
import { purgeTask } from '../../src/content/work/purges.ts'
import { pagesTable, workTable } from '../../src/content/work/work-tables.ts'
import { tasksTable } from '../../src/db/tasks/tasks-table.ts'
import type { TestNetwork } from './network.ts'

type Tables = Pick<TestNetwork, 'db' | 'globals'>

/** A row of recorded work; times in seconds from now. */
export type WorkRow = {
  readonly kind?: string
  readonly name?: string
  /** When it was touched [100 seconds ago]. */
  readonly since?: number
  /** When it may be built [in five minutes, so that no builder of the test does]. */
  readonly due?: number
  readonly tries?: number
  readonly code?: string
  readonly error?: string
}

/** Replaces the work of a site. */
export async function putWork(
  tables: Tables,
  blogId: number,
  rows: readonly WorkRow[],
): Promise<void> {
  const { db, globals } = tables
  const fromNow = (seconds: number) => db.sql.raw('NOW(6) + INTERVAL ? SECOND', [seconds])
  await forgetWork(tables, blogId)
  for (const row of rows) {
    const { kind = 'page', name = '', since = -100, due = 300, tries = 0, error = null } = row
    const shared = { blog_id: blogId, tries, error, since: fromNow(since), due_at: fromNow(due) }
    if (kind === 'page')
      await db
        .sql(pagesTable(globals))
        .insert({ ...shared, page_id: Number(name), wanted: 1, code: row.code ?? null })
        .onConflict()
        .merge()
    else if (kind === 'purge') await putPurge(tables, blogId, row)
    else await db.sql(workTable(globals)).insert({ ...shared, kind, name, version: 1 })
  }
}

/** A purge that all page caches have to send, or one that has failed so many times. */
async function putPurge(
  { db, globals }: Tables,
  blogId: number,
  { name = '', since = -100, due = 300, tries = 0, error }: WorkRow,
): Promise<void> {
  const fromNow = (seconds: number) => db.sql.raw('NOW(6) + INTERVAL ? SECOND', [seconds])
  const cache = `c${tries}`
  const purge = { purge_by: tries > 0 ? cache : '*', purges: 1, purge_since: fromNow(since) }
  const page = { blog_id: blogId, page_id: Number(name) }
  await db
    .sql(pagesTable(globals))
    .insert({ ...page, ...purge })
    .onConflict()
    .merge()
  if (tries === 0) return
  const task = { name: purgeTask(cache), tries, error: error ?? null, due_at: fromNow(due) }
  await db.sql(tasksTable(globals)).insert(task).onConflict().merge()
}

/** What is pending, of a site or of all. */
export type PendingRow = {
  readonly blog_id: number
  readonly kind: string
  readonly name: string
  readonly version: number
  readonly tries: number
  readonly error: string | null
  /** In seconds from now; below 0 if it is due. */
  readonly due_in: number
}

/** All recorded work, besides purges: things, then pages. */
export async function pendingWork({ db, globals }: Tables, blogId?: number): Promise<PendingRow[]> {
  const due = 'TIMESTAMPDIFF(MICROSECOND, NOW(6), due_at) / 1000000 AS due_in'
  const [rows] = await db.sql.raw(
    `SELECT blog_id, kind, name, version, tries, error, ${due} FROM ??
      UNION ALL SELECT blog_id, 'page', page_id, wanted, tries, error, ${due} FROM ?? WHERE wanted > 0
      ORDER BY blog_id, kind = 'page', kind, name`,
    [workTable(globals), pagesTable(globals)],
  )
  return (rows as PendingRow[])
    .filter((row) => blogId === undefined || row.blog_id === blogId)
    .map((row) => ({ ...row, name: String(row.name), due_in: Number(row.due_in) }))
}

/** All recorded work of a site fails, and waits for so many seconds. */
export async function failWork(
  { db, globals }: Tables,
  blogId: number,
  { error, due = 60 }: { readonly error: string; readonly due?: number },
): Promise<void> {
  const failed = { tries: 1, error, due_at: db.sql.raw('NOW(6) + INTERVAL ? SECOND', [due]) }
  const rows = [db.sql(workTable(globals)), db.sql(pagesTable(globals)).where('wanted', '>', 0)]
  for (const some of rows) await some.where({ blog_id: blogId }).update(failed)
}

/** Lets all pauses end. */
export async function makeDue({ db, globals }: Tables): Promise<void> {
  await db.sql(workTable(globals)).update({ due_at: '2020-01-01' })
  await db.sql(pagesTable(globals)).where('wanted', '>', 0).update({ due_at: '2020-01-01' })
}

/** Forgets the work of a site, or of all. The copies stay recorded. */
export async function forgetWork({ db, globals }: Tables, blogId?: number): Promise<void> {
  const site = blogId === undefined ? {} : { blog_id: blogId }
  await db.sql(workTable(globals)).where(site).delete()
  await db.sql(tasksTable(globals)).where('name', 'like', purgeTask('%')).delete()
  await db.sql(pagesTable(globals)).where(site).whereNull('url').delete()
  await db.sql(pagesTable(globals)).where(site).update({
    wanted: 0,
    purge_by: null,
    purge_since: null,
    is_touched: 0,
    since: null,
    tries: 0,
    due_at: null,
    code: null,
    error: null,
  })
}

/** Another process builds a site, for so many seconds. */
export async function buildElsewhere(
  { db, globals }: Tables,
  blogId: number,
  seconds = 60,
): Promise<void> {
  const due_at = db.sql.raw('NOW(6) + INTERVAL ? SECOND', [seconds])
  const row = { name: siteTask(blogId), owner: 'f'.repeat(16), due_at }
  await db.sql(tasksTable(globals)).insert(row).onConflict().merge()
}

/** The other process stops to build the site. */
export async function endElsewhere({ db, globals }: Tables, blogId: number): Promise<void> {
  await db
    .sql(tasksTable(globals))
    .where({ name: siteTask(blogId) })
    .delete()
}
