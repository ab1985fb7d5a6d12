import type { Site } from '../wordpress/network/site.ts'
import { checkNetwork, checksForSite, runChecks } from './examine.ts'
import type { DoctorServices, Finding } from './finding.ts'

export type FixOptions = {
  readonly signal?: AbortSignal
}

/**
 * Mends what can be mended of a site without knowing what was meant. One check after the other is asked anew and mended: what is derived
 * from what was mended is mended with it. Each step is whole; where the signal is aborted, the next one is not begun.
 */
export async function fixSite(
  services: DoctorServices,
  site: Site,
  mending: FixOptions = {},
): Promise<void> {
  for (const check of checksForSite(site)) {
    if (mending.signal?.aborted) return
    await applyFixes(services, await runChecks(services, site, [check]), mending)
  }
}

/** Applies the remedies of these findings, each once. */
export async function applyFixes(
  services: DoctorServices,
  findings: readonly Finding[],
  { signal }: FixOptions = {},
): Promise<void> {
  for (const remedy of new Set(findings.flatMap((finding) => finding.fix ?? []))) {
    if (signal?.aborted) return
    await remedy.apply(services)
  }
}

/** Mends what shows only where all sites are looked at together. */
export async function fixNetwork(
  services: DoctorServices,
  mending: FixOptions = {},
): Promise<void> {
  await applyFixes(services, await checkNetwork(services), mending)
}
