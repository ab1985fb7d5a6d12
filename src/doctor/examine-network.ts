import { listSites } from '../wordpress/network/find-sites.ts'
import type { Site } from '../wordpress/network/site.ts'
import { examineSite } from './examine-site.ts'
import type { DoctorServices, Finding, Problem } from './finding.ts'
import { checkConnection } from './network-checks/connection.ts'
import { checkHosts } from './network-checks/hosts.ts'
import { checkNetworkTables } from './network-checks/network-tables.ts'
import { checkOrphanedCopies } from './network-checks/orphaned-copies.ts'
import { checkSiteTablesExist } from './network-checks/sites.ts'
import { checkStaticFolder, checkStaticMarker } from './network-checks/static-folder.ts'

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
