import { presentFindings } from '../../api/endpoints/findings.ts'
import { type Finding, SEVERITIES } from '../../network/doctor/finding.ts'
import { identifyFindings } from '../../network/doctor/identify-findings.ts'
import { type Site, siteAddress } from '../../wordpress/network/site.ts'
import type { AddressedSite } from '../sites/site-options.ts'
import { pluralize } from '../terminal.ts'

/** The sites that were checked, and the findings on them and on the network. */
export type Examination = {
  readonly sites: readonly Site[]
  readonly findings: readonly Finding[]
}

/** How many findings of a group are listed. */
const MAX_SHOWN_PER_GROUP = 5

/** The number of findings by severity: `1 error, 2 notes`. */
export function summarizeFindings(findings: readonly Finding[], none = 'nothing wrong'): string {
  const counts = SEVERITIES.flatMap((severity) => {
    const count = findings.filter((finding) => finding.severity === severity).length
    return count === 0
      ? []
      : [severity === 'info' ? pluralize(count, 'note') : pluralize(count, severity)]
  })
  return counts.join(', ') || none
}

/** The findings as text, by site and grouped by kind. */
export function formatFindings({
  sites,
  findings,
}: Pick<Examination, 'findings'> & { readonly sites: readonly AddressedSite[] }): string {
  const addresses = new Map(sites.map((site) => [site.blogId, siteAddress(site)]))
  const ids = [...new Set(findings.map(({ site }) => site))].sort((a, b) => (a ?? 0) - (b ?? 0))
  return ids
    .map((id) => {
      const ofSite = findings.filter(({ site }) => site === id)
      const heading = id === null ? 'The network' : `${addresses.get(id) ?? 'unknown'} (site ${id})`
      return `${heading}\n${groupFindings(ofSite).map(formatGroup).join('\n')}\n`
    })
    .join('')
}

/** Groups findings with the same code and impact, the most severe first. */
function groupFindings(findings: readonly Finding[]): Finding[][] {
  const groups = new Map<string, Finding[]>()
  for (const finding of findings) {
    const key = `${SEVERITIES.indexOf(finding.severity)} ${finding.check} ${finding.impact}`
    groups.set(key, [...(groups.get(key) ?? []), finding])
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group)
}

/** The fix hint is printed once if all findings of the group share it, otherwise below each. */
function formatGroup(group: readonly Finding[]): string {
  const [{ severity = '', check = '', title = '', impact = '', fixHint = '' } = {}] = group
  // All statements that grant rights must be run.
  const most = check === 'rights_missing' ? group.length : MAX_SHOWN_PER_GROUP
  const more = group.length - most
  const hasSharedHint = group.every((finding) => finding.fixHint === fixHint)
  const lines = [
    `  ${severity}: ${title} (${check})`,
    ...group
      .slice(0, most)
      .flatMap((finding) => [
        `    ${finding.message}`,
        ...(hasSharedHint ? [] : [`      Fix: ${finding.fixHint}`]),
      ]),
    ...(more > 0 ? [`    And ${more} more; --json lists all.`] : []),
    `    Impact: ${impact}`,
    ...(hasSharedHint ? [`    Fix: ${fixHint}`] : []),
  ]
  return `${lines.join('\n')}\n`
}

/** The fixes that `--fix` applies, one line each. */
export function formatPlan(findings: readonly Finding[]): string {
  const fixes = new Map(findings.flatMap(({ site, fix }) => (fix ? [[fix, site]] : [])))
  return [...fixes]
    .map(([{ summary }, site]) => `  ${site === null ? 'Network' : `Site ${site}`}: ${summary}\n`)
    .join('')
}

const present = (findings: readonly Finding[]) => presentFindings(identifyFindings(findings))

/**
 * What `GET /findings` answers for the site of an examination, with what was found on the infrastructure, and without a limit.
 * @param resolved the findings that fixes resolved; undefined if none were applied
 */
export function presentExamination(
  { sites: [site], findings }: Examination,
  resolved: readonly Finding[] | undefined,
): object {
  return {
    success: true,
    /** Null if the database cannot be read. */
    site_id: site?.blogId ?? null,
    ...present(findings),
    ...(resolved && { fixed: present(resolved).findings }),
  }
}

/** The same of the network, whose id is null, and of each site. `failed` if one of the findings is an error. */
export function presentExaminations(
  { sites, findings }: Examination,
  resolved: readonly Finding[] | undefined,
): object[] {
  const addresses = new Map(sites.map((site) => [site.blogId, siteAddress(site)]))
  const ids = new Set([null, ...addresses.keys(), ...findings.map(({ site }) => site)])
  return [...ids].map((id) => {
    const of = (found: readonly Finding[]) => found.filter(({ site }) => site === id)
    const ofSite = of(findings)
    return {
      site_id: id,
      address: id === null ? null : (addresses.get(id) ?? null),
      state: ofSite.some(({ severity }) => severity === 'error') ? 'failed' : 'done',
      outcome: summarizeFindings(ofSite),
      ...present(ofSite),
      ...(resolved && { fixed: present(of(resolved)).findings }),
    }
  })
}
