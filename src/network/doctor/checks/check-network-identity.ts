import { hasCopies } from '../../../build/publishing/copies-table.ts'
import { readIdentity } from '../../../build/publishing/network-identity.ts'
import { DAY_MS, parseGmt } from '../../../db/gmt.ts'
import { type DoctorServices, found, ifTableMissing, type Problem } from '../finding.ts'
import { inspectCopies, unlessUnreadable } from './check-static-folder.ts'

/** Checks that the database and the folder of the static copies belong together, and whether the database was moved, copied or restored. */
export const checkNetworkIdentity = (services: DoctorServices): Promise<Problem[]> =>
  findProblems(services).catch(ifTableMissing([]))

async function findProblems(services: DoctorServices): Promise<Problem[]> {
  const { db, globals, copies, now } = services
  const { identity } = await readIdentity(db, globals)
  const problems: Problem[] = []
  if (!identity.isKnownDatabase)
    problems.push(found('database_moved', 'The database is at a new name: it was moved or copied.'))
  const foreign = (await inspectCopies(services).catch(unlessUnreadable))?.foreign
  if (foreign !== undefined)
    problems.push(
      found(
        'static_folder_foreign',
        'The folder or store of the static copies belongs to another network.',
        { fixHint: `${foreign}.` },
      ),
    )
  const { restoredAt, restoredBecause } = identity
  const days = db.timings.doctor.restoreDays
  const isForgotten = (at: string): boolean =>
    now().getTime() - parseGmt(at).getTime() > days * DAY_MS
  if (restoredAt !== null && !isForgotten(restoredAt))
    problems.push(
      found(
        'database_restored',
        `At ${restoredAt} GMT the database was older than the static copies: it was restored, or a replica took over. ${restoredBecause ?? ''}`,
        {},
        { days },
      ),
    )
  if (!identity.purges) problems.push(found('purges_off', 'Purges of page caches are off.'))
  if (copies === undefined && (await hasCopies(db, globals)))
    problems.push(
      found(
        'static_folder_unset',
        'The network has static copies, but neither STATIC_DIR nor STATIC_TARGET is set here.',
      ),
    )
  return problems
}
