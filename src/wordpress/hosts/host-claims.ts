import type { Database, Db } from '../../db/database.ts'
import { isDatabaseUnavailable, isDenied } from '../../db/database-error.ts'
import { inBatches, readRows, runStatement } from '../../db/sql.ts'
import type { GlobalTables } from '../network/site.ts'
import { increaseNetworkVersion } from './network-version.ts'

/** A host that a site's own settings name, with the site's blog id. */
export type HostClaim = { readonly host: string; readonly blogId: number }

/** A row of `<base_prefix>svc_hosts` (`sql/migrations/0003-hosts-and-static-folders.sql`). */
type HostRow = { host: string; blog_id: number; since: string }

/** Keys are host and blog id; values are the times since when the site claims the host, as text that sorts by time. */
export type RecordedClaims = ReadonlyMap<string, string>

/** Rows per statement. */
const CLAIMS_PER_STATEMENT = 500

export const hostsTable = ({ basePrefix }: GlobalTables): string => `${basePrefix}svc_hosts`

export const claimKey = ({ host, blogId }: HostClaim): string => `${host} ${blogId}`

/** Reads the recorded claims. */
export async function readRecordedClaims(db: Db, globals: GlobalTables): Promise<RecordedClaims> {
  const rows = await readRows<HostRow>(
    db,
    'SELECT host, blog_id, CAST(since AS CHAR) AS since FROM :hosts:',
    { hosts: hostsTable(globals) },
  )
  return new Map(rows.map(({ host, blog_id, since }) => [keyOf(host, blog_id), since]))
}

export type CurrentClaims = {
  readonly claims: readonly HostClaim[]
  /** The sites whose settings were read. */
  readonly sites: ReadonlySet<number>
}

/**
 * Records new claims, all with the same time, and deletes those that are no longer made; other processes learn of it by the version of the
 * network. A site whose settings cannot be read keeps its
 * claims as long as the network lists it: its tables may be missing while a backup is restored.
 * @param recorded the recorded claims, read before the current ones: claims that another process records meanwhile stay
 * @returns the recorded claims afterwards. Without write privileges or on a read-only server they are unchanged
 */
export async function recordClaims(
  db: Database,
  globals: GlobalTables,
  { claims, sites }: CurrentClaims,
  recorded: RecordedClaims,
): Promise<RecordedClaims> {
  const made = new Set(claims.map(claimKey))
  const added = claims.filter((claim) => !recorded.has(claimKey(claim)))
  const dropped = [...recorded.keys()].filter((key) => !made.has(key))
  const unread = dropped.map(blogIdOfKey).filter((id) => !sites.has(id))
  const stillListed = unread.length === 0 ? [] : await readListedBlogIds(db, globals, unread)
  const released = dropped.filter((key) => !stillListed.includes(blogIdOfKey(key)))
  if (added.length === 0 && released.length === 0) return recorded
  try {
    return await db.write({}, async (tx) => {
      const hosts = hostsTable(globals)
      const now = { toSqlString: () => 'UTC_TIMESTAMP(6)' }
      for (const batch of inBatches(added, CLAIMS_PER_STATEMENT)) {
        const rows = batch.map(({ host, blogId }) => [host, blogId, now])
        const insert = 'INSERT IGNORE INTO :hosts: (host, blog_id, since) VALUES :rows'
        await runStatement(tx, insert, { hosts, rows })
      }
      for (const batch of inBatches(released, CLAIMS_PER_STATEMENT)) {
        const claims = batch.map((key) => key.split(' '))
        await runStatement(tx, 'DELETE FROM :hosts: WHERE (host, blog_id) IN (:claims)', {
          hosts,
          claims,
        })
      }
      const stored = await readRecordedClaims(tx, globals)
      await increaseNetworkVersion(tx, globals)
      return stored
    })
  } catch (error) {
    if (isDenied(error) || isDatabaseUnavailable(error)) return recorded
    throw error
  }
}

async function readListedBlogIds(
  db: Db,
  { blogs }: GlobalTables,
  ids: readonly number[],
): Promise<number[]> {
  const rows = await readRows<{ blog_id: number }>(
    db,
    'SELECT blog_id FROM :blogs: WHERE blog_id IN (:ids)',
    { blogs, ids: [...ids] },
  )
  return rows.map(({ blog_id }) => blog_id)
}

const blogIdOfKey = (key: string): number => Number(key.split(' ')[1])

const keyOf = (host: string, blogId: number): string => claimKey({ host, blogId })
