import { storeClaimsTable } from '../../build/publishing/copies-table.ts'
import { databaseNamesTable, networkTable } from '../../build/publishing/network-identity.ts'
import { foldersTable } from '../../build/publishing/network-marker.ts'
import { publicationsTable } from '../../build/publishing/publication-numbers.ts'
import { seenTables } from '../../changes/seen-tables.ts'
import { deliveriesTable } from '../../changes/webhooks/deliveries-table.ts'
import { webhooksTable } from '../../changes/webhooks/webhooks-table.ts'
import { plannedWritesTable } from '../../content/planned-writes/planned-writes-table.ts'
import { pagesTable, workTable } from '../../content/work/work-tables.ts'
import { migrationsTable } from '../../db/migrate.ts'
import { tasksTable } from '../../db/tasks/tasks-table.ts'
import { checksTable, scopesTable } from '../../record/auth/token-scopes.ts'
import { failuresTable, tokensTable } from '../../record/auth/tokens.ts'
import { historyTable } from '../../record/history/history-row.ts'
import { changesTable } from '../../record/history/number-changes.ts'
import { answersTable } from '../../record/idempotency/kept-answers.ts'
import type { Right, TableUse } from '../../wordpress/health/tables-and-rights.ts'
import { hostsTable } from '../../wordpress/hosts/host-claims.ts'
import { sitesTable } from '../../wordpress/hosts/network-version.ts'
import type { GlobalTables, SiteTables } from '../../wordpress/network/site.ts'
import { staleKeysTable } from '../../wordpress/object-cache/stale-keys-table.ts'
import { runSitesTable, runsTable } from '../plan/runs-table.ts'

// What the service needs: the doctor tests these rights, and `wp-frames grants` prints them. Each table has a column for the tests.

const ALL: readonly Right[] = ['SELECT', 'INSERT', 'UPDATE', 'DELETE']

/** The rights on the tables that all sites of WordPress share. */
export function rightsOnNetwork(globals: GlobalTables): TableUse[] {
  const columns = {
    [globals.blogs]: 'blog_id',
    [globals.site]: 'id',
    [globals.sitemeta]: 'meta_id',
    [globals.users]: 'ID',
    [globals.usermeta]: 'umeta_id',
  }
  return Object.entries(columns).map(([table, column]) => ({ table, column, rights: ['SELECT'] }))
}

/** The rights on the service's own tables. `UPDATE` of the history is for the lock of a stored content; no column is changed. */
export function rightsOnOwnTables(globals: GlobalTables): TableUse[] {
  const seen = seenTables(globals)
  return [
    [migrationsTable(globals.basePrefix), 'name', ['SELECT']],
    [tokensTable(globals), 'id', ['SELECT', 'INSERT', 'UPDATE']],
    [scopesTable(globals), 'token_id', ['SELECT', 'INSERT', 'UPDATE']],
    [checksTable(globals), 'token_id', ALL],
    [failuresTable(globals), 'token_id', ['SELECT', 'INSERT', 'UPDATE']],
    [hostsTable(globals), 'blog_id', ['SELECT', 'INSERT', 'DELETE']],
    [foldersTable(globals), 'digest', ['SELECT', 'INSERT', 'DELETE']],
    [databaseNamesTable(globals), 'digest', ['SELECT', 'INSERT', 'DELETE']],
    [networkTable(globals), 'id', ['SELECT', 'UPDATE']],
    [tasksTable(globals), 'name', ALL],
    [publicationsTable(globals), 'bucket', ['SELECT', 'INSERT', 'UPDATE']],
    [storeClaimsTable(globals), 'claim_id', ALL],
    [staleKeysTable(globals.basePrefix), 'id', ['SELECT', 'INSERT', 'DELETE']],
    [plannedWritesTable(globals), 'id', ['SELECT', 'INSERT', 'DELETE']],
    [sitesTable(globals), 'blog_id', ['SELECT', 'INSERT', 'UPDATE']],
    [workTable(globals), 'blog_id', ALL],
    [pagesTable(globals), 'blog_id', ALL],
    [seen.sites, 'blog_id', ALL],
    [seen.posts, 'blog_id', ALL],
    [seen.terms, 'blog_id', ALL],
    [seen.options, 'blog_id', ALL],
    [answersTable(globals), 'is_final', ALL],
    [historyTable(globals), 'bytes', ALL],
    [changesTable(globals), 'pruned', ['SELECT', 'INSERT', 'UPDATE']],
    [runsTable(globals), 'state', ALL],
    [runSitesTable(globals), 'state', ALL],
    [webhooksTable(globals), 'state', ALL],
    [deliveriesTable(globals), 'status', ALL],
  ].map(([table, column, rights]) => ({ table, column, rights }) as TableUse)
}

const SITE_USES: Readonly<Record<keyof SiteTables, Omit<TableUse, 'table'>>> = {
  options: { column: 'option_id', rights: ALL },
  posts: { column: 'ID', rights: ALL },
  postmeta: { column: 'meta_id', rights: ALL },
  terms: { column: 'term_id', rights: ALL },
  termmeta: { column: 'meta_id', rights: ['SELECT', 'DELETE'] },
  termTaxonomy: { column: 'term_taxonomy_id', rights: ALL },
  termRelationships: { column: 'object_id', rights: ALL },
}

/** The rights on the tables of a site. */
export function rightsOnSite(tables: SiteTables): TableUse[] {
  return Object.entries(SITE_USES).map(([key, use]) => ({
    table: tables[key as keyof SiteTables],
    ...use,
  }))
}

/** The rights of `wp-frames migrate` on the tables of `tablesOfMigrations`, which a new version may have more of. It also reads those of the network. */
export const MIGRATION_RIGHTS = [
  'SELECT',
  'INSERT',
  'UPDATE',
  'DELETE',
  'CREATE',
  'ALTER',
  'DROP',
] as const

/** Tables of former versions. Migrations create them, and later ones move their rows to other tables and drop them. */
const FORMER_TABLES = ['svc_copies', 'svc_feed', 'svc_scrub']

/** The service's own tables, and those that it had before. */
export const tablesOfMigrations = (globals: GlobalTables): string[] => [
  ...rightsOnOwnTables(globals).map(({ table }) => table),
  ...FORMER_TABLES.map((name) => globals.basePrefix + name),
]

/** The privilege of the account that follows the binlog. Servers grant it on all databases only. */
export const FEED_PRIVILEGE = 'REPLICATION SLAVE'

/** Each right that the service needs on some table. */
export function rightsOnDatabase(globals: GlobalTables): Right[] {
  const sites = Object.values(SITE_USES)
  const uses = [...rightsOnNetwork(globals), ...rightsOnOwnTables(globals), ...sites]
  return [...new Set(uses.flatMap(({ rights }) => rights))]
}
