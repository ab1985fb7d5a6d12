import { findStaticFolderFault } from '../../publishing/static-folder-state.ts'
import type { DoctorServices, Symptom } from '../finding.ts'

/** Can static copies be written? */
export async function checkStaticFolder({ staticDir }: DoctorServices): Promise<Symptom[]> {
  const fault = staticDir === undefined ? undefined : await findStaticFolderFault(staticDir)
  if (fault === undefined) return []
  return [
    {
      check: 'static_folder_unwritable',
      severity: 'error',
      what: `Static copies can't be written: ${fault}.`,
      why: 'Pages are built for each visitor, and copies that are there show the old.',
      mend: 'Give the user that the service runs as the right to write there, or set STATIC_DIR to another folder.',
    },
  ]
}
