import type { Finding, Severity } from '../../doctor/finding.ts'
import { type Site, siteAddress } from '../../wordpress/network/site.ts'
import { pluralize } from '../terminal.ts'

/** What was looked at: the sites, and all that was found on them and on the network. */
export type Examination = {
  readonly sites: readonly Site[]
  readonly findings: readonly Finding[]
}

/** The worst first. */
const SEVERITIES: readonly Severity[] = ['error', 'warning', 'info']

/** Findings of one kind that are shown one by one. */
const MAX_SHOWN_PER_GROUP = 5

/** How many findings of each severity there are, in words. */
export function summarizeFindings(findings: readonly Finding[], none = 'nothing wrong'): string {
  const counts = SEVERITIES.flatMap((severity) => {
    const count = findings.filter((finding) => finding.severity === severity).length
    return count === 0
      ? []
      : [severity === 'info' ? pluralize(count, 'note') : pluralize(count, severity)]
  })
  return counts.join(', ') || none
}

/** For people: under each site its findings, those of one kind together. */
export function formatFindings({ sites, findings }: Examination): string {
  const addresses = new Map(sites.map((site) => [site.blogId, siteAddress(site)]))
  const places = [...new Set(findings.map(({ site }) => site))].sort((a, b) => (a ?? 0) - (b ?? 0))
  return places
    .map((place) => {
      const here = findings.filter(({ site }) => site === place)
      const heading =
        place === null ? 'The network' : `${addresses.get(place) ?? 'unknown'} (site ${place})`
      return `${heading}\n${groupFindings(here).map(formatGroup).join('\n')}\n`
    })
    .join('')
}

/** Findings that matter for the same reason, the worst first. */
function groupFindings(findings: readonly Finding[]): Finding[][] {
  const kinds = new Map<string, Finding[]>()
  for (const finding of findings) {
    const key = `${SEVERITIES.indexOf(finding.severity)} ${finding.check} ${finding.impact}`
    kinds.set(key, [...(kinds.get(key) ?? []), finding])
  }
  return [...kinds].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, kind]) => kind)
}

/** How to mend it is told once where that is the same for all, else below each. */
function formatGroup(kind: readonly Finding[]): string {
  const [{ severity = '', check = '', impact: why = '', fixHint: mend = '' } = {}] = kind
  const more = kind.length - MAX_SHOWN_PER_GROUP
  const isMendedAlike = kind.every((finding) => finding.fixHint === mend)
  const lines = [
    `  ${severity}: ${check}`,
    ...kind
      .slice(0, MAX_SHOWN_PER_GROUP)
      .flatMap((finding) => [
        `    ${finding.message}`,
        ...(isMendedAlike ? [] : [`      To mend it: ${finding.fixHint}`]),
      ]),
    ...(more > 0 ? [`    And ${more} more; --json shows all.`] : []),
    `    Why it matters: ${why}`,
    ...(isMendedAlike ? [`    To mend it: ${mend}`] : []),
  ]
  return `${lines.join('\n')}\n`
}

/** What `--fix` does, a line each. */
export function formatPlan(findings: readonly Finding[]): string {
  const remedies = new Map(
    findings.flatMap(({ site, fix: remedy }) => (remedy ? [[remedy, site]] : [])),
  )
  return [...remedies]
    .map(
      ([{ summary: does }, site]) => `  ${site === null ? 'Network' : `Site ${site}`}: ${does}\n`,
    )
    .join('')
}

export type PresentedSite = {
  /** Null for the network itself, as the address. */
  readonly site_id: number | null
  readonly address: string | null
  readonly state: 'done' | 'failed'
  readonly outcome: string
  readonly findings: readonly PresentedFinding[]
  /** What was found before and mended. */
  readonly mended?: readonly PresentedFinding[]
}

type PresentedFinding = Omit<Finding, 'remedy'> & { readonly remedy: string | null }

/**
 * For programs: the network, then each site with its findings, `failed` where one is an error.
 * @param mended undefined where nothing was to be mended
 */
export function presentSites(
  { sites, findings }: Examination,
  mended: readonly Finding[] | undefined,
): PresentedSite[] {
  const addresses = new Map(sites.map((site) => [site.blogId, siteAddress(site)]))
  const ids = new Set([null, ...addresses.keys(), ...findings.map(({ site }) => site)])
  return [...ids].map((id) => {
    const here = findings.filter(({ site }) => site === id)
    return {
      site_id: id,
      address: id === null ? null : (addresses.get(id) ?? null),
      state: here.some(({ severity }) => severity === 'error') ? 'failed' : 'done',
      outcome: summarizeFindings(here),
      findings: here.map(presentFinding),
      ...(mended && { mended: mended.filter(({ site }) => site === id).map(presentFinding) }),
    }
  })
}

function presentFinding({ fix: remedy, ...finding }: Finding): PresentedFinding {
  return { ...finding, remedy: remedy?.summary ?? null }
}
