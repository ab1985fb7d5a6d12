import { describe, expect, it } from 'vitest'
import type { ContenderName } from '../../bench/contender.ts'
import { type Figures, scaled } from '../../bench/load/measure.ts'
import { percentile } from '../../bench/load/run-load.ts'
import { parseOptions } from '../../bench/options.ts'
import type { Publication } from '../../bench/publication/publish.ts'
import { growths } from '../../bench/report/growth.ts'
import {
  otherPublicationLines,
  publicationLine,
  publicationVerdicts,
} from '../../bench/report/publication-lines.ts'
import { resultTable } from '../../bench/report/result-table.ts'
import { verdicts } from '../../bench/report/verdicts.ts'
import type { Result } from '../../bench/run-bench.ts'
import { chooseWorkloads } from '../../bench/workloads/choose-workloads.ts'

const FIGURES: Figures = {
  requests: 100,
  perSecond: 100,
  p50: 1,
  p99: 2,
  queries: 3,
  cpuMs: 4,
  databaseCpuMs: 1,
  peakBytes: 100 * 1024 ** 2,
}

type Shown = Partial<Record<ContenderName, Partial<Figures>>>

function result(name: string, shown: Shown): Result {
  const [workload] = chooseWorkloads([name])
  if (!workload) throw new Error(`no workload ${name}`)
  const figures = Object.entries(shown).map(
    ([contender, differing]) => [contender as ContenderName, { ...FIGURES, ...differing }] as const,
  )
  return { workload, figures: new Map(figures) }
}

const missed = (results: readonly Result[]) =>
  verdicts(results).flatMap(({ workload, what, met }) => (met ? [] : [`${workload}: ${what}`]))

describe('verdicts', () => {
  it('compares the service with WordPress and the floor', () => {
    const against = (wordpress: number, floor: number) =>
      missed([
        result('menus-list', {
          service: {},
          wordpress: { perSecond: wordpress },
          floor: { perSecond: floor },
        }),
      ])
    expect(against(2, 166)).toEqual([])
    expect(against(2.01, 167)).toEqual([
      "menus-list: requests/s by WordPress's",
      "menus-list: requests/s by the floor's",
    ])
  })

  it('omits contenders that were not measured', () => {
    expect(missed([result('menus-list', { service: {} })])).toEqual([])
    expect(verdicts([result('menus-list', { wordpress: {} })])).toEqual([])
  })

  it('uses the slowest reads during a bake and the largest memory of all workloads', () => {
    const results = [
      result('token-check', { service: { peakBytes: 300 * 1024 ** 2 } }),
      result('read-while-baking', { service: { p99: 51 } }),
    ]
    expect(missed(results)).toEqual(['read-while-baking: p99 in ms', 'all: peak memory in MB'])
  })
})

describe('figures', () => {
  it('computes the cost of an additional item', () => {
    const [growth] = growths([
      result('menu-read-5', { service: { cpuMs: 1, databaseCpuMs: 1, queries: 2 } }),
      result('menu-read-200', { service: { cpuMs: 3, databaseCpuMs: 2.9, queries: 2 } }),
    ])
    expect(growth).toMatchObject({ work: 'menu-read', from: 5, to: 200 })
    expect(growth?.costs.service?.microseconds).toBeCloseTo(20)
  })

  it('marks figures that were scaled', () => {
    const larger = scaled(FIGURES, 'tree-replace-1000', 10)
    expect(larger).toMatchObject({ perSecond: 10, p50: 10, queries: 30 })
    const table = resultTable([result('tree-replace-10000', { service: {}, wordpress: larger })])
    expect(table.split('\n').at(-1)).toMatch(/\| 100 \|.*\| +~10\.0 \|.*\| +10\.0 \|/)
  })

  it('computes the percentile of answer times', () => {
    const times = Array.from({ length: 100 }, (_, index) => index + 1)
    expect([0.5, 0.99, 1].map((share) => percentile(times, share))).toEqual([51, 100, 100])
    expect(percentile([], 0.5)).toBe(0)
  })
})

describe('chooseWorkloads', () => {
  it('chooses workloads by names and prefixes', () => {
    const names = (...wanted: string[]) => chooseWorkloads(wanted).map(({ name }) => name)
    expect(names('menu-read-5')).toEqual(['menu-read-5'])
    expect(names('menu-read')).toEqual(['menu-read-5', 'menu-read-50', 'menu-read-200'])
    expect(() => names('menu-rea')).toThrow('There is no workload menu-rea')
  })
})

describe('the publication', () => {
  const publication: Publication = {
    ...{ pages: 2000, isFirst: false, answerMs: 2100, copiesMs: 5500 },
    ...{ cpuMs: 4000, databaseCpuMs: 1000, peakBytes: 200 * 1024 ** 2 },
    reads: { count: 110, p50: 2, p99: 20 },
  }
  const figures = {
    publications: [publication],
    separate: [
      { ...publication, executors: 1 },
      { ...publication, executors: 2, copiesMs: 2750 },
    ],
    putWithoutPagesMs: 7.5,
    idleStatements: 1,
  }

  it('is described in a line, with its cost for each page', () => {
    const line = publicationLine(publication, 2)
    expect(line).toMatch(/^2000 pages replaced +API \+ 2 executor\(s\) +answer 2\.10 s/)
    expect(line).toContain('CPU 4.00 s + 1.00 s (2.50 ms a page)')
    expect(otherPublicationLines(figures).at(-1)).toContain('2.00 times as fast')
  })

  it('is compared with its targets', () => {
    const verdictsOf = (change: Partial<Publication>) =>
      publicationVerdicts({ ...figures, publications: [{ ...publication, ...change }] })
        .filter(({ met }) => !met)
        .map(({ what }) => what)
    expect(verdictsOf({})).toEqual([])
    expect(verdictsOf({ answerMs: 2600, copiesMs: 6100 })).toEqual([
      'seconds until the answer',
      'seconds until all copies',
    ])
    const slow = { count: 110, p50: 2, p99: 51 }
    expect(verdictsOf({ pages: 20_000, copiesMs: 60_000, reads: slow })).toEqual([
      'p99 of small reads in ms',
    ])
  })

  it('has 20,000 pages in a full run, and fewer in a partial one', () => {
    expect(parseOptions([]).pages).toEqual([2000, 20_000])
    expect(parseOptions(['--only', 'publication']).pages).toEqual([2000])
    expect(parseOptions(['--pages', '300,20']).pages).toEqual([20, 300])
    expect(() => parseOptions(['--pages', 'many'])).toThrow('--pages takes numbers')
  })
})
