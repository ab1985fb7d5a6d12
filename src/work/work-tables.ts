import type { GlobalTables } from '../wordpress/network/site.ts'

/** The work table: one row for each thing that was touched and is not built yet. */
export const workTable = ({ basePrefix }: GlobalTables): string => `${basePrefix}svc_work`

export { sitesTable } from '../wordpress/network/network-version.ts'
