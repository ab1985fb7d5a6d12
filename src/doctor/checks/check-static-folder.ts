import { resolve } from 'node:path'
import { isMissingTable } from '../../db/database-error.ts'
import {
  findOrphanedCopies,
  type OrphanedCopy,
  removeOrphanedCopy,
} from '../../publishing/copy-survey.ts'
import { findMissingMarker, findStaticFolderProblem } from '../../publishing/static-folder.ts'
import type { DoctorServices, Finding, Problem } from '../finding.ts'

/** Checks that static copies can be written. */
export async function checkStaticFolder({ staticDir }: DoctorServices): Promise<Problem[]> {
  const problem = staticDir === undefined ? undefined : await findStaticFolderProblem(staticDir)
  if (problem === undefined) return []
  return [
    {
      check: 'static_folder_unwritable',
      severity: 'error',
      message: `Static copies cannot be written: ${problem}.`,
      impact: 'Pages are rendered for each visitor, and existing copies show outdated content.',
      fixHint:
        'Give the operating system user of the service write permission, or set STATIC_DIR to another folder.',
    },
  ]
}

/** Checks that the folder is the one that was used before. */
export async function checkStaticMarker(services: DoctorServices): Promise<Finding[]> {
  const { db, globals, staticDir } = services
  if (staticDir === undefined) return []
  const problem = await findMissingMarker(db, globals, staticDir).catch(orMissingTable)
  if (problem === undefined) return []
  return [
    {
      site: null,
      check: 'static_folder_missing',
      severity: 'error',
      message: 'The folder of the static copies is not the one that was used before.',
      impact:
        'Nothing is published, because copies that are written below an unmounted mount point would be hidden once the file system is mounted.',
      fixHint: `${problem}.`,
    },
  ]
}

/** A missing table has its own finding; without it, no earlier folder is known. */
function orMissingTable(error: unknown): undefined {
  if (!isMissingTable(error)) throw error
}

/** Finds static copies that no copy record points to, which no write would update. */
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
    message: `"${folder}" contains a static copy of page ${owner.page} that the copy record of the page does not point to.`,
    impact: 'Visitors see this copy even after the page was changed or deleted.',
    fixHint: 'Delete the folder, or run "doctor --fix".',
    fix: {
      summary: `Deletes the static copy in "${folder}".`,
      apply: () => removeOrphanedCopy(staticDir, orphan),
    },
  }
}
