import type { Site } from '../wordpress/network/site.ts'
import type { CheckCode, DoctorServices, Finding, Problem } from './finding.ts'
import { BASIC_CHECKS, type SiteCheck, checksForSite } from './site-checks.ts'
import { SiteSnapshot } from './site-snapshot.ts'

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
