import type { Site } from '../../wordpress/network/site.ts'
import { checkNetwork, checksForSite, runChecks } from './examine.ts'
import type { DoctorServices, Finding } from './finding.ts'

export type FixOptions = {
  readonly signal?: AbortSignal
}

/**
 * Applies the fixes of a site. Each check runs again before its fixes are applied, so that data derived from an earlier fix is fixed too. An
 * aborted signal stops before the next fix.
 */
export async function fixSite(
  services: DoctorServices,
  site: Site,
  options: FixOptions = {},
): Promise<void> {
  for (const check of checksForSite(site)) {
    if (options.signal?.aborted) return
    await applyFixes(services, await runChecks(services, site, [check]), options)
  }
}

/** Applies the fixes of these findings, each once. */
export async function applyFixes(
  services: DoctorServices,
  findings: readonly Finding[],
  { signal }: FixOptions = {},
): Promise<void> {
  for (const fix of new Set(findings.flatMap((finding) => finding.fix ?? []))) {
    if (signal?.aborted) return
    await fix.apply(services)
  }
}

/** Applies the fixes of the checks that compare all sites with each other. */
export async function fixNetwork(
  services: DoctorServices,
  options: FixOptions = {},
): Promise<void> {
  await applyFixes(services, await checkNetwork(services), options)
}
