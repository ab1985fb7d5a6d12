import type { DoctorServices } from '../../doctor/finding.ts'
import { fixNetwork } from '../../doctor/mend-network.ts'
import { fixSite } from '../../doctor/mend-site.ts'
import { ProgressBar } from '../sites/progress-bar.ts'
import type { SiteOptions } from '../sites/site-options.ts'
import type { Examination } from './present-findings.ts'

/** Mends the sites on which something was found that can be mended, and what was found on the network. */
export async function fixSites(
  doctor: DoctorServices,
  { sites, findings }: Examination,
  { network }: SiteOptions,
  signal: AbortSignal,
): Promise<void> {
  const ids = new Set(findings.filter(({ remedy }) => remedy).map(({ site }) => site))
  const chosen = sites.filter(({ blogId }) => ids.has(blogId))
  const bar = new ProgressBar(chosen.length)
  try {
    for (const site of chosen) {
      if (signal.aborted) return
      bar.begin(site)
      await fixSite(doctor, site, { signal })
      bar.finish()
    }
    if (network) await fixNetwork(doctor, { signal })
  } finally {
    bar.stop()
  }
}
