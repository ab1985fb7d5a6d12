import { describeConnectionFailure } from '../../../db/connection-failure.ts'
import type { Db } from '../../../db/database.ts'
import { BackslashModeError } from '../../../db/database-error.ts'
import {
  findNewerMigrations,
  migrationsTable,
  type NewerMigrations,
  pendingMigrations,
} from '../../../db/migrate.ts'
import { readTables } from '../../../wordpress/health/read-tables.ts'
import { findNetworkDifferences } from '../../../wordpress/health/table-knowledge.ts'
import {
  findSitesWithoutTables,
  findUnreadable,
  readCommonRights,
} from '../../../wordpress/health/tables-and-rights.ts'
import { type BlogRow, type GlobalTables, siteOf } from '../../../wordpress/network/site.ts'
import { type DoctorServices, type Finding, formatList, found, type Problem } from '../finding.ts'
import { rightsOnNetwork, rightsOnOwnTables, rightsOnSite } from '../needed-rights.ts'
import { problemOf } from './check-site-tables.ts'
import { findMissingRights } from './missing-rights.ts'

/** Checks that the database accepts connections and answers, and that transactions can use it. */
export async function checkConnection({ db }: DoctorServices): Promise<Problem[]> {
  try {
    await db.ping()
    return []
  } catch (error) {
    const { message, advice } = describeConnectionFailure(error)
    const check = error instanceof BackslashModeError ? 'database_mode' : 'database_unreachable'
    return [found(check, message, { fixHint: advice, isFatal: true })]
  }
}

/** Checks that the shared tables of the network and the service's own tables exist, and that the database user has the rights on them. */
export async function checkNetworkTables({ db, globals }: DoctorServices): Promise<Problem[]> {
  const missing = await findMissingNetwork(db, globals)
  if (missing) return [missing]
  const { basePrefix } = globals
  const known = (await findUnreadable(db, [migrationsTable(basePrefix)])).size === 0
  const pending = known ? await pendingMigrations(db, basePrefix) : []
  const own = pending.length > 0 ? [] : rightsOnOwnTables(globals)
  const uses = [...rightsOnNetwork(globals), ...own]
  return [
    ...(pending.length > 0 ? [pendingMigrationsProblem(formatList(pending))] : []),
    ...(known ? newerMigrations(await findNewerMigrations(db, basePrefix)) : []),
    ...(await findMissingRights(db, await readCommonRights(db), uses, globals.blogs)),
  ]
}

/** Finds out whether the shared tables of a network exist under the prefix. */
export async function findMissingNetwork(
  db: Db,
  globals: GlobalTables,
): Promise<Problem | undefined> {
  const tables = rightsOnNetwork(globals).map(({ table }) => table)
  const states = await readTables(db, tables)
  const unseen = tables.filter((table) => !states.has(table))
  // To a user without rights, a server does not say whether a table exists: if all are unseen, the prefix may be wrong.
  const isHidden = unseen.length < tables.length ? await findUnreadable(db, unseen) : new Set()
  const missing = unseen.filter((table) => !isHidden.has(table))
  if (missing.length === 0) return undefined
  return found(
    'network_missing',
    `The tables ${formatList(missing)} do not exist, or the database user has no rights on them.`,
    { isFatal: true },
  )
}

function newerMigrations({ tolerated, incompatible }: NewerMigrations): Problem[] {
  if (incompatible.length > 0)
    return [
      found(
        'migrations_newer',
        `A newer version has changed the service's own tables so that this version cannot work with them (${formatList(incompatible)}).`,
        { isFatal: true },
      ),
    ]
  if (tolerated.length === 0) return []
  return [
    found(
      'migrations_newer',
      `A newer version has changed the service's own tables (${formatList(tolerated)}). This version can work with them.`,
      {
        severity: 'info',
        impact: 'None. Both versions can run at the same time.',
        fixHint: 'Complete the upgrade, or the way back, when you like.',
      },
    ),
  ]
}

const pendingMigrationsProblem = (names: string): Problem =>
  found('migrations_pending', `Migrations of the service's own tables are pending (${names}).`)

/** Compares the tables that all sites share with those that WordPress makes. */
export async function checkSharedTables({ db, globals }: DoctorServices): Promise<Problem[]> {
  return (await findNetworkDifferences(db, globals)).map(problemOf)
}

/** Checks that each site in the list of sites has tables, and that the database user may see them. */
export async function checkSiteTablesExist({ db, globals }: DoctorServices): Promise<Finding[]> {
  const rows = await findSitesWithoutTables(db, globals)
  const tablesOf = (row: BlogRow) => siteOf(globals, row).tables
  const hidden = await findUnreadable(
    db,
    rows.map((row) => tablesOf(row).options),
  )
  const findings: Finding[] = []
  for (const row of rows) {
    const { blog_id: site } = row
    if (!hidden.has(tablesOf(row).options)) findings.push({ site, ...missingSite(row) })
    else
      for (const problem of await findMissingRights(db, new Set(), rightsOnSite(tablesOf(row))))
        findings.push({ site, ...problem })
  }
  return findings
}

const missingSite = ({ blog_id, domain, path }: BlogRow): Problem =>
  found(
    'site_tables_missing',
    `Site ${blog_id} (${domain}${path}) is in the list of sites but has no tables.`,
  )
