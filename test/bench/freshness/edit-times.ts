import { percentile } from '../load/run-load.ts'
import { alignedTable } from '../report/table.ts'
import { atMost } from '../report/verdicts.ts'

/** How the service learns of edits in a pass. */
export const PASS_NAMES = ['feed', 'poll'] as const

export type PassName = (typeof PASS_NAMES)[number]

/** The sites that are edited. */
const SITE_NAMES = ['small', 'large'] as const

export type SiteName = (typeof SITE_NAMES)[number]

/** The groups of edits, in the order of the tables. */
const GROUPS = {
  text: 'Edits of one page that no other page shows (p50 / p99 / maximum)',
  tree: 'Edits of a page that other pages show',
  setting: 'Edits that one page shows',
  site: 'Edits that all or most pages of the site show',
}

export type EditGroup = keyof typeof GROUPS

/** All times of one kind of edits, in milliseconds, in ascending order; infinite if the limit came first. */
export type EditTimes = {
  readonly pass: PassName
  readonly group: EditGroup
  readonly site: SiteName
  readonly title: string
  /** Until the first of the expected copies, and until all. */
  readonly first: readonly number[]
  readonly all: readonly number[]
}

/** Fewer times than this are listed instead of their percentiles. */
const MIN_TIMES_FOR_PERCENTILES = 10

/** Times until all copies were as expected; for edits of a whole site also until the first one. */
export function timesText({ group, first, all }: EditTimes): string {
  return group === 'site' ? `first ${listText(first)}; all ${listText(all)}` : listText(all)
}

function listText(times: readonly number[]): string {
  const text = (ms: number): string => (ms === Infinity ? 'too late' : ms.toFixed(0))
  if (times.length < MIN_TIMES_FOR_PERCENTILES) return times.map(text).join(', ')
  return [percentile(times, 0.5), percentile(times, 0.99), times.at(-1) ?? 0].map(text).join(' / ')
}

/** A Markdown table for each group. */
export function freshnessTables(times: readonly EditTimes[]): string {
  const columns = PASS_NAMES.flatMap((pass) => SITE_NAMES.map((site) => ({ pass, site })))
  const head = columns.map(({ pass, site }) => `${pass}, ${site} site`)
  const tables = Object.entries(GROUPS).map(([group, groupTitle]) => {
    const inGroup = times.filter((one) => one.group === group)
    const rows = [...new Set(inGroup.map(({ title }) => title))].map((title) => [
      title,
      ...columns.map(({ pass, site }) =>
        inGroup
          .filter((one) => one.title === title && one.pass === pass && one.site === site)
          .map(timesText)
          .join(),
      ),
    ])
    return `**${groupTitle}**\n\n${alignedTable([['edit', ...head], ...rows])}`
  })
  return tables.join('\n\n')
}

/** Times within which pages show edits, in milliseconds. By poll: its interval, a round, and a second. */
const TARGETS = { p50: 200, feed: 1000, poll: 4000 }

/** Compares the times with their targets: the median of texts by feed, and the slowest edit of each group that touches few pages. */
export function freshnessVerdicts(times: readonly EditTimes[]): string[] {
  const verdicts = times.flatMap(({ pass, group, site, title, all }) => {
    const what = `${title}, ${site} site`
    const isMedian = pass === 'feed' && group === 'text'
    return [
      ...(isMedian ? [atMost(pass, `p50 in ms: ${what}`, TARGETS.p50, percentile(all, 0.5))] : []),
      ...(group === 'site'
        ? []
        : [atMost(pass, `slowest in ms: ${what}`, TARGETS[pass], all.at(-1) ?? 0)]),
    ]
  })
  return verdicts.map(({ sentence }) => sentence)
}
