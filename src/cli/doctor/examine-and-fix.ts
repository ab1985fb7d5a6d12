import {
  checkInfrastructure,
  examineNetwork,
  examineSite,
  isNetworkReadable,
} from '../../doctor/examine.ts'
import type { DoctorServices } from '../../doctor/finding.ts'
import { fixNetwork, fixSite } from '../../doctor/fix.ts'
import type { Site } from '../../wordpress/network/site.ts'
import type { CliServices } from '../cli-context.ts'
import { ProgressBar } from '../sites/progress-bar.ts'
import { findRequestedSites, type SiteOptions } from '../sites/site-options.ts'
import type { Examination } from './format-findings.ts'

/** Examines what the options name, and what it stands on. Where that does not bear, no site is looked at. */
export async function examineRequestedSites(
  services: CliServices,
  doctor: DoctorServices,
  options: SiteOptions,
  signal: AbortSignal,
): Promise<Examination> {
  if (options.network) return examineWithProgress(doctor, signal)
  const ground = await checkInfrastructure(doctor)
  if (!isNetworkReadable(ground)) return { sites: [], findings: ground }
  const sites = await findRequestedSites(services, options)
  const found = await Promise.all(sites.map((site) => examineSite(doctor, site)))
  return { sites, findings: [...ground, ...found.flat()] }
}

async function examineWithProgress(
  doctor: DoctorServices,
  signal: AbortSignal,
): Promise<Examination> {
  const seen: Site[] = []
  let bar: ProgressBar | undefined
  const onSite = (site: Site, sites: readonly Site[]): void => {
    if (bar) bar.finish()
    else bar = new ProgressBar(sites.length)
    bar.begin(site)
    seen.push(site)
  }
  try {
    const findings = await examineNetwork(doctor, { signal, onSite })
    return { sites: seen, findings }
  } finally {
    bar?.stop()
  }
}

/** Mends the sites on which something was found that can be mended, and what was found on the network. */
export async function fixSites(
  doctor: DoctorServices,
  { sites, findings }: Examination,
  { network }: SiteOptions,
  signal: AbortSignal,
): Promise<void> {
  const ids = new Set(findings.filter(({ fix: remedy }) => remedy).map(({ site }) => site))
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
