import {
  type DatedHost,
  type HostIndex,
  hostEntries,
  readHostIndex,
  resolveHostOwners,
} from '../../../wordpress/hosts/host-index.ts'
import { type DoctorServices, type Finding, formatList, found, ifTableMissing } from '../finding.ts'

/** Checks that each host that a site assigns to one of its languages belongs to that site. */
export async function checkHosts({ db, globals }: DoctorServices): Promise<Finding[]> {
  const hosts = await readHostIndex(db, globals).catch(ifTableMissing<HostIndex>(new Map()))
  return [...hosts].flatMap(([host, entries]) =>
    entries.some(({ isListed }) => !isListed) ? conflictsAt(host, hosts) : [],
  )
}

function conflictsAt(host: string, hosts: HostIndex): Finding[] {
  const { holders } = resolveHostOwners(host, hosts)
  const owners = sitesOf(holders)
  const claims = hostEntries(host, hosts).filter(({ isListed, isOpen }) => !isListed && isOpen)
  const rejected = sitesOf(claims).filter((site) => !owners.includes(site))
  return rejected.map((site) => hostConflict(host, site, owners, rejected))
}

const sitesOf = (entries: readonly DatedHost[]): number[] => [
  ...new Set(entries.map(({ blogId }) => blogId)),
]

function hostConflict(
  host: string,
  site: number,
  owners: readonly number[],
  rejected: readonly number[],
): Finding {
  const others = owners.length > 0 ? owners : rejected.filter((other) => other !== site)
  const sites = `site${others.length > 1 ? 's' : ''} ${formatList(others.map(String))}`
  return {
    site,
    ...found(
      'host_conflict',
      owners.length > 0
        ? `Site ${site} assigns the host "${host}" to a language, but the host belongs to ${sites}.`
        : `Site ${site} and ${sites} both assign the host "${host}" to a language since the same time, so neither of them gets it.`,
      {},
      { site },
    ),
  }
}
