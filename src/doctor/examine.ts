import { listSites } from '../wordpress/network/find-sites.ts'
import type { Site } from '../wordpress/network/site.ts'
import { checkBakedCopies, checkStaticCopies } from './checks/check-copies.ts'
import {
  checkConnection,
  checkNetworkTables,
  checkSiteTablesExist,
} from './checks/check-database.ts'
import { checkFramePages, checkReferences } from './checks/check-frame-usage.ts'
import { checkHosts } from './checks/check-hosts.ts'
import {
  checkItemParents,
  checkItemTargets,
  checkMenuCounts,
  checkOrphanedItems,
} from './checks/check-menu-items.ts'
import { checkLanguageMaps, checkLocations } from './checks/check-menu-locations.ts'
import { checkRecords } from './checks/check-records.ts'
import { checkRegistry, checkUnlistedFrames } from './checks/check-registry.ts'
import { checkRights, checkTables } from './checks/check-site-tables.ts'
import {
  checkOrphanedCopies,
  checkStaticFolder,
  checkStaticMarker,
} from './checks/check-static-folder.ts'
import type { CheckCode, DoctorServices, Finding, Problem } from './finding.ts'
import { SiteSnapshot } from './site-snapshot.ts'

export type ExamineNetworkOptions = {
  readonly signal?: AbortSignal
  /** Is told before each site is examined. */
  readonly onSite?: (site: Site, sites: readonly Site[]) => void
}

/** All that is wrong with the network and each of its sites, closed and deleted ones too; nothing is written. */
export async function examineNetwork(
  services: DoctorServices,
  { signal, onSite }: ExamineNetworkOptions = {},
): Promise<Finding[]> {
  const ground = await checkInfrastructure(services)
  if (!isNetworkReadable(ground)) return ground
  const findings = [ground, await checkNetwork(services)]
  const sites = await listSites(services.db, services.globals)
  for (const site of sites) {
    if (signal?.aborted) break
    onSite?.(site, sites)
    findings.push(await examineSite(services, site))
  }
  return findings.flat()
}

/** What every site stands on: the database, the tables that all share, the folder of the static copies. */
export async function checkInfrastructure(services: DoctorServices): Promise<Finding[]> {
  const symptoms: Problem[] = await checkConnection(services)
  if (symptoms.length === 0) symptoms.push(...(await checkNetworkTables(services)))
  symptoms.push(...(await checkStaticFolder(services)))
  return symptoms.map((symptom) => ({ site: null, ...symptom }))
}

/** Can sites be looked for at all? */
export function isNetworkReadable(findings: readonly Finding[]): boolean {
  const fatal = new Set(['database_unreachable', 'network_missing', 'rights_missing'])
  return !findings.some(({ site, check }) => site === null && fatal.has(check))
}

/** What shows only where all sites are looked at together. */
export async function checkNetwork(services: DoctorServices): Promise<Finding[]> {
  return [
    ...(await checkSiteTablesExist(services)),
    ...(await checkHosts(services)),
    ...(await checkStaticMarker(services)),
    ...(await checkOrphanedCopies(services)),
  ]
}

/**
 * All that is wrong with a site, in its tables and its static copies; nothing is written. All tables are read as they are at one moment, so
 * that a site that is being written to has no faults for it.
 */
export async function examineSite(services: DoctorServices, site: Site): Promise<Finding[]> {
  const basic = await runChecks(services, site, BASIC_CHECKS)
  if (basic.some(({ check }) => UNREADABLE_TABLES.has(check))) return basic
  return [...basic, ...(await runChecks(services, site, checksForSite(site)))]
}

/** Where a table can't even be read, the other checks could only fail. */
const UNREADABLE_TABLES: ReadonlySet<CheckCode> = new Set(['table_missing', 'rights_missing'])

/** What some checks find. */
export function runChecks(
  services: DoctorServices,
  site: Site,
  checks: readonly SiteCheck[],
): Promise<Finding[]> {
  return services.db.snapshot(async (db) => {
    const visit = new SiteSnapshot(services, site, db)
    const symptoms: Problem[][] = []
    for (const check of checks) symptoms.push(await check(visit))
    return symptoms.flat().map((symptom) => ({ site: site.blogId, ...symptom }))
  })
}

export type SiteCheck = (visit: SiteSnapshot) => Promise<Problem[]>

/** What a site must have for the others to be asked. */
export const BASIC_CHECKS: readonly SiteCheck[] = [checkTables, checkRights]

/** What is derived comes after what it is derived from: mended in this order, a site is well in the end. */
const SITE_CHECKS: readonly SiteCheck[] = [
  checkLocations,
  checkLanguageMaps,
  checkOrphanedItems,
  checkMenuCounts,
  checkItemTargets,
  checkItemParents,
  checkRegistry,
  checkUnlistedFrames,
  checkRecords,
  checkReferences,
  checkFramePages,
  checkBakedCopies,
  checkStaticCopies,
]

/** The checks of a site. One that is deleted is out of everybody's reach, but for copies that are left of it. */
export function checksForSite({ deleted }: Site): readonly SiteCheck[] {
  return deleted ? [checkStaticCopies] : SITE_CHECKS
}
