import { tokensTable } from '../../auth/tokens.ts'
import { isDatabaseUnavailable } from '../../db/database-error.ts'
import { findNewerMigrations, type NewerMigrations, pendingMigrations } from '../../db/migrate.ts'
import { scrubTable } from '../../executor/scrub-table.ts'
import { feedTable } from '../../feed/feed-table.ts'
import { historyTable } from '../../history/history-row.ts'
import { answersTable } from '../../idempotency/kept-answers.ts'
import { runSitesTable, runsTable } from '../../plan/runs-table.ts'
import { copiesTable } from '../../publishing/copies-table.ts'
import { foldersTable } from '../../publishing/folder-marker.ts'
import { databaseNamesTable, networkTable } from '../../publishing/network-identity.ts'
import { publicationsTable } from '../../publishing/publication-numbers.ts'
import {
  findSitesWithoutTables,
  readCommonRights,
  readTableStates,
  type TableUse,
} from '../../wordpress/health/tables-and-rights.ts'
import { hostsTable } from '../../wordpress/network/host-claims.ts'
import { staleKeysTable } from '../../wordpress/object-cache/stale-keys-table.ts'
import { sitesTable, workTable } from '../../work/work-tables.ts'
import { type DoctorServices, type Finding, formatList, type Problem } from '../finding.ts'
import { findMissingRights } from './check-site-tables.ts'

/** Checks that the database accepts connections and answers. */
export async function checkConnection({ db }: DoctorServices): Promise<Problem[]> {
  try {
    await db.sql.raw('SELECT 1')
    return []
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? (error as Error).name
    return [isDatabaseUnavailable(error) ? databaseUnreachable(code) : databaseRefused(code)]
  }
}

const DATABASE_IMPACT = 'All API requests fail, and so do pages without a static copy.'

const databaseUnreachable = (code: string): Problem => ({
  check: 'database_unreachable',
  severity: 'error',
  message: `The database is unreachable (${code}).`,
  impact: DATABASE_IMPACT,
  fixHint: 'Check that the server is running, and that DATABASE_URL has the right host and port.',
  isFatal: true,
})

const databaseRefused = (code: string): Problem => ({
  check: 'database_unreachable',
  severity: 'error',
  message: `The database rejected the connection (${code}).`,
  impact: DATABASE_IMPACT,
  fixHint: 'Check the user, the password and the database name in DATABASE_URL.',
  isFatal: true,
})

/** Checks that the shared tables of the network and the service's own tables exist, and that the database user has the rights on them. */
export async function checkNetworkTables({ db, globals }: DoctorServices): Promise<Problem[]> {
  const columns = new Map([
    [globals.blogs, 'blog_id'],
    [globals.site, 'id'],
    [globals.sitemeta, 'meta_id'],
    [globals.users, 'ID'],
    [globals.usermeta, 'umeta_id'],
  ])
  const states = await readTableStates(db, [...columns.keys()])
  const missing = [...columns.keys()].filter((table) => !states.has(table))
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
    ...[foldersTable(globals), databaseNamesTable(globals)].map(
      (table) => ({ table, column: 'digest', rights: ['SELECT', 'INSERT', 'DELETE'] }) as const,
    ),
    ...[networkTable(globals), scrubTable(globals)].map(
      (table) => ({ table, column: 'id', rights: ['SELECT', 'UPDATE'] }) as const,
    ),
    {
      table: publicationsTable(globals),
      column: 'bucket',
      rights: ['SELECT', 'INSERT', 'UPDATE'],
    },
    {
      table: staleKeysTable(globals.basePrefix),
      column: 'id',
      rights: ['SELECT', 'INSERT', 'DELETE'],
    },
    {
      table: workTable(globals),
      column: 'blog_id',
      rights: ['SELECT', 'INSERT', 'UPDATE', 'DELETE'],
    },
    ...[
      { table: answersTable(globals), column: 'is_final' },
      { table: historyTable(globals), column: 'bytes' },
      { table: runsTable(globals), column: 'state' },
      { table: runSitesTable(globals), column: 'state' },
    ].map((own) => ({ ...own, rights: ['SELECT', 'INSERT', 'UPDATE', 'DELETE'] as const })),
    { table: sitesTable(globals), column: 'blog_id', rights: ['SELECT', 'INSERT', 'UPDATE'] },
    { table: feedTable(globals), column: 'id', rights: ['SELECT', 'INSERT', 'UPDATE', 'DELETE'] },
    {
      table: copiesTable(globals),
      column: 'blog_id',
      rights: ['SELECT', 'INSERT', 'UPDATE', 'DELETE'],
    },
  ]
  return [
    ...(pending.length > 0 ? [pendingMigrationsProblem(pending)] : []),
    ...newerMigrations(await findNewerMigrations(db, globals.basePrefix)),
    ...(await findMissingRights(
      db,
      await readCommonRights(db),
      pending.length > 0 ? uses : [...uses, ...own],
    )),
  ]
}

const missingNetwork = (missing: readonly string[]): Problem => ({
  check: 'network_missing',
  severity: 'error',
  message: `The tables ${formatList(missing)} do not exist, or the database user has no rights on them.`,
  impact: 'The service finds no multisite network with this table prefix.',
  fixHint:
    'Set TABLE_PREFIX to the value of $table_prefix in wp-config.php, and DATABASE_URL to the database of WordPress and a user with rights on it.',
  isFatal: true,
})

function newerMigrations({ tolerated, incompatible }: NewerMigrations): Problem[] {
  if (incompatible.length > 0)
    return [
      {
        check: 'migrations_newer',
        severity: 'error',
        message: `A newer version has changed the service's own tables so that this version cannot work with them (${formatList(incompatible)}).`,
        impact: 'This version does not start, and its commands do not run.',
        fixHint: 'Install the version that has applied these migrations, or a later one.',
        isFatal: true,
      },
    ]
  if (tolerated.length === 0) return []
  return [
    {
      check: 'migrations_newer',
      severity: 'info',
      message: `A newer version has changed the service's own tables (${formatList(tolerated)}). This version can work with them.`,
      impact: 'None. Both versions can run at the same time.',
      fixHint: 'Complete the upgrade, or the way back, when you like.',
    },
  ]
}

const pendingMigrationsProblem = (pending: readonly string[]): Problem => ({
  check: 'migrations_pending',
  severity: 'error',
  message: `Migrations of the service's own tables are pending (${formatList(pending)}).`,
  impact: 'The service does not start before they have run.',
  fixHint: 'Run "wp-frames migrate".',
})

/** Checks that each site in the list of sites has its tables. */
export async function checkSiteTablesExist({ db, globals }: DoctorServices): Promise<Finding[]> {
  return (await findSitesWithoutTables(db, globals)).map(({ blog_id, domain, path }) => ({
    site: blog_id,
    check: 'site_tables_missing',
    severity: 'error',
    message: `Site ${blog_id} (${domain}${path}) is in the list of sites but has no tables.`,
    impact: 'WordPress shows its visitors an error, and this service treats the site as missing.',
    fixHint: 'Restore its tables from a backup, or delete the site in wp-admin.',
  }))
}
