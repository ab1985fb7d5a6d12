import { sha256Hex } from '../../host/hash.ts'
import type { Finding, Fix } from './finding.ts'

/** A fix with what it would fix. */
export type IdentifiedFix = {
  /** Changes if the fix would do something else: 16 hexadecimal digits. */
  readonly id: string
  readonly fix: Fix
  readonly findings: readonly IdentifiedFinding[]
}

/** A finding with an id that is the same as long as it says the same: 16 hexadecimal digits. */
type IdentifiedFinding = Finding & { readonly id: string }

export type IdentifiedFindings = {
  readonly findings: readonly IdentifiedFinding[]
  /** In the order in which they are to be applied. */
  readonly fixes: readonly IdentifiedFix[]
}

const ID_LENGTH = 16

const idOf = (...parts: readonly unknown[]): string =>
  sha256Hex(JSON.stringify(parts)).slice(0, ID_LENGTH)

/** Gives ids to findings and fixes, so that a fix can be applied to exactly what a person has seen. */
export function identifyFindings(found: readonly Finding[]): IdentifiedFindings {
  const findings = found.map((finding) => {
    const { site, check, message } = finding
    return { ...finding, id: idOf(site, check, message) }
  })
  const byFix = new Map<Fix, IdentifiedFinding[]>()
  for (const finding of findings) {
    if (!finding.fix) continue
    const others = byFix.get(finding.fix)
    if (others) others.push(finding)
    else byFix.set(finding.fix, [finding])
  }
  const fixes = [...byFix].map(([fix, ofFix]) => ({
    id: idOf(fix.summary, ...ofFix.map(({ id }) => id).sort()),
    fix,
    findings: ofFix,
  }))
  return { findings, fixes }
}
