import { groupBy } from '../../../../src/host/group-by.ts'
import { percentile } from '../../load/run-load.ts'
import { atMost, type Verdict } from '../../report/verdicts.ts'
import type { EditGroup } from '../edit-times.ts'
import { PASSES, type PassResults } from '../passes.ts'

const TARGETS = {
  feed: { p50: 200, p99: 1000, idleShare: 0.005 },
  poll: { slowest: 4000, idleShare: 0.05, roundMs: 1000, roundCpuMs: 500 },
  millions: { megabytes: 250, readMs: 100 },
}

/** Compares the figures of each pass with their targets, as far as they were measured. */
export function freshnessVerdicts(results: readonly PassResults[]): Verdict[] {
  return results.flatMap((pass) => [
    ...(PASSES[pass.pass].hasFeed ? feedVerdicts(pass) : pollVerdicts(pass)),
    ...commonVerdicts(pass),
  ])
}

function feedVerdicts({ pass, edits, quiet }: PassResults): Verdict[] {
  const { p50, p99, idleShare } = TARGETS.feed
  const often = edits.filter(({ group }) => group === 'text')
  return [
    ...often.flatMap(({ site, title, allMs }) => {
      const sorted = sortedTimes(allMs)
      const what = `${title}, ${site} site`
      return [
        atMost(pass, `p50 in ms of ${what}`, p50, percentile(sorted, 0.5)),
        atMost(pass, `p99 in ms of ${what}`, p99, percentile(sorted, 0.99)),
      ]
    }),
    ...slowest(pass, edits, 'tree', p99),
    ...slowest(pass, edits, 'setting', p99),
    ...(quiet ? [atMost(pass, 'idle share of a core', idleShare, quiet.serviceCpu)] : []),
  ]
}

function pollVerdicts({ pass, edits, quiet, roundMs }: PassResults): Verdict[] {
  const { slowest: limit, idleShare, roundMs: maxRound, roundCpuMs } = TARGETS.poll
  const ms = PASSES[pass].watchSeconds * 1000 + (roundMs ?? 0)
  return [
    ...(['text', 'tree', 'setting', 'network'] as const).flatMap((group) =>
      slowest(pass, edits, group, limit),
    ),
    ...(quiet ? [atMost(pass, 'idle share of a core', idleShare, quiet.serviceCpu)] : []),
    ...(roundMs === undefined ? [] : [atMost(pass, 'ms of a round', maxRound, roundMs)]),
    ...(quiet && roundMs !== undefined
      ? [atMost(pass, 'CPU ms of a round', roundCpuMs, quiet.serviceCpu * ms)]
      : []),
  ]
}

function commonVerdicts({ pass, rendered, millions, differences }: PassResults): Verdict[] {
  const { megabytes, readMs } = TARGETS.millions
  return [
    ...rendered.map(({ site, files, rendered: pages = files }) =>
      atMost(pass, `pages rendered for a title, ${site} site`, 1.5, pages),
    ),
    ...millions.flatMap(({ title, peakBytes, reads }) => [
      atMost(pass, `MB at a million rows ${title}`, megabytes, peakBytes / 1024 ** 2),
      atMost(pass, `p99 in ms of reads at a million rows ${title}`, readMs, reads.p99),
    ]),
    ...(differences ? [atMost(pass, 'sampled copies that differ', 1, differences.length)] : []),
  ]
}

/** The slowest edit of a group on each site. */
function slowest(
  pass: string,
  edits: PassResults['edits'],
  group: EditGroup,
  limit: number,
): Verdict[] {
  const inGroup = edits.filter((edit) => edit.group === group)
  return [...groupBy(inGroup, ({ site }) => site)].flatMap(([site, ofSite]) => {
    const times = ofSite.map(({ title, allMs }) => ({ title, ms: sortedTimes(allMs).at(-1) ?? 0 }))
    const [last] = times.sort((a, b) => (a.ms < b.ms ? 1 : -1))
    if (!last) return []
    const what = `ms of the slowest edit (${group}, ${site} site): ${last.title},`
    return [atMost(pass, what, limit, last.ms)]
  })
}

const sortedTimes = (times: readonly (number | null)[]): number[] =>
  times.map((ms) => ms ?? Infinity).sort((a, b) => a - b)
