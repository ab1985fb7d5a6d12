import type { ContenderName } from '../contender.ts'
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

/** Compares the service with its targets, as far as the necessary figures were measured. */
export function verdicts(results: readonly Result[]): Verdict[] {
  const peaks = results.flatMap(({ figures }) => figures.get('service')?.peakBytes ?? [])
  const memory = Math.max(...peaks) / 1024 ** 2
  return [
    ...results.flatMap(verdictsOf),
    ...(peaks.length > 0 ? [atMost('all', 'peak memory in MB', MOST_MEGABYTES, memory)] : []),
  ]
}

function verdictsOf(result: Result): Verdict[] {
  const { name, targets } = result.workload
  const p99 = result.figures.get('service')?.p99
  const ratio = (to: 'wordpress' | 'floor' | 'express', what: string): Verdict[] => {
    const [target, found] = [targets[to], ratioTo(result, to)]
    return target === undefined || found === undefined ? [] : [atLeast(name, what, target, found)]
  }
  return [
    ...ratio('wordpress', "requests/s by WordPress's"),
    ...ratio('floor', "requests/s by the floor's"),
    ...ratio('express', "requests/s by Express's"),
    ...(targets.p99 !== undefined && p99 !== undefined
      ? [atMost(name, 'p99 in ms', targets.p99, p99)]
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

function verdict(judged: Omit<Verdict, 'sentence'>, wanted: string): Verdict {
  const { workload, what, target, found, met } = judged
  const sentence = `${met ? 'met    ' : 'NOT MET'}  ${workload}: ${what} ${figure(found)}, target: ${wanted} ${target}`
  return { ...judged, sentence }
}
