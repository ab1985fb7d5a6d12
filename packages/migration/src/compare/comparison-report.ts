import { type AcceptedDifference, findAcceptance } from './accepted-differences.ts'
import type { ComparedRequests, FoundDifference, MovedResource } from './compare-requests.ts'
import type { Difference, DifferenceKind } from './difference.ts'

/** The result of one site, or with the site 0 of what no site is needed for. */
export type SiteComparisonResult = {
  readonly site_id: number
  readonly address: string
  readonly state: 'equal' | 'different' | 'not_comparable' | 'not_compared'
  readonly requests: { readonly old: number; readonly ours: number }
  readonly seconds: number
  readonly differences: readonly CountedDifference[]
  readonly apart: readonly CountedDifference[]
  readonly noise: ComparedRequests['noise']
  readonly not_comparable: readonly MovedResource[]
  /** Milliseconds: the median of each route, and the number of answers. */
  readonly times: readonly RouteTime[]
  /** Sentences about items that a plugin hides in WordPress, and that wp-frames prints [none]. */
  readonly hidden_items?: readonly string[]
  /** Why it was not compared. */
  readonly reason?: string
}

type RouteTime = {
  readonly route: string
  readonly old_ms: number
  readonly new_ms: number
  readonly answers: number
}

/** Differences of one kind in one field of a route of a site. */
type CountedDifference = {
  readonly route: string
  readonly field: string
  readonly kind: DifferenceKind
  readonly count: number
  /** False if none of them was seen in two rounds. */
  readonly confirmed: boolean
  readonly example: { readonly request: string } & Difference['values']
}

/** The result of the comparison of a site. */
export function siteResult(
  { blogId, address }: { readonly blogId: number; readonly address: string },
  { differences, apart, noise, notComparable, times, requests }: ComparedRequests,
  seconds: number,
  hiddenItems: readonly string[] = [],
): SiteComparisonResult {
  const state =
    differences.length > 0 ? 'different' : notComparable.length > 0 ? 'not_comparable' : 'equal'
  return {
    site_id: blogId,
    address,
    state,
    requests,
    seconds,
    differences: countDifferences(differences),
    apart: countDifferences(apart),
    noise,
    not_comparable: notComparable,
    times: routeTimes(times),
    ...(hiddenItems.length > 0 ? { hidden_items: hiddenItems } : {}),
  }
}

/** The result of a site whose comparison has failed. */
export function failedResult(
  { blogId, address }: { readonly blogId: number; readonly address: string },
  reason: string,
  seconds: number,
): SiteComparisonResult {
  return {
    site_id: blogId,
    address,
    state: 'not_compared',
    requests: { old: 0, ours: 0 },
    seconds,
    differences: [],
    apart: [],
    noise: [],
    not_comparable: [],
    times: [],
    reason,
  }
}

function countDifferences(found: readonly FoundDifference[]): CountedDifference[] {
  const counted = new Map<string, CountedDifference>()
  for (const { route, field, kind, request, confirmed, values } of found) {
    const key = `${route}\n${field}\n${kind}`
    const known = counted.get(key)
    counted.set(key, {
      route,
      field,
      kind,
      example: known?.example ?? { request, ...values },
      count: (known?.count ?? 0) + 1,
      confirmed: confirmed || known?.confirmed === true,
    })
  }
  return [...counted.values()]
}

function routeTimes(times: ComparedRequests['times']): RouteTime[] {
  const routes = [...new Set(times.map(({ route }) => route))]
  return routes.map((route) => {
    const ofRoute = times.filter((time) => time.route === route)
    return {
      route,
      old_ms: median(ofRoute.map(({ old }) => old)),
      new_ms: median(ofRoute.map(({ ours }) => ours)),
      answers: ofRoute.length,
    }
  })
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return Math.round(sorted[Math.floor((sorted.length - 1) / 2)] ?? 0)
}

/** Differences of one kind in one field of a route, on all sites. */
export type ReportedDifference = Omit<CountedDifference, 'example'> & {
  readonly sites: readonly number[]
  readonly example: CountedDifference['example'] & { readonly site_id: number }
}

export type ComparisonReport = {
  readonly sites: readonly SiteComparisonResult[]
  readonly differences: readonly ReportedDifference[]
  readonly accepted: readonly (ReportedDifference & { readonly reason: string })[]
  /** What no client depends on. */
  readonly apart: readonly ReportedDifference[]
  readonly noise: ComparedRequests['noise']
  readonly not_comparable: readonly MovedResource[]
  readonly times: readonly (RouteTime & { readonly slow: 'old' | 'new' | null })[]
  readonly unused_acceptances: readonly AcceptedDifference[]
  /** Routes that wp-frames passes to the old endpoint, which is compared with itself there. */
  readonly passed: readonly string[]
}

/** Joins the results of all sites. */
export function reportOf(
  sites: readonly SiteComparisonResult[],
  entries: readonly AcceptedDifference[],
  passed: readonly string[] = [],
): ComparisonReport {
  const all = joinSites(sites, 'differences')
  const used = new Set<AcceptedDifference>()
  const accepted = all.flatMap((difference) => {
    const entry = findAcceptance(entries, difference)
    if (entry) used.add(entry)
    return entry ? [{ ...difference, reason: entry.reason }] : []
  })
  const noise = new Map(
    sites.flatMap((site) => site.noise.map((one) => [`${one.route} ${one.field}`, one])),
  )
  return {
    sites,
    differences: all.filter((difference) => !findAcceptance(entries, difference)),
    accepted,
    apart: joinSites(sites, 'apart'),
    noise: [...noise.values()],
    not_comparable: sites.flatMap((site) => site.not_comparable),
    times: joinTimes(sites),
    unused_acceptances: entries.filter((entry) => !used.has(entry)),
    passed,
  }
}

/** The most frequent first. */
function joinSites(
  sites: readonly SiteComparisonResult[],
  list: 'differences' | 'apart',
): ReportedDifference[] {
  const joined = new Map<string, ReportedDifference>()
  for (const site of sites)
    for (const { example, ...one } of site[list]) {
      const key = `${one.route}\n${one.field}\n${one.kind}`
      const known = joined.get(key)
      joined.set(key, {
        ...one,
        example: known?.example ?? { ...example, site_id: site.site_id },
        count: one.count + (known?.count ?? 0),
        confirmed: one.confirmed || known?.confirmed === true,
        sites: [...(known?.sites ?? []), site.site_id],
      })
    }
  return [...joined.values()].sort((a, b) => b.sites.length - a.sites.length)
}

/** A side is slow that takes so many times as long as the other, and so much longer, in milliseconds. */
const SLOW = { times: 3, ms: 300 }

function joinTimes(sites: readonly SiteComparisonResult[]): ComparisonReport['times'] {
  const all = sites.flatMap(({ times }) => times)
  const routes = [...new Set(all.map(({ route }) => route))]
  return routes.map((route) => {
    const ofRoute = all.filter((time) => time.route === route)
    const old_ms = median(ofRoute.map((time) => time.old_ms))
    const new_ms = median(ofRoute.map((time) => time.new_ms))
    const isSlow = (one: number, other: number): boolean =>
      one >= other * SLOW.times && one - other >= SLOW.ms
    const slow = isSlow(old_ms, new_ms) ? 'old' : isSlow(new_ms, old_ms) ? 'new' : null
    const answers = ofRoute.reduce((sum, time) => sum + time.answers, 0)
    return { route, old_ms, new_ms, answers, slow }
  })
}
