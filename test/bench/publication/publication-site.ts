import { inBatches } from '../../../src/db/sql.ts'
import { NO_TEXTS } from '../../support/site-fixture.ts'
import { type Ask, ask, type Contender } from '../contender.ts'
import { markup } from '../setup/content.ts'
import type { BenchDatabase } from '../setup/open-database.ts'

/** A site whose pages are all assigned to one frame. */
export type PublicationSite = {
  /** A request that replaces the markup of the frame; the edition occurs in the markup. */
  replacement(edition: string): Ask
  /** Adds pages until the site has this many on the frame, without the service: nothing is built. */
  addPages(count: number): Promise<void>
}

const FRAME = 'everywhere'
const MARKUP_BYTES = 2048
const CONTENT = 'A paragraph of a page that people read. '.repeat(25)
const ROWS_PER_STATEMENT = 1000
const MENU_ITEMS = 10
const WRITTEN_AT = '2026-01-02 03:04:05'

/** The path of a page below the site, `/page-00001/`. */
export const pagePath = (number: number): string => `/${slugOf(number)}/`

const slugOf = (number: number): string => `page-${String(number).padStart(5, '0')}`

/** Creates the frame and a menu that it shows with the API of the service. */
export async function createPublicationSite(
  database: BenchDatabase,
  service: Contender,
): Promise<PublicationSite> {
  const items = Array.from({ length: MENU_ITEMS }, (_, index) => ({
    title: `Item ${index}`,
    url: `/item-${index}/`,
  }))
  const menu = { name: 'Navigation', location: 'header', items }
  await ask(service, { method: 'POST', path: '/menus', body: menu })
  const frame = { slug: FRAME, html: frameMarkup('first') }
  const created = await ask(service, { method: 'POST', path: '/frames', body: frame })
  const { id } = JSON.parse(created.body).frame
  let existing = 0
  return {
    replacement: (edition) => ({
      method: 'PUT',
      path: `/frames/${FRAME}`,
      body: { html: frameMarkup(edition) },
    }),
    addPages: async (count) => {
      const numbers = Array.from({ length: count - existing }, (_, index) => existing + index + 1)
      for (const batch of inBatches(numbers, ROWS_PER_STATEMENT))
        await insertPages(database, id, batch)
      existing = count
    },
  }
}

/** A page with a title, a menu in which it may be the current item, its content, and 2 kB of text. */
const frameMarkup = (edition: string): string => `<!doctype html>
<html><head><title data-op-bind="page.title"></title></head><body>
<nav><!-- svc/menu {"location":"header","current":true} /--></nav>
<h1 data-op-bind="page.title"></h1>
<main><!-- svc/content /--></main>
${markup(edition, MARKUP_BYTES)}</body></html>`

async function insertPages(
  { db, site: { tables } }: BenchDatabase,
  frameId: string,
  numbers: readonly number[],
): Promise<void> {
  const posts = numbers.map((number) => ({
    ...NO_TEXTS,
    post_name: slugOf(number),
    post_title: `Page ${number}`,
    post_content: CONTENT,
    post_type: 'page',
    post_status: 'publish',
    post_modified: WRITTEN_AT,
    post_modified_gmt: WRITTEN_AT,
  }))
  await db.sql(tables.posts).insert(posts)
  await db.sql.raw(
    'INSERT INTO ?? (post_id, meta_key, meta_value) SELECT ID, ?, ? FROM ?? WHERE post_name IN (?)',
    [tables.postmeta, '_svc_frame', frameId, tables.posts, numbers.map(slugOf)],
  )
}
