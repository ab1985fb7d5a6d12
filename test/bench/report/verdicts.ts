import type { ContenderName } from '../contender.ts'
import type { Result } from '../run-bench.ts'
import { figure, megabytes } from './table.ts'

/** A target, and whether it was met. */
export type Verdict = { readonly met: boolean; readonly sentence: string }

/** Limit of the service's peak memory in the whole run. */
const MOST_MEGABYTES = 200

/** The peak memory of the service in a part of the run. */
export type Peak = { readonly bytes: number; readonly at: string }

/**
 * Compares the service with its targets, as far as the necessary figures were measured.
 * @param others peaks of memory in other parts of the same run
 */
export function verdicts(results: readonly Result[], others: readonly Peak[]): Verdict[] {
  const peaks = results.flatMap(({ workload, figures }): Peak[] => {
    const service = figures.get('service')
    return service ? [{ bytes: service.peakBytes, at: workload.name }] : []
  })
  const [most] = [...peaks, ...others].sort((a, b) => b.bytes - a.bytes)
  return [
    ...results.flatMap(verdictsOf),
    ...(most
      ? [atMost('all', `peak memory in MB, in ${most.at}`, MOST_MEGABYTES, megabytes(most.bytes))]
      : []),
  ]
}

function verdictsOf(result: Result): Verdict[] {
  const { name, targets } = result.workload
  const service = result.figures.get('service')
  const judge = (
    by: typeof atLeast,
    what: string,
    target: number | undefined,
    found: number | undefined,
  ): Verdict[] =>
    target === undefined || found === undefined ? [] : [by(name, what, target, found)]
  return [
    ...judge(atLeast, "requests/s by WordPress's", targets.wordpress, ratioTo(result, 'wordpress')),
    ...judge(atLeast, "requests/s by Express's", targets.express, ratioTo(result, 'express')),
    ...judge(atMost, 'p50 in ms', targets.p50, service?.p50),
    ...judge(atMost, 'p99 in ms', targets.p99, service?.p99),
    ...judge(atMostRounded, 'round trips', targets.roundTrips, service?.roundTrips),
  ]
}

/** The ratio of the service's requests per second to another contender's; undefined unless both were measured. */
export function ratioTo({ figures }: Result, to: ContenderName): number | undefined {
  const [service, other] = [figures.get('service'), figures.get(to)]
  return service && other && service.perSecond / other.perSecond
}

const atLeast = (of: string, what: string, target: number, found: number): Verdict =>
  verdict(found >= target, `${of}: ${what} ${figure(found)}, target: at least ${target}`)

/** A figure that must be below its target. */
export const atMost = (of: string, what: string, target: number, found: number): Verdict =>
  verdict(found < target, `${of}: ${what} ${figure(found)}, target: under ${target}`)

const atMostRounded = (of: string, what: string, target: number, found: number): Verdict =>
  verdict(isWithin(found, target), `${of}: ${what} ${figure(found)}, target: at most ${target}`)

/** Whether round trips for each request are at most these, rounded: the work of timers during the load is counted too. */
export const isWithin = (roundTrips: number, target: number): boolean =>
  Math.round(roundTrips) <= target

const verdict = (met: boolean, sentence: string): Verdict => ({
  met,
  sentence: `${met ? 'met    ' : 'NOT MET'}  ${sentence}`,
})
