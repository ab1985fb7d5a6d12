import { tokensTable } from '../../auth/tokens.ts'
import { isDatabaseUnavailable } from '../../db/database-error.ts'
import { pendingMigrations } from '../../db/migrate.ts'
import { foldersTable } from '../../publishing/static-folder.ts'
import {
  findSitesWithoutTables,
  readTableStates,
  type TableUse,
} from '../../wordpress/health/tables-and-rights.ts'
import { hostsTable } from '../../wordpress/network/host-claims.ts'
import { staleKeysTable } from '../../wordpress/object-cache/stale-keys-table.ts'
import { type DoctorServices, type Finding, formatList, type Problem } from '../finding.ts'
import { findMissingRights } from './check-site-tables.ts'

/** Does the database answer? */
export async function checkConnection({ db }: DoctorServices): Promise<Problem[]> {
  try {
    await db.sql.raw('SELECT 1')
    return []
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? (error as Error).name
    return [isDatabaseUnavailable(error) ? databaseUnreachable(code) : databaseRefused(code)]
  }
}

const DATABASE_IMPACT = 'Nothing works without it: pages without a static copy, and all requests.'

const databaseUnreachable = (code: string): Problem => ({
  check: 'database_unreachable',
  severity: 'error',
  message: `The database can't be reached (${code}).`,
  impact: DATABASE_IMPACT,
  fixHint: 'Check that the server runs, and the host and port in DATABASE_URL.',
})

const databaseRefused = (code: string): Problem => ({
  check: 'database_unreachable',
  severity: 'error',
  message: `The database refuses (${code}).`,
  impact: DATABASE_IMPACT,
  fixHint: 'Check the user, the password and the name of the database in DATABASE_URL.',
})

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
  message: `There are no tables ${formatList(missing)}, or the database user has no right on them.`,
  impact: 'There is no multisite network under this prefix.',
  fixHint:
    'Set TABLE_PREFIX to what $table_prefix is in wp-config.php, and DATABASE_URL to its database and a user with rights there.',
})

const pendingMigrationsProblem = (pending: readonly string[]): Problem => ({
  check: 'migrations_pending',
  severity: 'error',
  message: `The database lacks the service's own tables (${formatList(pending)}).`,
  impact: 'The service does not start without them.',
  fixHint: 'Run "wp-frames migrate".',
})

/** Has each site its tables? */
export async function checkSiteTablesExist({ db, globals }: DoctorServices): Promise<Finding[]> {
  return (await findSitesWithoutTables(db, globals)).map(({ blog_id, domain, path }) => ({
    site: blog_id,
    check: 'site_tables_missing',
    severity: 'error',
    what: `Site ${blog_id} (${domain}${path}) is listed and has no tables.`,
    why: 'WordPress answers its visitors with an error; this service takes it for no site.',
    mend: 'Restore its tables from a backup, or delete the site in wp-admin.',
  }))
}
