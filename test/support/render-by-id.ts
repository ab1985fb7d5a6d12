import { SiteData } from '../../src/build/baking/site-data.ts'
import type { Executor } from '../../src/build/executor/executor.ts'
import type { Db } from '../../src/db/database.ts'
import type { Site } from '../../src/wordpress/network/site.ts'

/** The HTML of a page as the front renders it; undefined if there is no such page, it is not public or has no frame. */
export async function renderById(
  executor: Pick<Executor, 'render'>,
  db: Db,
  site: Site,
  id: number,
): Promise<string | undefined> {
  const [page] = await new SiteData(db, site).pagesById([id])
  return page && (await executor.render(site, page))?.html
}
