import type { Db } from '../db/database.ts'
import { escapeLike } from '../db/sql.ts'
import { sha256Hex } from '../hash.ts'
import { selectFromSites } from '../wordpress/network/select-from-sites.ts'
import type { Site } from '../wordpress/network/site.ts'
import { recordOption } from './option-names.ts'

/** The digest of each frame's markup, by id; null if the record is in another format, so that its markup must be read. */
export type MarkupDigests = ReadonlyMap<string, string | null>

type DigestRow = { readonly blog_id: number; readonly name: string; readonly digest: string | null }

const RECORD_NAME_LENGTH = recordOption('0123456789abcdef').length
/** The parts of a record in the current format (`encodeRecord`) before and after its length and markup. */
const BEFORE_MARKUP = '";s:4:"html";s:'
const AFTER_MARKUP = '";s:14:"created_at_gmt";s:19:"'
/** Characters at each end of a record that contain these parts. */
const END_CHARACTERS = 300

/** The digest that `readMarkupDigests` reads for this markup. */
export function markupDigest(html: string): string {
  return sha256Hex(`${Buffer.byteLength(html)}:"${html}`)
}

/**
 * The digests of the markup of all records of many sites, by blog id, with one statement for 200 sites. The database computes them from the
 * records themselves, because the legacy endpoint leaves stale metas. Sites that cannot be read are left out.
 */
export async function readMarkupDigests(
  db: Db,
  sites: readonly Site[],
): Promise<Map<number, MarkupDigests>> {
  const statement = `SELECT ? AS blog_id, option_name AS name,
      IF(LOCATE(?, LEFT(option_value, ${END_CHARACTERS})) > 0 AND LOCATE(?, RIGHT(option_value, ${END_CHARACTERS})) > 0,
        SHA2(SUBSTRING(LEFT(option_value, CHAR_LENGTH(option_value) - CHAR_LENGTH(?)
            - CHAR_LENGTH(SUBSTRING_INDEX(RIGHT(option_value, ${END_CHARACTERS}), ?, -1))),
          LOCATE(?, LEFT(option_value, ${END_CHARACTERS})) + CHAR_LENGTH(?)), 256), NULL) AS digest
    FROM ?? WHERE option_name LIKE ? AND CHAR_LENGTH(option_name) = ${RECORD_NAME_LENGTH}`
  const rows = await selectFromSites<DigestRow>(db, sites, ({ blogId, tables }) => ({
    statement,
    values: [
      ...[blogId, BEFORE_MARKUP, AFTER_MARKUP, AFTER_MARKUP, AFTER_MARKUP],
      ...[BEFORE_MARKUP, BEFORE_MARKUP, tables.options, `${escapeLike(recordOption(''))}%`],
    ],
  }))
  const prefix = recordOption('').length
  return new Map(
    [...rows].map(([blogId, found]) => [
      blogId,
      new Map(found.map(({ name, digest }) => [name.slice(prefix), digest])),
    ]),
  )
}
