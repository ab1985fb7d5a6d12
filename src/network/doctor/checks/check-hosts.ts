import type { Db } from '../../../db/database.ts'
import { isMissingTable } from '../../../db/database-error.ts'
import {
  type DatedHost,
  type HostIndex,
  hostEntries,
  readHostIndex,
  resolveHostOwners,
} from '../../../wordpress/hosts/host-index.ts'
import type { GlobalTables } from '../../../wordpress/network/site.ts'
import { type DoctorServices, type Finding, formatList, found } from '../finding.ts'

/** Checks that each host that a site assigns to one of its languages belongs to that site. */
export async function checkHosts({ db, globals }: DoctorServices): Promise<Finding[]> {
  const hosts = await readHosts(db, globals)
  return [...hosts].flatMap(([host, entries]) =>
    entries.some(({ isListed }) => !isListed) ? conflictsAt(host, hosts) : [],
  )
}

/** A missing table has its own finding; without it, no hosts are recorded. */
async function readHosts(db: Db, globals: GlobalTables): Promise<HostIndex> {
  try {
    return await readHostIndex(db, globals)
  } catch (error) {
    if (isMissingTable(error)) return new Map()
    throw error
  }
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
      { site },
    ),
  }
}
