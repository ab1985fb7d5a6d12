import { tokensTable } from '../../auth/tokens.ts'
import { pendingMigrations } from '../../db/migrate.ts'
import { foldersTable } from '../../publishing/static-folder.ts'
import { type TableUse, readTableStates } from '../../wordpress/health/tables-and-rights.ts'
import { hostsTable } from '../../wordpress/network/host-claims.ts'
import { staleKeysTable } from '../../wordpress/object-cache/stale-keys-table.ts'
import { findMissingRights } from '../checks/check-site-tables.ts'
import { type DoctorServices, type Problem, formatList } from '../finding.ts'

/** Are the tables there that all sites share, and the service's own, and may they be used? */
export async function checkNetworkTables({ db, globals }: DoctorServices): Promise<Problem[]> {
  const columns = new Map([
    [globals.blogs, 'blog_id'],
    [globals.site, 'id'],
    [globals.sitemeta, 'meta_id'],
    [globals.users, 'ID'],
    [globals.usermeta, 'umeta_id'],
  ])
  const states = await readTableStates(db, [...columns.keys()])
  const found = new Set(states.map(({ name }) => name))
  const missing = [...columns.keys()].filter((table) => !found.has(table))
  if (missing.length > 0) return [missingNetwork(missing)]
  const uses = [...columns].map(([table, column]) => ({
    table,
    column,
    rights: ['SELECT'] as const,
  }))
  const pending = await pendingMigrations(db, globals.basePrefix)
  const own: TableUse[] = [
    { table: tokensTable(globals), column: 'id', rights: ['SELECT', 'INSERT', 'UPDATE'] },
    { table: hostsTable(globals), column: 'blog_id', rights: ['SELECT', 'INSERT', 'DELETE'] },
    { table: foldersTable(globals), column: 'digest', rights: ['SELECT', 'INSERT'] },
    {
      table: staleKeysTable(globals.basePrefix),
      column: 'id',
      rights: ['SELECT', 'INSERT', 'DELETE'],
    },
  ]
  return [
    ...(pending.length > 0 ? [pendingMigrationsProblem(pending)] : []),
    ...(await findMissingRights(db, pending.length > 0 ? uses : [...uses, ...own])),
  ]
}

const missingNetwork = (missing: readonly string[]): Problem => ({
  check: 'network_missing',
  severity: 'error',
  what: `There are no tables ${formatList(missing)}, or the database user has no right on them.`,
  why: 'There is no multisite network under this prefix.',
  mend: 'Set TABLE_PREFIX to what $table_prefix is in wp-config.php, and DATABASE_URL to its database and a user with rights there.',
})

const pendingMigrationsProblem = (pending: readonly string[]): Problem => ({
  check: 'migrations_pending',
  severity: 'error',
  what: `The database lacks the service's own tables (${formatList(pending)}).`,
  why: 'The service does not start without them.',
  mend: 'Run "wp-frames migrate".',
})
