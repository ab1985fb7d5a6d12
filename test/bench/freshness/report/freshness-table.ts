import { EDIT_GROUPS, type EditedSite, type EditGroup, type EditTimes } from '../edit-times.ts'
import { PASS_NAMES, PASSES, type PassResults } from '../passes.ts'
import { editText, megabytes, percent } from './freshness-lines.ts'

const GROUP_TITLES: Readonly<Record<EditGroup, string>> = {
  text: 'Edits of one page that no other page shows (p50 / p99 / maximum)',
  tree: 'Edits of a page that other pages show',
  setting: 'Edits that one page shows',
  site: 'Edits that all or most pages of the site show',
  network: 'Sites of the network',
}

/** The results as Markdown: a table of edits for each group, and one of the other figures. Times in milliseconds. */
export function freshnessTable(results: readonly PassResults[]): string {
  const passes = PASS_NAMES.flatMap((name) => results.filter(({ pass }) => pass === name))
  const tables = EDIT_GROUPS.map((group) => {
    const table = groupTable(group, passes)
    return table === undefined ? [] : [`**${GROUP_TITLES[group]}**\n\n${table}`]
  })
  return [...tables.flat(), `**Cost**\n\n${costTable(passes)}`].join('\n\n')
}

function groupTable(group: EditGroup, passes: readonly PassResults[]): string | undefined {
  const inGroup = passes.flatMap(({ edits }) => edits.filter((edit) => edit.group === group))
  const titles = [...new Set(inGroup.map(({ title }) => title))]
  if (titles.length === 0) return undefined
  const sites: readonly EditedSite[] = group === 'network' ? ['network'] : ['small', 'large']
  const columns = passes.flatMap((pass) => sites.map((site) => ({ pass, site })))
  const head = columns.map(({ pass, site }) =>
    site === 'network' ? PASSES[pass.pass].title : `${PASSES[pass.pass].title}, ${site} site`,
  )
  const rows = titles.map((title) => [
    title,
    ...columns.map(({ pass, site }) => cell(pass.edits, { group, title, site })),
  ])
  return markdownTable([['edit', ...head], ...rows])
}

function cell(
  edits: readonly EditTimes[],
  { group, title, site }: Pick<EditTimes, 'group' | 'title' | 'site'>,
): string {
  const found = edits.find(
    (edit) => edit.group === group && edit.title === title && edit.site === site,
  )
  return found ? editText(found) : ''
}

type CostRow = readonly [what: string, figureOf: (results: PassResults) => string | undefined]

const COSTS: readonly CostRow[] = [
  ['CPU of the service without edits', ({ quiet }) => quiet && percent(quiet.serviceCpu)],
  [
    'CPU of the service with 20 editors in a post of the large site (Gutenberg)',
    ({ collaboration }) => collaboration && percent(collaboration.serviceCpu),
  ],
  ['CPU of the database without edits', ({ quiet }) => quiet && percent(quiet.databaseCpu)],
  ['statements/s without edits', ({ quiet }) => quiet?.statementsPerSecond.toFixed(1)],
  ['duration of a round of the poll, ms', ({ roundMs }) => roundMs?.toFixed(0)],
  ['CPU of a round of the poll, service + database, ms', roundCpu],
  ...(['small', 'large'] as const).map(
    (site): CostRow => [
      `pages rendered for a title that no other page shows, ${site} site`,
      ({ rendered }) => {
        const found = rendered.find((one) => one.site === site)
        return found && String(found.rendered ?? `${found.files} replaced`)
      },
    ],
  ),
]

/** The CPU time of all that a quiet service does from one round to the next. */
function roundCpu({ pass, quiet, roundMs }: PassResults): string | undefined {
  if (!quiet || roundMs === undefined) return undefined
  const ms = PASSES[pass].watchSeconds * 1000 + roundMs
  return `${(quiet.serviceCpu * ms).toFixed(0)} + ${(quiet.databaseCpu * ms).toFixed(0)}`
}

function costTable(passes: readonly PassResults[]): string {
  const kinds = [...new Set(passes.flatMap(({ millions }) => millions.map(({ title }) => title)))]
  const ofMillions = kinds.map(
    (title): CostRow => [
      `rows changed at once ${title}: rows; memory; p99 of small reads; pages true after`,
      ({ millions }) => {
        const found = millions.find((one) => one.title === title)
        if (!found) return undefined
        const shown = found.shownMs === undefined ? 'too late' : `${found.shownMs.toFixed(0)} ms`
        return `${found.rows}; ${megabytes(found.peakBytes)} MB; ${found.reads.p99.toFixed(0)} ms; ${shown}`
      },
    ],
  )
  const compared: CostRow = [
    'sampled copies that differ from fresh pages at the end',
    ({ differences }) => differences && String(differences.length),
  ]
  const rows = [...COSTS, ...ofMillions, compared].map(([what, figureOf]) => [
    what,
    ...passes.map((results) => figureOf(results) ?? ''),
  ])
  const isMeasured = ([, ...cells]: readonly string[]) => cells.some((cell) => cell !== '')
  const head = ['', ...passes.map(({ pass }) => PASSES[pass].title)]
  return markdownTable([head, ...rows.filter(isMeasured)])
}

/** A Markdown table; the first row is the head. */
function markdownTable(rows: readonly (readonly string[])[]): string {
  const [head = [], ...body] = rows
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const rule = head.map((_, column) => (column === 0 ? '---' : '---:'))
  return [line(head), line(rule), ...body.map(line)].join('\n')
}
