import { CONTENDERS, type ContenderName } from '../contender.ts'
import type { Figures } from '../load/measure.ts'
import type { Result } from '../run-bench.ts'
import { figure } from './figure.ts'

/** The cost of one more item, from the smallest to the largest measured size of a workload. */
export type Growth = {
  /** Prefix of the workloads' names: `menu-read`. */
  readonly work: string
  readonly from: number
  readonly to: number
  /** By contender: CPU microseconds for each additional item, and statements at both sizes. */
  readonly costs: Partial<Record<ContenderName, Cost>>
}

type Cost = { readonly microseconds: number; readonly queries: readonly [number, number] }

/** The growth of every kind of work that was measured in several sizes. */
export function growths(results: readonly Result[]): Growth[] {
  const families = new Map<string, Sized[]>()
  for (const result of results) {
    const [, work, digits] = /^(.+)-(\d+)k?$/.exec(result.workload.name) ?? []
    if (work === undefined) continue
    families.set(work, [...(families.get(work) ?? []), { ...result, size: Number(digits) }])
  }
  return [...families].flatMap(([work, sizes]) => {
    const [first, last] = [sizes[0], sizes.at(-1)]
    return first && last && first.size < last.size ? growth(work, first, last) : []
  })
}

type Sized = Result & { readonly size: number }

function growth(work: string, first: Sized, last: Sized): Growth {
  const costs: Growth['costs'] = {}
  for (const name of CONTENDERS) {
    const [small, large] = [first.figures.get(name), last.figures.get(name)]
    if (!small || !large) continue
    costs[name] = {
      microseconds: ((cpuOf(large) - cpuOf(small)) * 1000) / (last.size - first.size),
      queries: [small.queries, large.queries],
    }
  }
  return { work, from: first.size, to: last.size, costs }
}

const cpuOf = ({ cpuMs, databaseCpuMs }: Figures): number => cpuMs + databaseCpuMs

/** `menu-read, 5 to 200: service 12 µs each, 9 to 9 queries; …`. */
export function growthLine({ work, from, to, costs }: Growth): string {
  const each = Object.entries(costs).map(([name, { microseconds, queries }]) => {
    const [few, many] = queries.map((count) => Math.round(count))
    return `${name} ${figure(microseconds)} µs each, ${few} to ${many} queries`
  })
  return `${work}, ${from} to ${to}: ${each.join('; ')}`
}
