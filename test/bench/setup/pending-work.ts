import { setTimeout as sleep } from 'node:timers/promises'
import { pagesTable, workTable } from '../../../src/content/work/work-tables.ts'
import { globalTables } from '../../../src/wordpress/network/site.ts'
import type { SqlDatabase } from '../../support/open-database.ts'

const GLOBALS = globalTables('wp_')

/**
 * Whether work is left.
 * @param blogId only that of this site [of all sites]
 */
export async function isWorkLeft({ sql }: SqlDatabase, blogId?: number): Promise<boolean> {
  const site = blogId === undefined ? {} : { blog_id: blogId }
  const rows = await Promise.all([
    sql(workTable(GLOBALS)).where(site).first(sql.raw('1')),
    sql(pagesTable(GLOBALS))
      .where(site)
      .whereRaw('(due_at IS NOT NULL OR purge_by IS NOT NULL)')
      .first(sql.raw('1')),
  ])
  return rows.some((row) => row !== undefined)
}

const SETTLED_LOOKS = 3
const SETTLE_LOOK_MS = 100
/** Longer than the publication of a network of 10,000 sites takes. */
const LIMIT_MS = 3_600_000

/**
 * Waits until the service has no work. An edit that was just committed may be unnoticed.
 * @param blogId only the work of this site [all sites]
 * @throws Error after this time, in milliseconds
 */
export async function untilSettled(
  db: SqlDatabase,
  { blogId, limitMs = LIMIT_MS }: { readonly blogId?: number; readonly limitMs?: number } = {},
): Promise<void> {
  const begin = performance.now()
  for (let quiet = 0; quiet < SETTLED_LOOKS; await sleep(SETTLE_LOOK_MS)) {
    quiet = (await isWorkLeft(db, blogId)) ? 0 : quiet + 1
    if (performance.now() - begin > limitMs)
      throw new Error(`the service has work after ${Math.round(limitMs / 1000)} s`)
  }
}
