import {
  describeCounts,
  describeWork,
  hasWork,
  sumOf,
  type WorkCounts,
} from '../../content/work/describe-work.ts'
import { formatRows, type List } from '../list-output.ts'
import { pluralize, sanitizeForTerminal } from '../terminal.ts'
import type { RequestedWork } from './requested-work.ts'

type Counts = RequestedWork['total']
type RequestedSiteWork = RequestedWork['sites'][number]

/** The work of a site as a row of a list. */
type SiteWorkRow = ReturnType<typeof siteWorkRow>

export const SITE_WORK: List<SiteWorkRow> = {
  id: 'site_id',
  shown: ['site_id', 'address', 'pages', 'frames', 'purges', 'running', 'failing', 'since'],
}

/** A table of the sites with work, a line for each failure, and a sentence on all sites. */
export function formatWork({ total, sites_total, sites, failures }: RequestedWork): string {
  if (!hasWork(total.pending)) return 'Nothing is pending.\n'
  const addresses = new Map(sites.map((site) => [site.site_id, addressOf(site)]))
  const more = sites_total - sites.length
  return [
    formatRows(SITE_WORK, sites.map(siteWorkRow), undefined, {}),
    ...(more > 0 ? [`${pluralize(more, 'more site')}.\n`] : []),
    ...failures.map(({ site_id, ...failure }) => {
      const { tries, error, since, next_try_in_s } = failure
      const address = addresses.get(site_id) ?? `site ${site_id}`
      const text = `${address}: ${describeWork(failure)} failed ${pluralize(tries, 'time')} since ${since}: ${error ?? 'no reason is stored'} Next attempt in ${next_try_in_s} s.`
      return `${sanitizeForTerminal(text.replace(/\s+/g, ' '))}\n`
    }),
    `${outcomeOf(total)}${sites_total > 1 ? `, on ${sites_total} sites` : ''}.\n`,
  ].join('')
}

/** What the API answers for one site; of the network a list of sites with the same fields. */
export function presentWork({ sites, failures, answer }: RequestedWork): object {
  const presented = sites.map((site) => ({
    site_id: site.site_id,
    address: addressOf(site),
    state: stateOf(site),
    outcome: outcomeOf(site),
    pending: site.pending,
    running: site.running,
    failing: site.failing,
    failures: failures.flatMap(({ site_id, ...failure }) =>
      site_id === site.site_id ? [failure] : [],
    ),
    oldest: site.oldest,
  }))
  return answer ?? presented
}

/** `1,850 pages and 1 frame are pending, 500 running, 1 failing`. */
export function outcomeOf({ pending, running, failing }: Counts): string {
  const verb = sumOf(pending) > 1 ? 'are' : 'is'
  const part = (counts: WorkCounts, state: string): string =>
    hasWork(counts) ? `, ${sumOf(counts).toLocaleString('en')} ${state}` : ''
  return `${capitalize(describeCounts(pending))} ${verb} pending${part(running, 'running')}${part(failing, 'failing')}`
}

/** `failed`: only work is left whose last attempt failed. */
function stateOf({ pending, failing }: Counts): 'done' | 'pending' | 'failed' {
  if (!hasWork(pending)) return 'done'
  return sumOf(failing) < sumOf(pending) ? 'pending' : 'failed'
}

export function siteWorkRow(site: RequestedSiteWork) {
  const { site_id, pending, running, failing, oldest } = site
  return {
    site_id,
    address: addressOf(site),
    pages: pending.pages,
    frames: pending.frames,
    purges: pending.purges,
    running: sumOf(running),
    failing: sumOf(failing),
    since: oldest?.since ?? null,
  }
}

const addressOf = ({ address }: RequestedSiteWork): string =>
  address ?? '(not in the list of sites)'

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
