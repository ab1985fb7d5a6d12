import { findSitesWithoutTables } from '../../wordpress/health/tables-and-rights.ts'
import type { DoctorServices, Finding } from '../finding.ts'

/** Has each site its tables? */
export async function checkSiteTablesExist({ db, globals }: DoctorServices): Promise<Finding[]> {
  return (await findSitesWithoutTables(db, globals)).map(({ blog_id, domain, path }) => ({
    site: blog_id,
    check: 'site_tables_missing',
    severity: 'error',
    what: `Site ${blog_id} (${domain}${path}) is listed and has no tables.`,
    why: 'WordPress answers its visitors with an error; this service takes it for no site.',
    mend: 'Restore its tables from a backup, or delete the site in wp-admin.',
  }))
}
