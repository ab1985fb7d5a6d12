import type { GlobalTables } from '../../wordpress/network/site.ts'

/** One row for each thing that was touched and is not built yet. */
export const workTable = ({ basePrefix }: GlobalTables): string => `${basePrefix}svc_work`

/** One row for each page that has a static copy, or is to be published: what is wanted, what was built, and what failed. */
export const pagesTable = ({ basePrefix }: GlobalTables): string => `${basePrefix}svc_pages`

export { sitesTable } from '../../wordpress/hosts/network-version.ts'

/** The condition of the rows of pages that nothing is known of any more, in SQL. */
export const IS_EMPTY = 'wanted = 0 AND url IS NULL AND purge_by IS NULL'
