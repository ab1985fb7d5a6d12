import { hasCopies } from '../../../build/publishing/copies-table.ts'
import { type NetworkIdentity, readIdentity } from '../../../build/publishing/network-identity.ts'
import { isMissingTable } from '../../../db/database-error.ts'
import { parseGmt } from '../../../db/gmt.ts'
import type { DoctorServices, Finding } from '../finding.ts'
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
      check: 'database_moved',
      severity: 'error',
      message: 'The database is at a new name: it was moved or copied.',
      impact:
        'Nothing is published, no page cache is purged, and no request is passed to LEGACY_URL, because a copy would change its original.',
      fixHint:
        'If the database was moved, run "wp-frames network moved". If it is a copy and the original stays in use, for example for staging, run "wp-frames network copied".',
    },
  ]
}

async function foreignFolder(services: DoctorServices): Promise<Finding[]> {
  const problem = (await inspectCopies(services).catch(unlessUnreadable))?.foreign
  if (problem === undefined) return []
  return [
    {
      site: null,
      check: 'static_folder_foreign',
      severity: 'error',
      message: 'The folder or store of the static copies belongs to another network.',
      impact: 'The service does not start with it, and nothing is published into it.',
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
      check: 'database_restored',
      severity: 'info',
      message: `At ${restoredAt} GMT the database was older than the static copies: it was restored, or a replica took over. ${restoredBecause ?? ''}`,
      impact:
        'All pages were built again from what the database has now. Writes that were made after the restored state are lost, and the history does not know them.',
      fixHint: `Make these writes again if they are missed. This finding disappears after ${db.timings.doctor.restoreDays} days.`,
    },
  ]
}

function purgesOff({ purges }: NetworkIdentity): Finding[] {
  if (purges) return []
  return [
    {
      site: null,
      check: 'purges_off',
      severity: 'info',
      message: 'Purges of page caches are off.',
      impact: 'A page cache keeps outdated pages until they expire. A copied database starts so.',
      fixHint:
        'Check that PAGE_CACHE_PURGE and CACHE_PURGE name only the caches of this network, then run "wp-frames network purges on".',
    },
  ]
}

async function unsetFolder({ db, globals, copies }: DoctorServices): Promise<Finding[]> {
  if (copies !== undefined || !(await hasCopies(db, globals))) return []
  return [
    {
      site: null,
      check: 'static_folder_unset',
      severity: 'warning',
      message:
        'The network has static copies, but neither STATIC_DIR nor STATIC_TARGET is set here.',
      impact:
        'A process with these settings builds nothing, and the doctor cannot check the copies.',
      fixHint:
        'Set STATIC_DIR or STATIC_TARGET as in the service. If there are to be no static copies any more, run "wp-frames network forget-copies".',
    },
  ]
}
