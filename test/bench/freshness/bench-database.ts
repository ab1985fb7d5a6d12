import { issueToken } from '../../../src/record/auth/tokens.ts'
import type { SqlDatabase } from '../../support/open-database.ts'
import type { BenchDatabase } from '../setup/open-database.ts'
import { getSite } from './network/fill-site.ts'

/** User id of the network's super administrator. */
const ADMIN = 1

/** What other parts of the benchmark need to know of a network: its database, one of its sites, and a token. */
export async function createBenchDatabase(
  db: SqlDatabase,
  { url, pids, blogId }: { url: string; pids: readonly number[]; blogId: number },
): Promise<BenchDatabase> {
  const site = await getSite(db, blogId)
  const { token } = await db.write({}, (tx) =>
    issueToken(tx, site.globals, { userId: ADMIN, now: new Date() }),
  )
  const [[{ version }]] = await db.sql.raw('SELECT VERSION() AS version')
  return { url, db, pids, version, site, token }
}
