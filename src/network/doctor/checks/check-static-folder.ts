import { fenceLeftWriters } from '../../../build/executor/publish-target.ts'
import { findOrphanedCopies, removeOrphanedCopy } from '../../../build/publishing/check-copies.ts'
import { listSitesWithCopies } from '../../../build/publishing/copies-table.ts'
import {
  CANNOT_WRITE,
  type CopyStore,
  CopyTargetError,
  type OwnedCopy,
  type StoreInspection,
} from '../../../build/publishing/copy-store.ts'
import { readIdentity } from '../../../build/publishing/network-identity.ts'
import { listBuilders } from '../../../content/work/due-work.ts'
import {
  type DoctorServices,
  type Finding,
  formatList,
  found,
  ifTableMissing,
  type Problem,
} from '../finding.ts'

const FOLDER_HINT =
  'Give the operating system user of the service write permission, or set STATIC_DIR to another folder.'

/** Checks that static copies can be written. */
export async function checkStaticFolder(services: DoctorServices): Promise<Problem[]> {
  const { copies } = services
  const problem = await findWriteProblem(services)
  if (copies === undefined || problem === undefined) return []
  const hint = copies.setting === 'STATIC_DIR' ? { fixHint: FOLDER_HINT } : {}
  return [found('static_folder_unwritable', `Static copies cannot be written: ${problem}.`, hint)]
}

async function findWriteProblem(services: DoctorServices): Promise<string | undefined> {
  try {
    const ownership = await inspectCopies(services)
    // Nothing is written where another network may have its copies.
    if (ownership?.foreign === undefined) await services.copies?.test()
    return ownership?.warning
  } catch (error) {
    if (!(error instanceof CopyTargetError)) throw error
    return error.message.replace(CANNOT_WRITE, '')
  }
}

/**
 * To whom the target of the copies belongs. Undefined without one, and if the database does not say to which network it belongs.
 * @throws CopyTargetError if it cannot be read
 */
export async function inspectCopies({
  db,
  globals,
  copies,
}: DoctorServices): Promise<StoreInspection | undefined> {
  // Other checks find what is wrong with the database.
  const network = await readIdentity(db, globals).catch(() => undefined)
  return network && copies?.inspect(network.identity)
}

/** That the target cannot be read is a finding of `checkStaticFolder`. */
export function unlessUnreadable(error: unknown): undefined {
  if (!(error instanceof CopyTargetError)) throw error
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
export async function checkStaticMarker(services: DoctorServices): Promise<Problem[]> {
  const { copies } = services
  const problem = (await inspectCopies(services).catch(unlessUnreadable))?.missing
  if (copies === undefined || problem === undefined) return []
  const { what, why } = MISSING[copies.setting]
  return [
    found('static_folder_missing', `${what} is not the one that was used before.`, {
      impact: `Nothing is published, because ${why}.`,
      fixHint: `${problem}.`,
    }),
  ]
}

/** Finds static copies that no copy record points to, which no write would update. */
export async function checkOrphanedCopies(services: DoctorServices): Promise<Finding[]> {
  const { db, globals, copies } = services
  if (copies === undefined || !(await areWorkTablesPresent(services))) return []
  const findings: Finding[] = []
  try {
    for await (const orphan of findOrphanedCopies({ db, globals, copies }))
      findings.push(orphanedCopy(copies, orphan))
  } catch (error) {
    // That the target cannot be used is a finding of `checkStaticFolder`.
    if (!(error instanceof CopyTargetError)) throw error
  }
  return findings
}

/** Finds the temporary files of processes that were killed. Running services remove them within a minute. */
export async function checkUnownedStaging(services: DoctorServices): Promise<Problem[]> {
  const { db, globals, copies } = services
  if (copies === undefined || !(await areWorkTablesPresent(services))) return []
  // In this order: a builder has its site before it has a writer.
  const before = await copies.owners()
  const owners = await listBuilders(db, globals)
  const unowned = before.filter((id) => !owners.has(id))
  return unowned.length === 0 ? [] : [temporaryFiles(copies, unowned)]
}

function temporaryFiles(copies: CopyStore, writers: readonly string[]): Problem {
  const left = LEFT[copies.setting]
  return found('static_temporary', `${left.found}: ${formatList(writers)}.`, {
    fix: {
      summary: left.summary,
      apply: async ({ db, globals }) => {
        await fenceLeftWriters(copies, () => listBuilders(db, globals))
      },
    },
    impact: left.impact,
    fixHint: `Run "doctor --fix" to ${left.fix}.`,
  })
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

const areWorkTablesPresent = ({ db, globals }: DoctorServices): Promise<boolean> =>
  Promise.all([listBuilders(db, globals), listSitesWithCopies(db, globals)])
    .then(() => true)
    .catch(ifTableMissing(false))

function orphanedCopy(copies: CopyStore, orphan: OwnedCopy): Finding {
  const { location, owner } = orphan
  return {
    site: owner.site,
    ...found(
      'static_orphan',
      `"${location}" contains a static copy of page ${owner.page} that the copy record of the page does not point to.`,
      {
        fix: {
          summary: `Deletes the static copy in "${location}".`,
          apply: ({ db, globals }) => removeOrphanedCopy({ db, globals, copies }, orphan),
        },
      },
      { 'folder or object': copies.setting === 'STATIC_DIR' ? 'folder' : 'object' },
    ),
  }
}
