import { resolve } from 'node:path'
import { isMissingTable } from '../../db/database-error.ts'
import {
  findOrphanedCopies,
  type OrphanedCopy,
  removeOrphanedCopy,
} from '../../publishing/copy-survey.ts'
import { findMissingMarker, findStaticFolderProblem } from '../../publishing/static-folder.ts'
import type { DoctorServices, Finding, Problem } from '../finding.ts'

/** Can static copies be written? */
export async function checkStaticFolder({ staticDir }: DoctorServices): Promise<Problem[]> {
  const fault = staticDir === undefined ? undefined : await findStaticFolderProblem(staticDir)
  if (fault === undefined) return []
  return [
    {
      check: 'static_folder_unwritable',
      severity: 'error',
      message: `Static copies can't be written: ${fault}.`,
      impact: 'Pages are built for each visitor, and copies that are there show the old.',
      fixHint:
        'Give the user that the service runs as the right to write there, or set STATIC_DIR to another folder.',
    },
  ]
}

/** Is the folder the one in which static copies were kept before? */
export async function checkStaticMarker(services: DoctorServices): Promise<Finding[]> {
  const { db, globals, staticDir } = services
  if (staticDir === undefined) return []
  const fault = await findMissingMarker(db, globals, staticDir).catch(orMissingTable)
  if (fault === undefined) return []
  return [
    {
      site: null,
      check: 'static_folder_missing',
      severity: 'error',
      message: 'The folder of the static copies is not the one that was used before.',
      impact:
        'Nothing is published: copies that are written below a mount point are out of sight once the file system is mounted.',
      fixHint: `${fault}.`,
    },
  ]
}

/** Without the table, which is a finding of its own, no path is known. */
function orMissingTable(error: unknown): undefined {
  if (!isMissingTable(error)) throw error
}

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
    message: `In "${folder}" lies a static copy of page ${owner.page} that the page's record doesn't lead to.`,
    impact: 'Visitors are shown it as it is, whatever becomes of the page.',
    fixHint: 'Delete that folder, or let the doctor do so.',
    fix: {
      summary: `Deletes the static copy in "${folder}".`,
      apply: () => removeOrphanedCopy(staticDir, orphan),
    },
  }
}
