import { Option } from 'commander'
import { describeProblem } from '../../network/plan/site-plan.ts'
import { pluralize, sanitizeForTerminal } from '../terminal.ts'
import type { PlannedSite } from './run-client.ts'

/** `--details`, for `formatPlans`. */
export const detailsOption = (): Option => new Option('--details', 'show the diff of each step')

type ShownStep = PlannedSite['steps'][number]
type ShownProblem = PlannedSite['problems'][number]

/** How a problem is written for readers: with the file and line of what has it. */
export type DescribeProblem = (problem: ShownProblem) => string

/** Sites with the same steps and problems. */
type PlanGroup = {
  readonly plan: Pick<PlannedSite, 'steps' | 'warnings' | 'digest'> & {
    readonly problems: readonly ShownProblem[]
  }
  readonly sites: PlannedSite[]
  /** Pages that would be published on all of them. */
  pages: number
}

const SHOWN_SITES = 5

/** Groups the plans of many sites; equal ones are kept once. */
export class PlanGroups {
  readonly #groups = new Map<string, PlanGroup>()
  #unchanged = 0

  /** @param results in the order of their ids */
  constructor(results: readonly PlannedSite[]) {
    for (const result of results) this.#add(result)
  }

  #add(site: PlannedSite): void {
    const { steps, warnings, digest, pages } = site
    const problems = problemsOf(site)
    if (steps.length + problems.length + warnings.length === 0) {
      this.#unchanged += 1
      return
    }
    const key = `${digest} ${JSON.stringify([problems, warnings])}`
    const group: PlanGroup = this.#groups.get(key) ?? {
      plan: { steps, problems, warnings, digest },
      sites: [],
      pages: 0,
    }
    this.#groups.set(key, group)
    group.sites.push(site)
    group.pages += pages
  }

  /** In the order of the first site of each. */
  all(): readonly PlanGroup[] {
    return [...this.#groups.values()]
  }

  totals() {
    const groups = this.all()
    const sum = (of: (group: PlanGroup) => number): number =>
      groups.reduce((total, group) => total + of(group), 0)
    const ready = groups.filter(({ plan }) => plan.problems.length === 0)
    const changed = ready.filter(({ plan }) => plan.steps.length > 0)
    const count = (some: readonly PlanGroup[]): number =>
      some.reduce((total, { sites }) => total + sites.length, 0)
    return {
      sites: this.#unchanged + count(groups),
      unchanged: this.#unchanged + count(ready) - count(changed),
      changed: count(changed),
      blocked: sum(({ plan, sites }) => (plan.problems.length > 0 ? sites.length : 0)),
      steps: ready.reduce((total, { plan, sites }) => total + plan.steps.length * sites.length, 0),
      pages: ready.reduce((total, { pages }) => total + pages, 0),
    }
  }
}

/** What prevents the plan of a site. One that could not be read has only a message. */
function problemsOf({ site_id, state, problems, message }: PlannedSite): readonly ShownProblem[] {
  if (problems.length > 0 || state !== 'failed') return problems
  const problem = { kind: 'site', name: String(site_id), reason: 'unreadable' }
  return [{ ...problem, message: `It cannot be read: ${message}` }]
}

/** What all plans do together, then the plan of each group, with the diffs that its steps have. */
export function formatPlans(groups: PlanGroups, describe: DescribeProblem): string {
  const plans = groups.all().map((group) => `\n${formatGroup(group, describe)}`)
  return `${formatSummary(groups)}${plans.join('')}`
}

function formatTotals(groups: PlanGroups): string {
  const { sites, unchanged, changed, blocked, steps, pages } = groups.totals()
  const parts = [
    `${pluralize(sites, 'site')}: ${pluralize(steps, 'step')} on ${pluralize(changed, 'site')}`,
    `${unchanged} without changes`,
    ...(blocked > 0 ? [`${blocked} blocked by problems`] : []),
    // Some may stay as they are.
    ...(pages > 0 ? [`up to ${pluralize(pages, 'page')} to publish`] : []),
    ...(pages === 0 && changed > 0 ? ['no page to publish'] : []),
  ]
  return `${parts.join(', ')}\n`
}

function formatGroup(
  { plan: { steps, problems, warnings }, sites, pages }: PlanGroup,
  describe: DescribeProblem,
): string {
  const lines = [
    `${formatSites(sites)}: ${pluralize(steps.length, 'step')}${pages > 0 ? `, ${pluralize(pages, 'page')}` : ''}`,
    ...problems.map((problem) => `  ! ${describe(problem)}`),
    ...warnings.map((problem) => `  warning: ${describe(problem)}`),
    ...steps.flatMap((step) => [`  ${formatStep(step)}`, ...indentDiff(step)]),
  ]
  return sanitizeForTerminal(lines.map((line) => `${line}\n`).join(''))
}

/** `net.test/a (site 2), net.test/b (site 3) and 998 more`. */
function formatSites(sites: readonly PlannedSite[]): string {
  const names = sites.slice(0, SHOWN_SITES).map(nameOfSite)
  const more = sites.length - names.length
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** `net.test/a (site 2)`. */
export const nameOfSite = ({ site_id, address }: Pick<PlannedSite, 'site_id' | 'address'>) =>
  address === null ? `site ${site_id}, which was deleted` : `${address} (site ${site_id})`

/** `menu main: Item 0.1: This site has no page "team".` */
export const sentenceOf: DescribeProblem = ({ kind, name, ...problem }) =>
  `${kind} ${name}: ${describeProblem(problem)}`

const MARKS: Readonly<Record<string, string>> = {
  created: '+',
  assigned: '+',
  deleted: '-',
  cleared: '-',
}
const KINDS: Readonly<Record<ShownStep['kind'], string>> = {
  frame: 'frame',
  menu: 'menu',
  location: 'location',
  assignment: 'page',
  dataset: 'data set',
}

/** `~ frame header (replaced)`, `+ page /about: from home to landing`. */
export function formatStep({ kind, name, action, from, to }: ShownStep): string {
  const change = [...(from ? [`from ${from}`] : []), ...(to ? [`to ${to}`] : [])].join(' ')
  return `${MARKS[action] ?? '~'} ${KINDS[kind]} ${name} (${action}${change === '' ? '' : ` ${change}`})`
}

/** A diff below a step. The step says what the headings of the diff would say. */
export function indentDiff({ diff = '', action }: Pick<ShownStep, 'diff' | 'action'>): string[] {
  if (diff === '') return []
  // A removed line "-- before" looks like a heading, but is not at the top.
  const body = diff.replace(/^--- before\n\+\+\+ after\n/, '')
  const changes = action === 'created' ? body.replace(/^@@.*\n/, '') : body
  const all = changes.replace(/\n$/, '').split('\n')
  const isMarker = (line: string) => line.startsWith('\\ No newline')
  const [first, second] = all.flatMap((line, at) => (isMarker(line) ? [all[at - 1]?.[0]] : []))
  // Of use only where the line ends of the last lines differ.
  const endsDiffer = action === 'replaced' && second === undefined && first !== ' '
  const lines = all.filter((line) => endsDiffer || !isMarker(line))
  return [
    ...(differsInLineEndsOnly(lines) ? ['(only line ends differ)'] : []),
    // A carriage return is invisible in a log.
    ...lines.map((line) => line.replaceAll('\r', '^M')),
  ].map((line) => `      ${line}`)
}

function differsInLineEndsOnly(lines: readonly string[]): boolean {
  const textOf = (mark: string) =>
    lines.flatMap((line) => (line.startsWith(mark) ? [line.slice(1).replace(/\r$/, '')] : []))
  const [removed, added] = [textOf('-'), textOf('+')]
  return removed.length > 0 && removed.join('\n') === added.join('\n')
}

/** What the plans do together, the removals first, and the totals. */
function formatSummary(groups: PlanGroups): string {
  const counts = new Map<string, number>()
  for (const { plan, sites } of groups.all()) {
    if (plan.problems.length > 0) continue
    for (const { kind, action } of plan.steps) {
      const key = `${MARKS[action] ?? '~'} ${action} ${KINDS[kind]}`
      counts.set(key, (counts.get(key) ?? 0) + sites.length)
    }
  }
  const order = ['-', '~', '+']
  const lines = [...counts]
    .sort(([a], [b]) => order.indexOf(a.charAt(0)) - order.indexOf(b.charAt(0)))
    .map(([key, count]) => {
      const [mark, action, ...kind] = key.split(' ')
      return `  ${mark} ${pluralize(count, kind.join(' '))} ${action}\n`
    })
  return `${lines.join('')}${formatTotals(groups)}`
}

/** The plans for `--json`. */
export function presentPlans(id: string, groups: PlanGroups) {
  const plans = groups.all().map(({ plan, sites, pages }) => ({
    ...plan,
    sites: sites.map(({ site_id }) => site_id),
    pages,
  }))
  return { plan: id, ...groups.totals(), plans }
}
