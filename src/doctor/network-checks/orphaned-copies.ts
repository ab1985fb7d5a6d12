import { resolve } from 'node:path'
import { type OrphanedCopy, findOrphanedCopies, removeOrphanedCopy } from '../../publishing/copy-survey.ts'
import type { DoctorServices, Finding } from '../finding.ts'

/** Are there static copies that no write would find again? */
export async function checkOrphanedCopies(services: DoctorServices): Promise<Finding[]> {
  if (services.staticDir === undefined) return []
  const staticDir = resolve(services.staticDir)
  const findings: Finding[] = []
  for await (const orphan of findOrphanedCopies(staticDir)) {
    findings.push(orphanedCopy(staticDir, orphan))
  }
  return findings
}

function orphanedCopy(staticDir: string, orphan: OrphanedCopy): Finding {
  const { folder, owner } = orphan
  return {
    site: owner.site,
    check: 'static_orphan',
    severity: 'error',
    what: `In "${folder}" lies a static copy of page ${owner.page} that the page's record doesn't lead to.`,
    why: 'Visitors are shown it as it is, whatever becomes of the page.',
    mend: 'Delete that folder, or let the doctor do so.',
    remedy: {
      does: `Deletes the static copy in "${folder}".`,
      apply: () => removeOrphanedCopy(staticDir, orphan),
    },
  }
}
