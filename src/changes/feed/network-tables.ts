import { tasksTable } from '../../db/tasks/tasks-table.ts'
import type { GlobalTables } from '../../wordpress/network/site.ts'

/** What a table whose changes matter contains. `tasks` is that in which the feed renews its lease. */
export type NetworkTable =
  | { readonly kind: SiteTableKind; readonly blogId: number }
  | { readonly kind: 'blogs' | 'site' | 'sitemeta' | 'tasks' }

type SiteTableKind = (typeof SITE_TABLES)[number]

const SITE_TABLES = [
  'posts',
  'postmeta',
  'options',
  'terms',
  'term_taxonomy',
  'termmeta',
  'term_relationships',
] as const

/** The table with a name, in the database of the network; undefined for all tables that no page shows. */
export type FindTable = (name: string) => NetworkTable | undefined

/**
 * Recognizes the tables of the network with this base prefix by their names, also those of sites that do not exist yet. Names are compared
 * without regard to case, because some servers store them in lower case.
 */
export function networkTables(globals: GlobalTables): FindTable {
  const prefix = globals.basePrefix.toLowerCase()
  const shared = new Map<string, NetworkTable>([
    [globals.blogs.toLowerCase(), { kind: 'blogs' }],
    [globals.site.toLowerCase(), { kind: 'site' }],
    [globals.sitemeta.toLowerCase(), { kind: 'sitemeta' }],
    [tasksTable(globals).toLowerCase(), { kind: 'tasks' }],
  ])
  const siteKinds: ReadonlySet<string> = new Set(SITE_TABLES)
  return (given) => {
    const name = given.toLowerCase()
    if (!name.startsWith(prefix)) return undefined
    const found = shared.get(name)
    if (found) return found
    const [, number, kind = ''] = SITE_TABLE.exec(name.slice(prefix.length)) ?? []
    if (!siteKinds.has(kind)) return undefined
    // The tables of the first site have no number (`blogPrefix`).
    const blogId = number === undefined ? 1 : Number(number)
    return { kind: kind as SiteTableKind, blogId }
  }
}

/** The rest of the name of a site's table, after the base prefix. */
const SITE_TABLE = /^(?:([2-9]|[1-9]\d+)_)?([a-z_]+)$/
