import type { Db } from '../db/database.ts'
import { readRows } from '../db/sql.ts'
import { STRINGS_META_KEY, STRINGS_POST_TYPE } from '../wordpress/languages/string-translations.ts'
import type { Site } from '../wordpress/network/site.ts'
import { seenTables } from './seen-tables.ts'

/** The name of the checksum among the seen options of the site. */
export const STRINGS = '@strings'

const sumOf = (id: string, text: string): string =>
  `SELECT IF(COUNT(*) = 0, NULL, CONCAT(COUNT(*), '-', SUM(CRC32(CONCAT_WS('\\n', ${id}, ${text})))))`

/** A checksum of the texts that Polylang translates, as an SQL expression with names of tables; NULL if there are none. */
export const STRINGS_CHECKSUM = `NULLIF(CONCAT_WS(' ',
  (${sumOf('sm.term_id', 'sm.meta_value')} FROM :termmeta: sm WHERE sm.meta_key = '${STRINGS_META_KEY}'),
  (${sumOf('sp.post_title', 'sp.post_content, so.meta_value')} FROM :posts: sp
    LEFT JOIN :postmeta: so ON so.post_id = sp.ID AND so.meta_key = '${STRINGS_META_KEY}'
    WHERE sp.post_type = '${STRINGS_POST_TYPE}')), '')`

/** The checksum of the translated texts if it differs from the one that was seen last; '' if there are none any more. */
export async function findStringsEdit(
  db: Db,
  { tables, globals, blogId }: Site,
): Promise<string | undefined> {
  const { termmeta, posts, postmeta } = tables
  const [row] = await readRows<{ checksum: string | null; seen: string | null }>(
    db,
    `SELECT ${STRINGS_CHECKSUM} AS checksum,
      (SELECT value FROM :seen: WHERE blog_id = :blogId AND name = '${STRINGS}') AS seen`,
    { termmeta, posts, postmeta, seen: seenTables(globals).options, blogId },
  )
  const checksum = row?.checksum ?? ''
  return checksum === (row?.seen ?? '') ? undefined : checksum
}
