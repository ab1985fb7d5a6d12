import type { Db } from '../db/database.ts'
import type { Tx } from '../db/transaction.ts'
import type { WorkSite } from './claims.ts'
import { sitesTable } from './work-tables.ts'

/** The content version of a site for which work was recorded last; undefined if there was none. See `readContentVersion`. */
export async function readContentVersionOf(
  db: Db,
  { blogId, globals }: WorkSite,
): Promise<string | undefined> {
  const row = await db.sql(sitesTable(globals)).where({ blog_id: blogId }).first('content_version')
  return row?.content_version ?? undefined
}

/** Stores the content version of a site, whose version the transaction has increased. */
export async function storeContentVersion(
  tx: Tx,
  { blogId, globals }: WorkSite,
  version: string,
): Promise<void> {
  await tx.sql(sitesTable(globals)).where({ blog_id: blogId }).update({ content_version: version })
}
