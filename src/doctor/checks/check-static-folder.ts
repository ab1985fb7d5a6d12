import { isMissingTable } from '../../db/database-error.ts'
import { removeUnownedClaims } from '../../executor/publish-target.ts'
import { listSitesWithCopies } from '../../publishing/copies-table.ts'
import { type CopyTarget, CopyTargetError, type OwnedCopy } from '../../publishing/copy-target.ts'
import { findOrphanedCopies, removeOrphanedCopy } from '../../publishing/orphaned-copies.ts'
import { listBuilders } from '../../work/due-work.ts'
import { type DoctorServices, type Finding, formatList, type Problem } from '../finding.ts'

/** Checks that static copies can be written. */
export async function checkStaticFolder({ copies }: DoctorServices): Promise<Problem[]> {
  const problem = await copies?.findWriteProblem()
  if (copies === undefined || problem === undefined) return []
  return [
    {
      check: 'static_folder_unwritable',
      severity: 'error',
      message: `Static copies cannot be written: ${problem}.`,
      impact: 'Pages are rendered for each visitor, and existing copies show outdated content.',
      fixHint:
        copies.setting === 'STATIC_DIR'
          ? 'Give the operating system user of the service write permission, or set STATIC_DIR to another folder.'
          : 'Correct what the message names. The service tries again by itself.',
    },
  ]
}

const MISSING = {
  STATIC_DIR: {
    what: 'The folder of the static copies',
    why: 'copies that are written below an unmounted mount point would be hidden once the file system is mounted',
  },
  STATIC_TARGET: {
    what: 'The store of the static copies',
    why: 'the copies that visitors see may be in another bucket or prefix',
  },
}

/** Checks that the target is the one that was used before. */
export async function checkStaticMarker({ copies }: DoctorServices): Promise<Finding[]> {
  const problem = await copies?.findMissing().catch(orMissingTable)
  if (copies === undefined || problem === undefined) return []
  return [
    {
      site: null,
      check: 'static_folder_missing',
      severity: 'error',
      message: `${MISSING[copies.setting].what} is not the one that was used before.`,
      impact: `Nothing is published, because ${MISSING[copies.setting].why}.`,
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
  const { db, globals, copies } = services
  if (copies === undefined || !(await areWorkTablesPresent(services))) return []
  const findings: Finding[] = []
  try {
    for await (const orphan of findOrphanedCopies(db, globals, copies)) {
      findings.push(orphanedCopy(copies, orphan))
    }
  } catch (error) {
    // That the target cannot be used is a finding of `checkStaticFolder`.
    if (!(error instanceof CopyTargetError)) throw error
  }
  return findings
}

/** Finds the temporary files of processes that were killed. Running services remove them within a minute. */
export async function checkUnownedStaging(services: DoctorServices): Promise<Finding[]> {
  const { db, globals, copies } = services
  if (copies === undefined || !(await areWorkTablesPresent(services))) return []
  // In this order: a claim that is committed meanwhile has an owner.
  const before = await copies.listClaims()
  const owners = await listBuilders(db, globals)
  const unowned = before.filter((id) => !owners.has(id))
  return unowned.length === 0 ? [] : [temporaryFiles(copies, unowned)]
}

function temporaryFiles(copies: CopyTarget, claims: readonly string[]): Finding {
  const left = LEFT[copies.setting]
  return {
    site: null,
    check: 'static_temporary',
    severity: 'info',
    message: `${left.found}: ${formatList(claims)}.`,
    impact: left.impact,
    fixHint: `Run "doctor --fix" to ${left.fix}.`,
    fix: {
      summary: left.summary,
      apply: async ({ db, globals }) => {
        await removeUnownedClaims(copies, () => listBuilders(db, globals))
      },
    },
  }
}

/** What killed processes leave in a folder and in a store. */
const LEFT = {
  STATIC_DIR: {
    found: 'Killed processes have left unfinished temporary files among the static copies',
    impact: 'A process ended while it wrote them. Visitors do not see them; they waste disk space.',
    fix: 'delete them',
    summary: 'Deletes unfinished temporary files.',
  },
  STATIC_TARGET: {
    found: 'Killed processes have left open claims in the store of the static copies',
    impact: 'Requests that a process had sent when it ended may still arrive.',
    fix: 'end them: the store then refuses what arrives late',
    summary: 'Ends the claims of killed processes.',
  },
} as const

/** Missing tables have their own finding. */
async function areWorkTablesPresent({ db, globals }: DoctorServices): Promise<boolean> {
  try {
    await Promise.all([listBuilders(db, globals), listSitesWithCopies(db, globals)])
    return true
  } catch (error) {
    if (isMissingTable(error)) return false
    throw error
  }
}

function orphanedCopy(copies: CopyTarget, orphan: OwnedCopy): Finding {
  const { location, owner } = orphan
  return {
    site: owner.site,
    check: 'static_orphan',
    severity: 'error',
    message: `"${location}" contains a static copy of page ${owner.page} that the copy record of the page does not point to.`,
    impact: 'Visitors see this copy even after the page was changed or deleted.',
    fixHint: `Delete the ${copies.setting === 'STATIC_DIR' ? 'folder' : 'object'}, or run "doctor --fix".`,
    fix: {
      summary: `Deletes the static copy in "${location}".`,
      apply: ({ db, globals }) => removeOrphanedCopy(db, globals, copies, orphan),
    },
  }
}
