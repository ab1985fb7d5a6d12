import type { Database } from '../../src/db/database.ts'
import { LostLeaseError } from '../../src/publishing/copy-store.ts'
import type { PublishContext } from '../../src/publishing/publish-copies.ts'
import type { Site } from '../../src/wordpress/network/site.ts'
import { assertOwnedPages } from '../../src/work/complete-work.ts'
import { workTable } from '../../src/work/work-tables.ts'

/** Gives a claim the work on these pages, also if another claim has it. */
export async function takePages(
  db: Database,
  { blogId, globals }: Site,
  claimId: string,
  pages: readonly number[],
): Promise<void> {
  const rows = pages.map((page) => ({
    blog_id: blogId,
    kind: 'page',
    name: String(page),
    version: 1,
    since: '2026-01-01',
    due_at: '2036-01-01',
    owner: claimId,
  }))
  await db.write({}, (tx) => tx.sql(workTable(globals)).insert(rows).onConflict().merge(['owner']))
}

/** As a worker of the service asserts that its claim has its pages. */
export const ownedBy =
  (site: Site, claimId: string): PublishContext['assertOwned'] =>
  (tx, pages) =>
    assertOwnedPages(tx, { site, id: claimId }, pages, () => new LostLeaseError(claimId))
