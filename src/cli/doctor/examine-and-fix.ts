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

/** Checks the infrastructure, then the requested site, or all sites if none is named. Stops if the infrastructure cannot be used. */
export async function examineRequestedSites(
  services: CliServices,
  doctor: DoctorServices,
  options: SiteOptions,
  signal: AbortSignal,
): Promise<Examination> {
  if (options.site === undefined) return examineWithProgress(doctor, signal)
  const infrastructure = await checkInfrastructure(doctor)
  if (!isNetworkReadable(infrastructure)) return { sites: [], findings: infrastructure }
  const sites = await findRequestedSites(services, options)
  const findings = await Promise.all(sites.map((site) => examineSite(doctor, site)))
  return { sites, findings: [...infrastructure, ...findings.flat()] }
}

async function examineWithProgress(
  doctor: DoctorServices,
  signal: AbortSignal,
): Promise<Examination> {
  const examined: Site[] = []
  let bar: ProgressBar | undefined
  const onSite = (site: Site, sites: readonly Site[]): void => {
    if (bar) bar.finish()
    else bar = new ProgressBar(sites.length)
    bar.begin(site)
    examined.push(site)
  }
  try {
    const findings = await examineNetwork(doctor, { signal, onSite })
    return { sites: examined, findings }
  } finally {
    bar?.stop()
  }
}

/** Applies the fixes of each site that has one, and of the network. */
export async function fixSites(
  doctor: DoctorServices,
  { sites, findings }: Examination,
  { network }: SiteOptions,
  signal: AbortSignal,
): Promise<void> {
  const ids = new Set(findings.filter(({ fix }) => fix).map(({ site }) => site))
  const fixable = sites.filter(({ blogId }) => ids.has(blogId))
  const bar = new ProgressBar(fixable.length)
  try {
    for (const site of fixable) {
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
