import type { GlobalTables } from '../wordpress/network/site.ts'

/** One row for each thing that was touched and is not built yet. */
export const workTable = ({ basePrefix }: GlobalTables): string => `${basePrefix}svc_work`

/** One row for each page that has a static copy, or is to be published: what is wanted, what was built, and what failed. */
export const pagesTable = ({ basePrefix }: GlobalTables): string => `${basePrefix}svc_pages`

export { sitesTable } from '../wordpress/network/network-version.ts'
