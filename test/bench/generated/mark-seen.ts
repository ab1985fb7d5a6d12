import { ALL_ROWS } from '../../../src/changes/changed-rows.ts'
import { findEditedSites } from '../../../src/changes/find-edited-sites.ts'
import { recordEdits } from '../../../src/changes/record-edits.ts'
import { recordChange } from '../../../src/content/work/record-work.ts'
import { workOn } from '../../../src/content/work/work.ts'
import { pagesTable, workTable } from '../../../src/content/work/work-tables.ts'
import { forEachBounded } from '../../../src/host/concurrency/for-each.ts'
import { globalTables } from '../../../src/wordpress/network/site.ts'
import type { SqlDatabase } from '../../support/open-database.ts'
import { getSite } from '../setup/open-database.ts'
import type { Report } from './create-network.ts'

const GLOBALS = globalTables('wp_')
/** The first comparison of a site stores what was seen, the second one its state. */
const ROUNDS = 2
const SITES_AT_ONCE = 4
const SITES_PER_REPORT = 1000

/**
 * Compares all sites as the poll does, and records the publication of these sites only: the others count as seen, and have no copies until
 * something of them is changed. Publishing ten thousand sites first would take longer than all measurements.
 */
export async function markSeen(
  db: SqlDatabase,
  published: readonly number[],
  report: Report,
): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    let count = 0
    for await (const { edited } of findEditedSites(db, GLOBALS))
      await forEachBounded(edited, SITES_AT_ONCE, async ({ blogId, state }) => {
        await recordEdits({ db, globals: GLOBALS }, blogId, ALL_ROWS, state)
        count += 1
        if (count % SITES_PER_REPORT === 0) report(`compared ${count} sites`)
      })
    for (const table of [workTable(GLOBALS), pagesTable(GLOBALS)]) await db.sql(table).delete()
  }
  for (const blogId of published) await publishSite(db, blogId)
}

/** Records that all pages of a site are to be built. */
export async function publishSite(db: SqlDatabase, blogId: number): Promise<void> {
  const site = await getSite(db, blogId)
  await db.write({ site }, (tx) => recordChange(tx, site, { bake: true, work: workOn('all') }))
}
