import { checkNetwork } from './examine.ts'
import type { DoctorServices } from './finding.ts'
import { type FixOptions, applyFixes } from './mend-site.ts'

/** Mends what shows only where all sites are looked at together. */
export async function fixNetwork(
  services: DoctorServices,
  mending: FixOptions = {},
): Promise<void> {
  await applyFixes(services, await checkNetwork(services), mending)
}
