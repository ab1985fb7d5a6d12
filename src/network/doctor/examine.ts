import type { Database } from '../../db/database.ts'
import { isDenied } from '../../db/database-error.ts'
import { isOutage } from '../../db/is-outage.ts'
import { inBatches } from '../../db/sql.ts'
import { forEachBounded } from '../../host/concurrency/for-each.ts'
import { readTables } from '../../wordpress/health/read-tables.ts'
import { readCommonRights } from '../../wordpress/health/tables-and-rights.ts'
import { listSites } from '../../wordpress/network/find-sites.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { checkBakedCopies, checkStaticCopies } from './checks/check-copies.ts'
import {
  checkConnection,
  checkNetworkTables,
  checkSharedTables,
  checkSiteTablesExist,
} from './checks/check-database.ts'
import { checkFeed } from './checks/check-feed.ts'
import { checkFramePages, checkReferences } from './checks/check-frame-usage.ts'
import { checkHistory } from './checks/check-history.ts'
import { checkHosts } from './checks/check-hosts.ts'
import { checkPolylang } from './checks/check-languages.ts'
import { checkMarkup } from './checks/check-markup.ts'
import {
  checkHiddenItems,
  checkItemLinks,
  checkItemParents,
  checkMenuCounts,
  checkMenuSizes,
  checkOrphanedItems,
} from './checks/check-menu-items.ts'
import { checkLanguageMaps, checkLocations } from './checks/check-menu-locations.ts'
import { checkNetworkIdentity } from './checks/check-network-identity.ts'
import { checkRecords } from './checks/check-records.ts'
import { checkRegistry, checkUnlistedFrames } from './checks/check-registry.ts'
import {
  checkBrowserLanguage,
  checkHome,
  checkSearchEngines,
} from './checks/check-site-settings.ts'
import { checkRights, checkTables } from './checks/check-site-tables.ts'
import {
  checkOrphanedCopies,
  checkStaticFolder,
  checkStaticMarker,
  checkUnownedStaging,
} from './checks/check-static-folder.ts'
import { checkTokenExpiry } from './checks/check-tokens.ts'
import { checkNetworkWebhooks, checkWebhooks } from './checks/check-webhooks.ts'
import { checkWork } from './checks/check-work.ts'
import { type DoctorServices, type Finding, found, type Problem } from './finding.ts'
import { SiteSnapshot } from './site-snapshot.ts'

export type ExamineNetworkOptions = {
  readonly signal?: AbortSignal
  /** How many sites are examined at the same time; each uses a connection for snapshots (`MAX_SNAPSHOTS`) [1]. */
  readonly sitesAtOnce?: number
  /** Called before a site is examined. Returns a function that is called afterwards. */
  readonly onSite?: (site: Site, sites: readonly Site[]) => () => void
}

/** Sites whose tables are looked up in the information schema at once. */
const SITES_PER_STATEMENT = 50

/** Checks the network and each of its sites, including closed and deleted ones. Writes nothing. The findings are in the order of the sites. */
export async function examineNetwork(
  services: DoctorServices,
  { signal, sitesAtOnce = 1, onSite }: ExamineNetworkOptions = {},
): Promise<Finding[]> {
  const infrastructure = await checkInfrastructure(services)
  if (!isNetworkReadable(infrastructure)) return infrastructure
  const ofNetwork = await checkNetwork(services)
  const sites = await listSites(services.db, services.globals)
  const commonRights = await readCommonRights(services.db)
  const findings: Finding[][] = []
  for (const batch of inBatches(sites.entries(), SITES_PER_STATEMENT)) {
    if (signal?.aborted) break
    const tables = batch.flatMap(([, { tables }]) => Object.values(tables))
    // If the table of one site makes this fail, it fails again for that site only.
    const tableStates = await readTables(services.db, tables).catch(() => undefined)
    const ofSites = { ...services, commonRights, tableStates }
    await forEachBounded(batch, sitesAtOnce, async ([index, site]) => {
      if (signal?.aborted) return
      const finish = onSite?.(site, sites)
      findings[index] = await examineSite(ofSites, site)
      finish?.()
    })
  }
  return [...infrastructure, ...ofNetwork, ...findings.flat()]
}

/**
 * The problems that checks found. A check that failed, for example because of a damaged table, is a problem itself: what it would have found is unknown.
 * @throws the error of a check if the database is unavailable: all others would fail too
 */
async function problemsOf<T extends Problem>(
  db: Database,
  results: readonly PromiseSettledResult<readonly T[]>[],
): Promise<(T | Problem)[]> {
  const failed = new Map<string, Problem>()
  for (const result of results) {
    if (result.status === 'fulfilled') continue
    if (await isOutage(db, result.reason)) throw result.reason
    const problem = checkFailed(result.reason)
    failed.set(problem.message, problem)
  }
  const problems = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
  return [...problems, ...failed.values()]
}

function checkFailed(error: unknown): Problem {
  const { code, sqlMessage, message } = error as NodeJS.ErrnoException & { sqlMessage?: string }
  const reason = sqlMessage ?? message
  if (isDenied(error))
    return found(
      'check_failed',
      `A check was left out, because the database user lacks a right: ${reason}.`,
      {
        severity: 'warning',
        impact: 'Other problems may be unknown.',
        fixHint: 'Grant what rights_missing names, then run the doctor again.',
      },
    )
  const suffix = code === undefined ? '' : ` (${code})`
  return found('check_failed', `A check ended with an error: ${reason}${suffix}.`)
}

/** Checks what all sites depend on: the database, the shared tables, the folder of the static copies. */
export async function checkInfrastructure(services: DoctorServices): Promise<Finding[]> {
  const problems: Problem[] = await checkConnection(services)
  if (problems.length === 0) problems.push(...(await checkNetworkTables(services)))
  const { suspectVariables = [] } = services
  problems.push(
    ...(await checkStaticFolder(services)),
    ...suspectVariables.map((message) => found('variable_unknown', message)),
  )
  return problems.map((problem) => ({ site: null, ...problem }))
}

/** Whether sites can be listed despite these findings. */
export function isNetworkReadable(findings: readonly Finding[]): boolean {
  return !findings.some(({ site, isFatal }) => site === null && isFatal)
}

/** The checks that concern the whole network, or compare its sites with each other. */
const NETWORK_CHECKS: readonly ((services: DoctorServices) => Promise<(Problem | Finding)[]>)[] = [
  checkSharedTables,
  checkSiteTablesExist,
  checkHosts,
  checkNetworkIdentity,
  checkStaticMarker,
  checkOrphanedCopies,
  checkUnownedStaging,
  checkFeed,
  checkTokenExpiry,
  checkNetworkWebhooks,
]

/** Runs them, one after the other. */
export async function checkNetwork(services: DoctorServices): Promise<Finding[]> {
  const results: PromiseSettledResult<(Problem | Finding)[]>[] = []
  for (const check of NETWORK_CHECKS) results.push(...(await Promise.allSettled([check(services)])))
  const problems = await problemsOf(services.db, results)
  return problems.map((problem) => ({ site: null, ...problem }))
}

export type ExamineOptions = {
  /** Ends the checks before the next one. */
  readonly signal?: AbortSignal
}

/**
 * Checks the tables and the static copies of a site. Writes nothing. All reads use one database snapshot, so that concurrent writes cause no
 * findings. That they cannot be done is a finding too.
 * @throws the reason of the signal, or an error if the database is unavailable
 */
export async function examineSite(
  services: DoctorServices,
  site: Site,
  options: ExamineOptions = {},
): Promise<Finding[]> {
  try {
    const checks = [...BASIC_CHECKS, ...checksForSite(site)]
    return await runChecks(services, site, checks, options)
  } catch (error) {
    options.signal?.throwIfAborted()
    // The checks of all other sites would fail too.
    if (await isOutage(services.db, error)) throw error
    return [findingOn(site, checkFailed(error))]
  }
}

/**
 * Runs checks on one snapshot of a site, all at the same time, so that they share statements. After a fatal problem, only the basic ones.
 * @throws the reason of the signal
 */
export function runChecks(
  services: DoctorServices,
  site: Site,
  checks: readonly SiteCheck[],
  { signal }: ExamineOptions = {},
): Promise<Finding[]> {
  return services.db.snapshot(async (db) => {
    const snapshot = new SiteSnapshot(services, site, db, signal)
    const run = async (some: readonly SiteCheck[]): Promise<Problem[]> => {
      signal?.throwIfAborted()
      const results = await Promise.allSettled(some.map((check) => check(snapshot)))
      signal?.throwIfAborted()
      return problemsOf(services.db, results)
    }
    const basic = await run(checks.filter((check) => BASIC_CHECKS.includes(check)))
    const others = basic.some(({ isFatal }) => isFatal)
      ? []
      : await run([prefetch, ...checks.filter((check) => !BASIC_CHECKS.includes(check))])
    const problems = [...basic, ...others]
    return problems.map((problem) => findingOn(site, problem))
  })
}

const findingOn = ({ blogId }: Site, problem: Problem): Finding => ({ site: blogId, ...problem })

export type SiteCheck = (snapshot: SiteSnapshot) => Promise<Problem[]>

/** Reads what most checks need in the statements that they share. A check that needs it reports what fails. */
const prefetch: SiteCheck = async (snapshot) => {
  const { data } = snapshot
  await Promise.allSettled([data.prefetch(), snapshot.framePages(), snapshot.menus()])
  return []
}

/** The checks that must pass before the others can run. */
const BASIC_CHECKS: readonly SiteCheck[] = [checkTables, checkRights]

/** Derived data comes after its sources, so that one run of the fixes in this order is enough. */
const SITE_CHECKS: readonly SiteCheck[] = [
  checkHome,
  checkSearchEngines,
  checkPolylang,
  checkBrowserLanguage,
  checkLocations,
  checkLanguageMaps,
  checkOrphanedItems,
  checkMenuCounts,
  checkMenuSizes,
  checkItemLinks,
  checkHiddenItems,
  checkItemParents,
  checkRegistry,
  checkUnlistedFrames,
  checkRecords,
  checkReferences,
  checkMarkup,
  checkFramePages,
  checkBakedCopies,
  checkStaticCopies,
  checkWork,
  checkWebhooks,
  checkHistory,
]

/** The checks of a site. A deleted site is unreachable; only its leftover static copies matter. */
export function checksForSite({ deleted }: Site): readonly SiteCheck[] {
  return deleted ? [checkStaticCopies] : SITE_CHECKS
}
