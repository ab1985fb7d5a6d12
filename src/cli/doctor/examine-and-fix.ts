import { forEachBounded } from '../../host/concurrency/for-each.ts'
import {
  checkInfrastructure,
  examineNetwork,
  examineSite,
  isNetworkReadable,
} from '../../network/doctor/examine.ts'
import type { DoctorServices } from '../../network/doctor/finding.ts'
import { fixNetwork, fixSite } from '../../network/doctor/fix.ts'
import type { Site } from '../../wordpress/network/site.ts'
import type { CliServices } from '../cli-context.ts'
import { ProgressBar } from '../sites/progress-bar.ts'
import { findRequestedSites } from '../sites/requested-sites.ts'
import { sitesAtOnce } from '../sites/run-over-sites.ts'
import type { SiteOptions } from '../sites/site-options.ts'
import type { Examination } from './format-findings.ts'

/** Checks the infrastructure, then the requested site, or all sites if none is named. Stops if the infrastructure cannot be used. */
export async function examineRequestedSites(
  services: CliServices,
  doctor: DoctorServices,
  options: SiteOptions,
  signal: AbortSignal,
): Promise<Examination> {
  if (options.site === undefined) return examineWithProgress(services, doctor, signal)
  const infrastructure = await checkInfrastructure(doctor)
  if (!isNetworkReadable(infrastructure)) return { sites: [], findings: infrastructure }
  const sites = await findRequestedSites(services, options)
  const findings = await Promise.all(sites.map((site) => examineSite(doctor, site)))
  return { sites, findings: [...infrastructure, ...findings.flat()] }
}

async function examineWithProgress(
  services: CliServices,
  doctor: DoctorServices,
  signal: AbortSignal,
): Promise<Examination> {
  let sites: readonly Site[] = []
  let bar: ProgressBar | undefined
  const onSite = (site: Site, all: readonly Site[]): (() => void) => {
    sites = all
    bar ??= new ProgressBar(all.length)
    bar.begin(site)
    return () => bar?.finish()
  }
  try {
    const options = { signal, sitesAtOnce: sitesAtOnce(services), onSite }
    return { findings: await examineNetwork(doctor, options), sites }
  } finally {
    bar?.stop()
  }
}

/**
 * Applies the fixes of each site that has one, and of the network.
 * @throws the first error of a fix, when the fixes of the other sites have been applied
 */
export async function fixSites(
  services: CliServices,
  doctor: DoctorServices,
  { sites, findings }: Examination,
  { network }: SiteOptions,
  signal: AbortSignal,
): Promise<void> {
  const ids = new Set(findings.filter(({ fix }) => fix).map(({ site }) => site))
  const fixable = sites.filter(({ blogId }) => ids.has(blogId))
  const bar = new ProgressBar(fixable.length)
  const errors: unknown[] = []
  try {
    await forEachBounded(fixable, sitesAtOnce(services), async (site) => {
      if (signal.aborted) return
      bar.begin(site)
      await fixSite(doctor, site, { signal }).catch((error) => errors.push(error))
      bar.finish()
    })
    if (network && !signal.aborted) await fixNetwork(doctor, { signal })
  } finally {
    bar.stop()
  }
  if (errors.length > 0) throw errors[0]
}
