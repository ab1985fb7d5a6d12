import type { Db } from '../db/database.ts'
import { escapeLike, readRow, readRows } from '../db/sql.ts'
import {
  describeNetworkActivity,
  NETWORK_ACTIVITY_OPTIONS,
} from '../wordpress/languages/polylang-activity.ts'
import { readNetworkOptions } from '../wordpress/network/network-option.ts'
import type { Site } from '../wordpress/network/site.ts'
import { seenTables } from './seen-tables.ts'

/**
 * What the network's tables say about a site, as far as its pages depend on it. Stored among the seen options of the site. `@site`: whether it
 * is open, its address, and the network's options that matter. `@paths`: the addresses of other sites below that of the site, which hide
 * its pages.
 */
export type NetworkKey = '@site' | '@paths'

/** The parts of a site's state in the network that differ from what was seen last, with their new values. */
export async function findNetworkEdits(
  db: Db,
  site: Site,
): Promise<ReadonlyMap<NetworkKey, string>> {
  const { globals, networkId, blogId, domain, path } = site
  const [options, [paths], seen] = await Promise.all([
    readNetworkOptions(db, globals, [networkId], SHOWN_NETWORK_OPTIONS),
    readRows<{ count: number; digest: string | null }>(
      db,
      `SELECT COUNT(*) AS count, SUM(CRC32(path)) AS digest FROM :blogs:
        WHERE domain = :domain AND path LIKE :below AND blog_id <> :blogId`,
      { blogs: globals.blogs, domain, below: `${escapeLike(path)}%`, blogId },
    ),
    readRows<{ name: NetworkKey; value: string }>(
      db,
      "SELECT name, value FROM :seen: WHERE blog_id = :blogId AND name IN ('@site', '@paths')",
      { seen: seenTables(globals).options, blogId },
    ),
  ])
  const state = new Map<NetworkKey, string>([
    ['@site', stateInNetwork(site, describeNetwork(options.get(networkId)))],
    ['@paths', `${Number(paths?.count ?? 0)} ${Number(paths?.digest ?? 0)}`],
  ])
  for (const { name, value } of seen) if (state.get(name) === value) state.delete(name)
  return state
}

/** Whether the site was seen open or closed as it is, at its address. Undefined if it was never compared. */
export async function isSiteSeen(db: Db, site: Site): Promise<boolean | undefined> {
  const seen = await readRow<{ value: string }>(
    db,
    "SELECT value FROM :seen: WHERE blog_id = :blogId AND name = '@site'",
    { seen: seenTables(site.globals).options, blogId: site.blogId },
  )
  return seen?.value.startsWith(stateInNetwork(site, ''))
}

/** The options of the network on which pages depend. */
export const SHOWN_NETWORK_OPTIONS = [...NETWORK_ACTIVITY_OPTIONS, 'WPLANG'] as const

/** What these options say, as far as pages depend on it. */
export function describeNetwork(options: ReadonlyMap<string, string> = new Map()): string {
  return [describeNetworkActivity(options), options.get('WPLANG')].filter(Boolean).join(' ')
}

/** @param network describes the network's options, as far as they matter */
export function stateInNetwork(
  { archived, spam, deleted, domain, path }: Site,
  network: string,
): string {
  return `${[archived, spam, deleted].map(Number).join('')} ${domain}${path} ${network}`
}
