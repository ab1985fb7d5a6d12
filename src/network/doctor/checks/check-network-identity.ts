import { hasCopies } from '../../../build/publishing/copies-table.ts'
import { type NetworkIdentity, readIdentity } from '../../../build/publishing/network-identity.ts'
import { isMissingTable } from '../../../db/database-error.ts'
import { parseGmt } from '../../../db/gmt.ts'
import { type DoctorServices, type Finding, found } from '../finding.ts'
import { inspectCopies, unlessUnreadable } from './check-static-folder.ts'

/** Checks that the database and the folder of the static copies belong together, and whether the database was moved, copied or restored. */
export async function checkNetworkIdentity(services: DoctorServices): Promise<Finding[]> {
  const { db, globals } = services
  try {
    const { identity } = await readIdentity(db, globals)
    return [
      ...moved(identity),
      ...(await foreignFolder(services)),
      ...restored(services, identity),
      ...purgesOff(identity),
      ...(await unsetFolder(services)),
    ]
  } catch (error) {
    // A missing table has its own finding.
    if (isMissingTable(error)) return []
    throw error
  }
}

function moved({ isKnownDatabase }: NetworkIdentity): Finding[] {
  if (isKnownDatabase) return []
  return [
    {
      site: null,
      ...found('database_moved', 'The database is at a new name: it was moved or copied.'),
    },
  ]
}

async function foreignFolder(services: DoctorServices): Promise<Finding[]> {
  const problem = (await inspectCopies(services).catch(unlessUnreadable))?.foreign
  if (problem === undefined) return []
  return [
    {
      site: null,
      ...found(
        'static_folder_foreign',
        'The folder or store of the static copies belongs to another network.',
      ),
      fixHint: `${problem}.`,
    },
  ]
}

function restored(
  { db, now }: DoctorServices,
  { restoredAt, restoredBecause }: NetworkIdentity,
): Finding[] {
  if (restoredAt === null) return []
  const age = now().getTime() - parseGmt(restoredAt).getTime()
  if (age > db.timings.doctor.restoreDays * 24 * 60 * 60 * 1000) return []
  return [
    {
      site: null,
      ...found(
        'database_restored',
        `At ${restoredAt} GMT the database was older than the static copies: it was restored, or a replica took over. ${restoredBecause ?? ''}`,
        { days: db.timings.doctor.restoreDays },
      ),
    },
  ]
}

function purgesOff({ purges }: NetworkIdentity): Finding[] {
  if (purges) return []
  return [{ site: null, ...found('purges_off', 'Purges of page caches are off.') }]
}

async function unsetFolder({ db, globals, copies }: DoctorServices): Promise<Finding[]> {
  if (copies !== undefined || !(await hasCopies(db, globals))) return []
  return [
    {
      site: null,
      ...found(
        'static_folder_unset',
        'The network has static copies, but neither STATIC_DIR nor STATIC_TARGET is set here.',
      ),
    },
  ]
}
