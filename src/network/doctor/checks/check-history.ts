import { findEntriesWithoutContent } from '../../../record/history/missing-contents.ts'
import { formatList, found, ifTableMissing, type Problem } from '../finding.ts'
import type { SiteSnapshot } from '../site-snapshot.ts'

/** Checks that the history of a site has all contents that its entries name. */
export async function checkHistory({ db, site }: SiteSnapshot): Promise<Problem[]> {
  const entries = await findEntriesWithoutContent(db, site).catch(ifTableMissing([]))
  if (entries.length === 0) return []
  return [
    found(
      'history_content_missing',
      `The markup or the items of the entries ${formatList(entries)} of the history are missing or damaged.`,
    ),
  ]
}
