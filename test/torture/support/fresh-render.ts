import { EventEmitter } from 'node:events'
import type { Knex } from 'knex'
import { SiteData } from '../../../src/build/baking/site-data.ts'
import { openBuilder } from '../../../src/build/executor/builder.ts'
import { PAGE_META_KEY } from '../../../src/content/frames/option-names.ts'
import { createDb, type Database } from '../../../src/db/database.ts'
import { createReadCache } from '../../../src/db/read-cache.ts'
import { createLog } from '../../../src/host/log.ts'
import { TIMINGS } from '../../../src/host/timings.ts'
import { findSiteAt, SiteHosts } from '../../../src/wordpress/hosts/site-hosts.ts'
import { findSite } from '../../../src/wordpress/network/find-sites.ts'
import { isClosed, type Site } from '../../../src/wordpress/network/site.ts'
import type { Page } from '../../../src/wordpress/pages/posts.ts'
import { parsePageUrl } from '../../../src/wordpress/permalinks/address.ts'
import { findPageAt } from '../../../src/wordpress/permalinks/find-page-at.ts'
import { readPostMeta } from '../../../src/wordpress/postmeta.ts'
import type { SqlDatabase } from '../../support/open-database.ts'
import { senderOf } from '../../support/statements.ts'

/** A page that visitors see, as it is committed. */
export type FreshPage = { readonly page: number; readonly url: string; readonly html: string }

/**
 * Renders all pages of a site that have a frame and a public address, from one snapshot of the database. It renders from the markup: what
 * is derived from it, metas and baked copies, is removed before in a transaction that is rolled back. So the database stays as it is.
 */
export async function renderFreshPages(db: SqlDatabase, site: Site): Promise<FreshPage[]> {
  const transaction = await db.sql.transaction({ isolationLevel: 'repeatable read' })
  const log = createLog('silent')
  const snapshot = readOnlyDatabase(transaction)
  const builder = openBuilder({ db: snapshot, globals: site.globals, log, staticDir: undefined })
  try {
    for (const derived of ['baked', 'meta'])
      await transaction.raw('DELETE FROM ?? WHERE option_name LIKE ?', [
        site.tables.options,
        `svc\\_frame\\_%\\_${derived}`,
      ])
    // A trial may have closed the site after it read it.
    const current = await findSite(snapshot, site.globals, site.blogId)
    if (!current || isClosed(current)) return []
    const data = new SiteData(snapshot, site)
    const bound = await readPostMeta(snapshot, site, PAGE_META_KEY)
    const pages = await data.pagesById(bound.map(({ postId }) => postId))
    const fresh: FreshPage[] = []
    for (const page of pages) {
      const url = await data.urlOf(page)
      if (!(await leadsTo(snapshot, site, url, page))) continue
      const visible = await builder.executor.render(site, page)
      if (visible) fresh.push({ page: page.id, url, html: visible.html })
    }
    return fresh
  } finally {
    await builder.close()
    await transaction.rollback()
  }
}

/** Whether a visitor who requests the page's own address gets this page, as the front decides it. */
async function leadsTo(db: Database, site: Site, url: string, page: Page): Promise<boolean> {
  const address = parsePageUrl(url)
  if (!address) return false
  const hosts = new SiteHosts(db, site.globals)
  const found = await findSiteAt(db, site.globals, hosts, address)
  if (found?.blogId !== site.blogId) return false
  const links = await new SiteData(db, site).links()
  const shown = await findPageAt(db, site, links, address)
  return shown?.exact === true && shown.page.id === page.id
}

/** A builder renders a page even if it cannot store the baked copy. */
function readOnlyDatabase(transaction: Knex.Transaction): Database {
  const db = createDb(senderOf(transaction), { cache: createReadCache(), timings: TIMINGS })
  const database: Database = {
    ...db,
    statements: new EventEmitter(),
    validated: (_key, read) => read(database, (value) => value),
    write: () => Promise.reject(new Error('nothing is stored')),
    assertWritable: () => Promise.resolve(),
    snapshot: (work) => work(db),
    together: (work) => work(db),
    address: 'in a transaction',
    ping: () => Promise.resolve(),
    pools: () => ({}),
    close: () => Promise.resolve(),
  }
  return database
}
