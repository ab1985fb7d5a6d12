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
/** What precedes the length of the markup in a record in the current format (`encodeRecord`). */
const BEFORE_LENGTH = '";s:4:"html";s:'
/** The start of a record, which contains that: a slug has at most 200 characters. */
const START = 'LEFT(option_value, 300)'
const LENGTH_AT = `LOCATE('${BEFORE_LENGTH}', ${START}) + ${BEFORE_LENGTH.length}`
/** Digits of the length of the markup in bytes; the markup follows after a colon and a quotation mark. */
const DIGITS = `SUBSTRING_INDEX(SUBSTRING(${START}, ${LENGTH_AT}), ':', 1)`
/** The bytes as PHP counts them. The conversion of each record to bytes takes most of the time, so it is done once. */
const BYTES = `IF(CHARSET(option_value) LIKE 'utf8%', CAST(option_value AS BINARY), CAST(CONVERT(option_value USING utf8mb4) AS BINARY))`

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
  const statement = `SELECT ? AS blog_id, option_name AS name, IF(LOCATE('${BEFORE_LENGTH}', ${START}) = 0, NULL,
      SHA2(SUBSTRING(${BYTES}, ${LENGTH_AT}, LENGTH(${DIGITS}) + 2 + ${DIGITS}), 256)) AS digest
    FROM ?? WHERE option_name LIKE ? AND CHAR_LENGTH(option_name) = ${RECORD_NAME_LENGTH}`
  const rows = await selectFromSites<DigestRow>(db, sites, ({ blogId, tables }) => ({
    statement,
    values: [blogId, tables.options, `${escapeLike(recordOption(''))}%`],
  }))
  const prefix = recordOption('').length
  return new Map(
    [...rows].map(([blogId, found]) => [
      blogId,
      new Map(found.map(({ name, digest }) => [name.slice(prefix), digest])),
    ]),
  )
}
