import type { Db } from '../db/database.ts'
import { escapeLike, readRows } from '../db/sql.ts'
import type { Site } from '../wordpress/network/site.ts'
import { seenTables } from './seen-tables.ts'

/** What the network's tables say about a site, as far as its pages depend on it. Stored among the seen options of the site. */
export type NetworkState = {
  /** Whether the site is open, its address, and the network's options that matter. */
  readonly '@site': string
  /** The addresses of other sites below that of the site, which hide its pages. */
  readonly '@paths': string
}

export const NETWORK_KEYS = ['@site', '@paths'] as const

/** @param network describes the network's options, as far as they matter */
export async function readNetworkState(db: Db, site: Site, network: string): Promise<NetworkState> {
  const [paths] = await readRows<{ count: number; digest: string | null }>(
    db,
    `SELECT COUNT(*) AS count, SUM(CRC32(path)) AS digest FROM :blogs:
      WHERE domain = :domain AND path LIKE :below AND blog_id <> :blogId`,
    {
      blogs: site.globals.blogs,
      domain: site.domain,
      below: `${escapeLike(site.path)}%`,
      blogId: site.blogId,
    },
  )
  const pathsBelow = pathsState(Number(paths?.count ?? 0), Number(paths?.digest ?? 0))
  return { '@site': siteState(site, network), '@paths': pathsBelow }
}

export function siteState(
  { archived, spam, deleted, domain, path }: Site,
  network: string,
): string {
  return `${[archived, spam, deleted].map(Number).join('')} ${domain}${path} ${network}`
}

function pathsState(count: number, digest: number): string {
  return `${count} ${digest}`
}

/** The state as seen last. */
export async function readSeenNetworkState(
  db: Db,
  { blogId, globals }: Site,
): Promise<Partial<NetworkState>> {
  const rows: { name: string; value: string }[] = await db
    .sql(seenTables(globals).options)
    .where({ blog_id: blogId })
    .whereIn('name', [...NETWORK_KEYS])
    .select('name', 'value')
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}
