import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { ContenderName } from '../../bench/contender.ts'
import { type Figures, scaled } from '../../bench/load/measure.ts'
import { percentile } from '../../bench/load/run-load.ts'
import { parseOptions } from '../../bench/options.ts'
import type { Publication } from '../../bench/publication/publish.ts'
import { comparisonTable, comparisonTitle } from '../../bench/report/comparison-table.ts'
import { growths } from '../../bench/report/growth.ts'
import {
  otherPublicationLines,
  publicationLine,
  publicationVerdicts,
} from '../../bench/report/publication-lines.ts'
import { type EarlierRun, readResults } from '../../bench/report/read-results.ts'
import { replaceSection } from '../../bench/report/replace-section.ts'
import { resultTable } from '../../bench/report/result-table.ts'
import { scalingTable } from '../../bench/report/scaling-table.ts'
import { verdicts } from '../../bench/report/verdicts.ts'
import { RESULTS_FILE, writeResults } from '../../bench/report/write-results.ts'
import type { Result } from '../../bench/run-bench.ts'
import {
  chooseWorkloads,
  quickWorkloads,
  withRemoteTargets,
} from '../../bench/workloads/choose-workloads.ts'

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
  it('compares the service with WordPress, the floor and Express', () => {
    const against = (wordpress: number, floor: number, express: number) =>
      missed([
        result('frame-put-0', { service: {}, wordpress: { perSecond: wordpress } }),
        result('menu-read-50', {
          service: {},
          floor: { perSecond: floor },
          express: { perSecond: express },
        }),
      ])
    expect(against(28.5, 166, 200)).toEqual([])
    expect(against(28.6, 167, 201)).toEqual([
      "frame-put-0: requests/s by WordPress's",
      "menu-read-50: requests/s by the floor's",
      "menu-read-50: requests/s by Express's",
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
    expect(missed(results)).toEqual([
      'read-while-baking: p99 in ms',
      'all: peak memory in MB, in token-check',
    ])
  })
})

describe('the targets with a remote database', () => {
  const remote = ([...results]: readonly Result[]) =>
    withRemoteTargets(results.map(({ workload }) => workload)).map((workload, index) => ({
      workload,
      figures: results[index]?.figures ?? new Map(),
    }))

  it('are those of round trips, which are rounded, and of times', () => {
    const put = (figures: Partial<Figures>) =>
      missed(remote([result('frame-put-page', { service: figures })]))
    expect(put({ roundTrips: 12.4, p50: 49 })).toEqual([])
    expect(put({ roundTrips: 12.6, p50: 50 })).toEqual([
      'frame-put-page: p50 in ms',
      'frame-put-page: round trips',
    ])
  })

  it('replace those of a local one', () => {
    const results = [
      result('frame-put-0', { service: {}, wordpress: { perSecond: 20 } }),
      result('menu-read-50', { service: {}, floor: { perSecond: 500 } }),
    ]
    expect(missed(results)).toContain("menu-read-50: requests/s by the floor's")
    expect(missed(remote(results))).toEqual(["frame-put-0: requests/s by WordPress's"])
  })

  it('are shown in the table', () => {
    const shown = { service: { roundTrips: 5.1, p50: 22 } }
    const [local, far] = [
      [result('frame-put-0', { service: {} })],
      remote([result('frame-put-0', shown)]),
    ]
    expect(resultTable(local)).not.toContain('round trips')
    expect(resultTable(far)).toMatch(/p50 ms .* round trips .*\n.*\n.* 22\.0 ≥ 22 .* 5\.10 ≤ 5 /)
  })

  it('are chosen by a quick run', () => {
    const names = quickWorkloads(true).map(({ name }) => name)
    expect(names).toEqual([
      'frame-put-0',
      'frame-put-20',
      'frame-put-page',
      'tree-replace-50',
      'traffic',
    ])
    expect(parseOptions(['--remote', '--quick'])).toMatchObject({ remote: true, quick: true })
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
    expect(larger).not.toHaveProperty('roundTrips')
    expect(scaled({ ...FIGURES, roundTrips: 2 }, 'tree-replace-1000', 10).roundTrips).toBe(20)
    const table = resultTable([result('tree-replace-10000', { service: {}, wordpress: larger })])
    expect(table.split('\n').at(-1)).toMatch(/\| 100 \|.*\| +~10\.0 \|.*\| +10\.0 \|/)
  })

  it('shows the columns of the contenders that were measured', () => {
    const heads = (shown: Shown) => resultTable([result('menu-read-50', shown)]).split('\n', 1)[0]
    expect(heads({ service: {}, express: {} })).toMatch(/queries.*\| Express\/s \|.*by Express/)
    expect(heads({ service: {}, express: {} })).not.toMatch(/WordPress|floor/)
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

  it('chooses the workloads that have targets by WordPress or Express for a quick run', () => {
    const names = quickWorkloads().map(({ name }) => name)
    expect(names).toContain('token-check')
    expect(names).toContain('frame-put-200')
    expect(names).not.toContain('menu-read-5')
    expect(names).not.toContain('read-while-baking')
  })
})

describe('the publication', () => {
  const publication: Publication = {
    pages: 2000,
    isFirst: false,
    answerMs: 2100,
    copiesMs: 5500,
    cpuMs: 4000,
    databaseCpuMs: 1000,
    peakBytes: 200 * 1024 ** 2,
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

  it('counts for the peak memory of the run', () => {
    const large = { ...publication, peakBytes: 210 * 1024 ** 2 }
    const [memory] = verdicts([result('menus-list', { service: {} })], [publication, large])
    expect(memory).toMatchObject({
      what: 'peak memory in MB, in publication of 2000',
      found: 210,
      met: false,
    })
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

describe('the options of a quick run', () => {
  it('have shorter loads and fewer contenders, unless they are given', () => {
    expect(parseOptions([])).toMatchObject({ quick: false, seconds: 3, warmUpSeconds: 2 })
    expect(parseOptions(['--quick'])).toMatchObject({
      contenders: ['service', 'express', 'wordpress'],
      seconds: 1,
      warmUpSeconds: 0.3,
    })
    const given = parseOptions(['--quick', '--with', 'service', '--seconds', '5'])
    expect(given).toMatchObject({ contenders: ['service'], seconds: 5 })
    expect(() => parseOptions(['--with', 'apache'])).toThrow('--with takes service')
  })
})

describe('the table of the worker processes', () => {
  it('contains each work with one process and with more', () => {
    const figures = (title: string, workers: number, perSecond: number, service: number[]) => ({
      title,
      workers,
      perSecond,
      p50: 1,
      p99: 2,
      cores: { service, database: 0.25, load: 0.3 },
    })
    const table = scalingTable([
      figures('a menu', 1, 500, [0.75]),
      figures('a frame', 1, 200, [0.95]),
      figures('a menu', 2, 750, [0.001, 0.6, 0.65]),
    ])
    const lines = table.split('\n').map((line) => line.replace(/ +/g, ' '))
    expect(lines.slice(2)).toEqual([
      '| a menu | 1 | 500 | | 1.00 | 2.00 | 2.00 | 0.75 | | 0.25 | 0.30 |',
      '| a menu | 2 | 750 | 1.50 | 1.00 | 2.00 | 2.00 | 1.25 | 0.60 + 0.65 | 0.25 | 0.30 |',
      '| a frame | 1 | 200 | | 1.00 | 2.00 | 6.00 | 0.95 | | 0.25 | 0.30 |',
    ])
  })

  it('replaces the section of a document', () => {
    const folder = mkdtempSync(join(tmpdir(), 'wp-frames-section-'))
    const file = join(folder, 'a.md')
    writeFileSync(file, 'before <!-- x -->old<!-- /x --> after')
    replaceSection(file, 'x', 'new')
    expect(readFileSync(file, 'utf8')).toBe('before <!-- x -->\nnew\n<!-- /x --> after')
    expect(() => replaceSection(file, 'y', 'new')).toThrow('a.md must contain <!-- y -->')
    rmSync(folder, { recursive: true })
  })
})

describe('the comparison with an earlier run', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wp-frames-results-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const machine = {
    processor: 'A processor',
    cores: 2,
    memoryGigabytes: 24,
    system: 'Linux',
    load: 0,
  }
  const run = {
    date: '2026-11-22',
    commit: 'abc1234',
    machine,
    versions: {},
    secondsEach: 3,
    fpmWorkers: 4,
  }
  /** Writes results as a run does, and reads them as a later run does. */
  const stored = (results: readonly Result[]): EarlierRun => {
    const file = join(folder, 'results.json')
    writeResults(file, run, results, [], undefined)
    return readResults(file)
  }

  it('shows ratios within each run and their changes', () => {
    const earlier = stored([
      result('token-check', {
        service: { perSecond: 200, queries: 2 },
        wordpress: { perSecond: 20 },
        express: { cpuMs: 1, databaseCpuMs: 1 },
      }),
      result('menus-list', { service: {} }),
    ])
    const table = comparisonTable(earlier, [
      result('token-check', {
        service: { perSecond: 75, queries: 1, cpuMs: 2, databaseCpuMs: 0.5 },
        wordpress: { perSecond: 5 },
        express: { cpuMs: 1, databaseCpuMs: 1 },
      }),
      result('frame-put-0', { service: {} }),
    ])
    const [head, , line, ...more] = table.split('\n')
    const cells = (text = '') => text.split('|').map((cell) => cell.trim().replace(/ +/g, ' '))
    expect(cells(head)).toEqual(
      ['', 'work', 'by WordPress', 'by Express', 'CPU ms'].concat(
        'CPU by WordPress',
        'CPU by Express',
        'queries',
        '',
      ),
    )
    expect(cells(line)).toEqual(
      ['', 'token check alone', '10.0 → 15.0 +50%', '2.00 → 0.75 -62%', '5.00 → 2.50 -50%'].concat(
        '1.00 → 2.00 +100%',
        '0.40 → 0.80 +100%',
        '2.00 → 1.00 -50%',
        '',
      ),
    )
    expect(more).toEqual([])
    expect(comparisonTable(earlier, [result('frame-put-0', { service: {} })])).toBe(
      'The earlier run has none of these workloads.',
    )
  })

  it('warns if the earlier run was on another machine', () => {
    const earlier = stored([])
    expect(comparisonTitle(earlier, run)).not.toContain('cores')
    const other = { ...run, machine: { ...machine, cores: 8 } }
    expect(comparisonTitle(earlier, other)).toContain('The earlier run had 2 cores of A processor')
  })

  it('warns if only one of the runs had a remote database, and compares round trips', () => {
    const trips = (roundTrips: number) => [result('frame-put-page', { service: { roundTrips } })]
    const file = join(folder, 'remote.json')
    writeResults(file, { ...run, remoteDelayMs: 1 }, trips(40), [], undefined)
    const earlier = readResults(file)
    expect(comparisonTable(earlier, trips(10))).toContain('40.0 → 10.0  -75%')
    expect(comparisonTitle(earlier, { ...run, remoteDelayMs: 1 })).not.toContain('each way')
    expect(comparisonTitle(earlier, run)).toContain(
      '1 ms each way to the database, and this one 0 ms',
    )
  })

  it('reads the results of a whole run, and refuses other files', () => {
    expect(readResults(RESULTS_FILE).results.length).toBeGreaterThan(20)
    const foreign = join(folder, 'foreign.json')
    const refused = (text: string) => {
      writeFileSync(foreign, text)
      return () => readResults(foreign)
    }
    expect(refused('no JSON')).toThrow('foreign.json contains no results of the benchmark')
    expect(refused('{"passes": []}')).toThrow('Give a file that "npm run bench -- --out <file>"')
    expect(() => readResults(join(folder, 'none.json'))).toThrow('--compare cannot read')
  })
})
