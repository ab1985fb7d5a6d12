import type { Db } from '../../db/database.ts'
import { readRows, runStatement } from '../../db/sql.ts'
import type { Tx } from '../../db/transaction.ts'
import { BLOG_COLUMNS, type GlobalTables } from '../network/site.ts'

/** The table of versions: of each site by its blog id, and of the network. */
export const sitesTable = ({ basePrefix }: GlobalTables): string => `${basePrefix}svc_sites`

/** The blog id of the network's row. */
const NETWORK = 0

/**
 * Increases the version of the network: all processes then read the hosts of all sites again, before they publish pages on the domain of a
 * language, and before they answer that no site has a host. For every edit that may change the hosts of a site. Locks the network's row until
 * the transaction ends, so call it last.
 */
export async function increaseNetworkVersion(tx: Tx, globals: GlobalTables): Promise<void> {
  await runStatement(
    tx,
    `INSERT INTO :sites: (blog_id, version) VALUES (${NETWORK}, 1) ON DUPLICATE KEY UPDATE version = version + 1`,
    { sites: sitesTable(globals) },
  )
}

/**
 * A text that changes with the version of the network and with the table `blogs`, where WordPress adds and closes sites. One statement. What
 * is read after it is at least as new.
 */
export async function readNetworkVersion(db: Db, globals: GlobalTables): Promise<string> {
  const row = `CRC32(CONCAT_WS('\\n', ${BLOG_COLUMNS.join()}))`
  const [read] = await readRows<{ version: string }>(
    db,
    `SELECT CONCAT_WS(' ', (SELECT version FROM :sites: WHERE blog_id = ${NETWORK}), COUNT(*), SUM(${row})) AS version
      FROM :blogs:`,
    { sites: sitesTable(globals), blogs: globals.blogs },
  )
  return read?.version ?? ''
}
