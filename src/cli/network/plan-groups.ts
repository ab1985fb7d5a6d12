import { Option } from 'commander'
import { digestOfSteps, type SitePlan, type Step } from '../../plan/site-plan.ts'
import { type Site, siteAddress } from '../../wordpress/network/site.ts'
import { coloured, pluralize, sanitizeForTerminal } from '../terminal.ts'

/** `--details`, for `formatPlans`. */
export const detailsOption = (): Option => new Option('--details', 'show the diff of each step')

/** Sites with the same steps and problems. */
export type PlanGroup = {
  readonly plan: Pick<SitePlan, 'steps' | 'problems' | 'warnings' | 'digest'>
  readonly sites: Site[]
  /** Pages that would be published on all of them. */
  pages: number
}

const SHOWN_SITES = 5

/** Collects the plans of many sites; equal ones are kept once. */
export class PlanGroups {
  readonly #groups = new Map<string, PlanGroup>()
  #unchanged = 0

  add(site: Site, { steps, problems, warnings, digest, pages }: SitePlan): void {
    if (steps.length + problems.length + warnings.length === 0) {
      this.#unchanged += 1
      return
    }
    const key = `${digest} ${JSON.stringify([problems, warnings])}`
    const group = this.#groups.get(key) ?? {
      plan: { steps, problems, warnings, digest },
      sites: [],
      pages: 0,
    }
    this.#groups.set(key, group)
    group.sites.push(site)
    group.pages += pages.total
  }

  /** Adds a site that cannot be read. */
  addUnreadable(site: Site, message: string): void {
    const problem = {
      kind: 'site',
      name: String(site.blogId),
      reason: 'unreadable',
      message,
    } as const
    const nothing = {
      steps: [],
      warnings: [],
      digest: digestOfSteps([]),
      pages: { total: 0, ids: [] },
    }
    this.add(site, { ...nothing, problems: [problem] })
  }

  /** In the order of the first site of each. */
  all(): readonly PlanGroup[] {
    for (const { sites } of this.#groups.values()) sites.sort((a, b) => a.blogId - b.blogId)
    return [...this.#groups.values()].sort(
      (a, b) => (a.sites[0]?.blogId ?? 0) - (b.sites[0]?.blogId ?? 0),
    )
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

/**
 * What all plans do together, then the plan of each group.
 * @param details with the diffs of the steps
 */
export function formatPlans(
  groups: PlanGroups,
  { details }: { readonly details: boolean },
): string {
  const plans = groups.all().map((group) => `\n${formatGroup(group, details)}`)
  return coloured(`${formatSummary(groups)}${plans.join('')}`)
}

function formatTotals(groups: PlanGroups): string {
  const { sites, unchanged, changed, blocked, steps, pages } = groups.totals()
  const parts = [
    `${pluralize(sites, 'site')}: ${pluralize(steps, 'step')} on ${pluralize(changed, 'site')}`,
    `${unchanged} without changes`,
    ...(blocked > 0 ? [`${blocked} blocked by problems`] : []),
    ...(pages > 0 ? [`${pluralize(pages, 'page')} to publish`] : []),
  ]
  return `${parts.join(', ')}\n`
}

function formatGroup(
  { plan: { steps, problems, warnings }, sites, pages }: PlanGroup,
  details: boolean,
): string {
  const lines = [
    `${formatSites(sites)}: ${pluralize(steps.length, 'step')}${pages > 0 ? `, ${pluralize(pages, 'page')}` : ''}`,
    ...problems.map(({ kind, name, message }) => `  ! ${kind} ${name}: ${message}`),
    ...warnings.map(({ kind, name, message }) => `  warning: ${kind} ${name}: ${message}`),
    ...steps.flatMap((step) => [`  ${formatStep(step)}`, ...(details ? indentDiff(step) : [])]),
  ]
  return sanitizeForTerminal(lines.map((line) => `${line}\n`).join(''))
}

/** `net.test/a (site 2), net.test/b (site 3) and 998 more`. */
function formatSites(sites: readonly Site[]): string {
  const names = sites
    .slice(0, SHOWN_SITES)
    .map((site) => `${siteAddress(site)} (site ${site.blogId})`)
  const more = sites.length - names.length
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

const MARKS: Readonly<Partial<Record<Step['action'], string>>> = {
  created: '+',
  assigned: '+',
  deleted: '-',
  cleared: '-',
}
const KINDS: Readonly<Record<Step['kind'], string>> = {
  frame: 'frame',
  menu: 'menu',
  location: 'location',
  assignment: 'page',
  dataset: 'data set',
}

/** `~ frame header (replaced)`, `+ page /about: from home to landing`. */
export function formatStep({ kind, name, action, from, to }: Step): string {
  const change = [...(from ? [`from ${from}`] : []), ...(to ? [`to ${to}`] : [])].join(' ')
  return `${MARKS[action] ?? '~'} ${KINDS[kind]} ${name} (${action}${change === '' ? '' : ` ${change}`})`
}

/** A diff below a step. The step says what the headings of the diff would say. */
export function indentDiff({ diff = '', action }: Pick<Step, 'diff' | 'action'>): string[] {
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
export function formatSummary(groups: PlanGroups): string {
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

/** The plans for `--json`. Steps have no ids, because they belong to several sites. */
export function presentPlans(groups: PlanGroups) {
  const plans = groups.all().map(({ plan, sites, pages }) => ({
    digest: plan.digest,
    sites: sites.map(({ blogId }) => blogId),
    steps: plan.steps.map(({ ref: _, ...step }) => step),
    problems: plan.problems,
    warnings: plan.warnings,
    pages,
  }))
  return { ...groups.totals(), plans }
}
