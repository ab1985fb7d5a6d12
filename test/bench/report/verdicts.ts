import type { ContenderName } from '../contender.ts'
import type { Publication } from '../publication/publish.ts'
import type { Result } from '../run-bench.ts'
import { figure } from './figure.ts'

/** A target, and whether it was met. */
export type Verdict = {
  /** Name of the workload; `all` for the whole run. */
  readonly workload: string
  readonly what: string
  readonly target: number
  readonly found: number
  readonly met: boolean
  readonly sentence: string
}

/** Limit of the service's peak memory in the whole run. */
const MOST_MEGABYTES = 200

/**
 * Compares the service with its targets, as far as the necessary figures were measured.
 * @param publications those by one process in the same run
 */
export function verdicts(
  results: readonly Result[],
  publications: readonly Publication[] = [],
): Verdict[] {
  return [...results.flatMap(verdictsOf), ...memoryVerdict(results, publications)]
}

/** The service's peak memory in the whole run, and when it was reached. */
function memoryVerdict(
  results: readonly Result[],
  publications: readonly Publication[],
): Verdict[] {
  const peaks = [
    ...results.flatMap(({ workload, figures }) => {
      const bytes = figures.get('service')?.peakBytes
      return bytes === undefined ? [] : [{ bytes, at: workload.name }]
    }),
    ...publications.map(({ pages, peakBytes }) => ({
      bytes: peakBytes,
      at: `publication of ${pages}`,
    })),
  ]
  const [most] = peaks.sort((a, b) => b.bytes - a.bytes)
  if (!most) return []
  const what = `peak memory in MB, in ${most.at}`
  return [atMost('all', what, MOST_MEGABYTES, most.bytes / 1024 ** 2)]
}

function verdictsOf(result: Result): Verdict[] {
  const { name, targets } = result.workload
  const service = result.figures.get('service')
  const ratio = (to: 'wordpress' | 'floor' | 'express', what: string): Verdict[] => {
    const [target, found] = [targets[to], ratioTo(result, to)]
    return target === undefined || found === undefined ? [] : [atLeast(name, what, target, found)]
  }
  const most = (of: 'p50' | 'p99', what: string): Verdict[] => {
    const [target, found] = [targets[of], service?.[of]]
    return target === undefined || found === undefined ? [] : [atMost(name, what, target, found)]
  }
  return [
    ...ratio('wordpress', "requests/s by WordPress's"),
    ...ratio('floor', "requests/s by the floor's"),
    ...ratio('express', "requests/s by Express's"),
    ...most('p50', 'p50 in ms'),
    ...most('p99', 'p99 in ms'),
    ...(targets.roundTrips !== undefined && service?.roundTrips !== undefined
      ? [roundTripsVerdict(name, targets.roundTrips, service.roundTrips)]
      : []),
  ]
}

/** The ratio of the service's requests per second to another contender's; undefined unless both were measured. */
export function ratioTo({ figures }: Result, to: ContenderName): number | undefined {
  const [service, other] = [figures.get('service'), figures.get(to)]
  return service && other && service.perSecond / other.perSecond
}

const atLeast = (workload: string, what: string, target: number, found: number): Verdict =>
  verdict({ workload, what, target, found, met: found >= target }, 'at least')

/** A figure that must be below its target. */
export function atMost(workload: string, what: string, target: number, found: number): Verdict {
  return verdict({ workload, what, target, found, met: found < target }, 'under')
}

/** Compares round trips for each request or site with their target. */
export const roundTripsVerdict = (workload: string, target: number, found: number): Verdict =>
  verdict({ workload, what: 'round trips', target, found, met: isWithin(found, target) }, 'at most')

/** Whether round trips for each request or site are at most these, rounded: the work of timers during the load is counted too. */
export const isWithin = (roundTrips: number, target: number): boolean =>
  Math.round(roundTrips) <= target

function verdict(judged: Omit<Verdict, 'sentence'>, wanted: string): Verdict {
  const { workload, what, target, found, met } = judged
  const sentence = `${met ? 'met    ' : 'NOT MET'}  ${workload}: ${what} ${figure(found)}, target: ${wanted} ${target}`
  return { ...judged, sentence }
}
