import type { Db } from '../../db/database.ts'
import { isMissingTable } from '../../db/database-error.ts'
import type { GlobalTables } from '../../wordpress/network/site.ts'
import {
  type DatedHost,
  type HostIndex,
  hostEntries,
  readHostIndex,
  resolveHostOwners,
} from '../../wordpress/network/site-hosts.ts'
import { type DoctorServices, type Finding, formatList } from '../finding.ts'

/** Does each host that a site gives to its languages belong to that site? */
export async function checkHosts({ db, globals }: DoctorServices): Promise<Finding[]> {
  const hosts = await readHosts(db, globals)
  return [...hosts].flatMap(([host, entries]) =>
    entries.some(({ isListed }) => !isListed) ? conflictsAt(host, hosts) : [],
  )
}

/** Without the table, which is a finding of its own, nothing is recorded of any host. */
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
  const holding = sitesOf(holders)
  const claims = hostEntries(host, hosts).filter(({ isListed, isOpen }) => !isListed && isOpen)
  const refused = sitesOf(claims).filter((site) => !holding.includes(site))
  return refused.map((site) => hostConflict(host, site, holding, refused))
}

const sitesOf = (entries: readonly DatedHost[]): number[] => [
  ...new Set(entries.map(({ blogId }) => blogId)),
]

function hostConflict(
  host: string,
  site: number,
  holding: readonly number[],
  refused: readonly number[],
): Finding {
  const others = holding.length > 0 ? holding : refused.filter((other) => other !== site)
  const sites = `site${others.length > 1 ? 's' : ''} ${formatList(others.map(String))}`
  return {
    site,
    check: 'host_conflict',
    severity: 'warning',
    message:
      holding.length > 0
        ? `Site ${site} gives a language the host "${host}", which belongs to ${sites}.`
        : `Site ${site} gives a language the host "${host}", and so does ${sites}; both began at the same time, so neither has it.`,
    impact: `The pages of site ${site} at that host are not published, and visitors do not see them there.`,
    fixHint: `Remove the host from the language settings of the site that should not have it (Polylang, Languages > Settings > URL modifications). The other site has it within a minute.`,
  }
}
