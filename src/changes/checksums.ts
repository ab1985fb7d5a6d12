import type { Db } from '../db/database.ts'
import { inBatches } from '../db/sql.ts'
import { forEachBounded } from '../host/concurrency/for-each.ts'
import { sha256Hex } from '../host/hash.ts'
import { selectFromSites } from '../wordpress/network/select-from-sites.ts'
import type { Site } from '../wordpress/network/site.ts'
import { ADDRESS_COLUMNS, LINKED_POSTS, LISTING_COLUMNS, TEXTS } from './seen-posts.ts'
import { STRINGS_CHECKSUM } from './seen-strings.ts'
import { TERM_COLUMNS } from './seen-terms.ts'
import { SHOWN_META_KEYS, SHOWN_OPTIONS } from './shown-content.ts'

/** Sites in one statement: the statement has some 4 kB for each. */
const SITES_PER_STATEMENT = 40
const STATEMENTS_AT_ONCE = 2

/** What was read of a site: a text that changes with every edit, and the version of the site. */
export type PolledState = { readonly text: string; readonly version: number }

/**
 * What is stored of a state that was seen. The version is a part of it, because what was seen also changes with writes of the service and with
 * comparisons of single rows: an edit that restores the rows of the last round must differ from them.
 */
export const checksumOf = ({ text, version }: PolledState): string =>
  sha256Hex(`${version} ${text}`)

/** Called for each site that is left out, with the reason. */
export type OnUnreadable = (site: Site, error: unknown) => void

/**
 * A checksum of each site's content, by blog id: it changes with every edit, by any program, of what the site's pages may show. One statement
 * serves many sites and reads no contents. A site that cannot be read within a second is left out.
 * @param linksOthers the sites whose menus link posts besides pages, or terms besides categories: these take two more look-ups
 */
export async function readChecksums(
  db: Db,
  sites: readonly Site[],
  linksOthers: ReadonlySet<number>,
  onUnreadable: OnUnreadable,
): Promise<Map<number, string>> {
  const links = (site: Site) => linksOthers.has(site.blogId)
  const [most, others] = await Promise.all([
    readOfSites(
      db,
      sites.filter((site) => !links(site)),
      concat(OWN_CHECKSUMS),
      onUnreadable,
    ),
    readOfSites(
      db,
      sites.filter(links),
      concat([...OWN_CHECKSUMS, ...LINKED_CHECKSUMS]),
      onUnreadable,
    ),
  ])
  return new Map([...most, ...others])
}

const concat = (parts: readonly string[]): string => `CONCAT_WS(' ', ${parts.join()})`

/** The blog ids of the sites that have an option. A site that cannot be read within a second is left out. */
export async function findSitesWithOption(
  db: Db,
  sites: readonly Site[],
  name: string,
  onUnreadable: OnUnreadable,
): Promise<Set<number>> {
  const found = await readOfSites(
    db,
    sites,
    `EXISTS (SELECT 1 FROM :options: WHERE option_name = '${name}')`,
    onUnreadable,
  )
  return new Set([...found].flatMap(([id, exists]) => (Number(exists) === 1 ? id : [])))
}

type ValueRow = { readonly blog_id: number; readonly value: string }

/** @param expression an SQL expression with names of tables (`:posts:`) */
async function readOfSites(
  db: Db,
  sites: readonly Site[],
  expression: string,
  onUnreadable: OnUnreadable,
): Promise<Map<number, string>> {
  const found = new Map<number, string>()
  const batches = inBatches(sites, SITES_PER_STATEMENT)
  await forEachBounded(batches, STATEMENTS_AT_ONCE, async (batch) => {
    const select = (site: Site) => ({
      statement: `SELECT :blogId AS blog_id, ${expression} AS value`,
      values: { blogId: site.blogId, ...site.tables },
    })
    const rows = await selectFromSites<ValueRow>(db, batch, select, {
      onUnreadable,
      secondsOfSite: db.timings.sites.checksumSeconds,
    })
    for (const [id, [row]] of rows) if (row) found.set(id, row.value)
  })
  return found
}

/** Independent of row order: the number of rows and the sum of their checksums. */
const sumOf = (columns: string): string =>
  `CONCAT(COUNT(*), '-', COALESCE(SUM(CRC32(CONCAT_WS('\\n', ${columns}))), 0))`

const POST_SUM = sumOf(`p.ID, ${ADDRESS_COLUMNS}, ${LISTING_COLUMNS}, ${TEXTS}`)
const LINKED = `SELECT CAST(linking.meta_value AS UNSIGNED) FROM :postmeta: linking
  WHERE linking.meta_key = '_menu_item_object_id'`
const TERMS = ':termTaxonomy: tt JOIN :terms: t ON t.term_id = tt.term_id'

const OWN_CHECKSUMS = [
  `(SELECT ${POST_SUM} FROM :posts: p WHERE p.post_type IN ('page', 'nav_menu_item'))`,
  // Of several rows with the same key, the id decides which one counts.
  `(SELECT ${sumOf('meta_id, post_id, meta_key, CRC32(meta_value)')}
    FROM :postmeta: WHERE meta_key IN (${SHOWN_META_KEYS.map((key) => `'${key}'`).join()}))`,
  `(SELECT ${sumOf('tr.object_id, tr.term_taxonomy_id')}
    FROM :termTaxonomy: tt JOIN :termRelationships: tr ON tr.term_taxonomy_id = tt.term_taxonomy_id
    WHERE tt.taxonomy IN ('language', 'post_translations', 'nav_menu', 'term_language'))`,
  `(SELECT ${sumOf(TERM_COLUMNS)} FROM ${TERMS}
    WHERE tt.taxonomy IN ('language', 'post_translations', 'nav_menu', 'category'))`,
  `(SELECT ${sumOf('option_name, CRC32(option_value)')} FROM :options: WHERE ${SHOWN_OPTIONS})`,
  STRINGS_CHECKSUM,
]

const LINKED_CHECKSUMS = [
  `(SELECT ${POST_SUM} FROM :posts: p WHERE p.post_type NOT IN ('page', 'nav_menu_item') AND p.ID IN (${LINKED_POSTS}))`,
  `(SELECT ${sumOf(TERM_COLUMNS)} FROM ${TERMS}
    WHERE tt.taxonomy NOT IN ('language', 'post_translations', 'nav_menu', 'category') AND tt.term_id IN (${LINKED}))`,
]
