import { checkInfrastructure, examineNetwork, isNetworkReadable } from '../../doctor/examine-network.ts'
import { examineSite } from '../../doctor/examine-site.ts'
import type { DoctorServices } from '../../doctor/finding.ts'
import type { Site } from '../../wordpress/network/site.ts'
import type { CliServices } from '../cli-context.ts'
import { ProgressBar } from '../sites/progress-bar.ts'
import { type SiteOptions, findRequestedSites } from '../sites/site-options.ts'
import type { Examination } from './present-findings.ts'

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
