import type { Db } from '../../db/database.ts'
import { escapeLike, readRows } from '../../db/sql.ts'
import { sha256Hex } from '../../host/hash.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { recordOption } from './option-names.ts'

/** The digest of each frame's markup, by id; null if the record is in another format, so that its markup must be read. */
export type MarkupDigests = ReadonlyMap<string, string | null>

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

/** The digests of the markup of all records of a site, with options that are read in the same statement. */
export type DigestedRecords = {
  readonly digests: MarkupDigests
  /** Stored texts by name. */
  readonly options: ReadonlyMap<string, string>
}

/**
 * Reads the digests of all records of a site. The database computes them from the records themselves, because the legacy endpoint leaves
 * stale metas.
 * @param others names of options to read as well
 */
export async function readMarkupDigests(
  db: Db,
  { tables }: Site,
  others: readonly string[] = [],
): Promise<DigestedRecords> {
  const rows = await readRows<{ name: string; text: string | null }>(
    db,
    `SELECT option_name AS name, IF(option_name IN (:others), option_value, IF(LOCATE('${BEFORE_LENGTH}', ${START}) = 0, NULL,
        SHA2(SUBSTRING(${BYTES}, ${LENGTH_AT}, LENGTH(${DIGITS}) + 2 + ${DIGITS}), 256))) AS text
      FROM :options: WHERE option_name IN (:others)
        OR (option_name LIKE :records AND CHAR_LENGTH(option_name) = ${RECORD_NAME_LENGTH})`,
    {
      options: tables.options,
      others: ['', ...others],
      records: `${escapeLike(recordOption(''))}%`,
    },
  )
  const digests = new Map<string, string | null>()
  const options = new Map<string, string>()
  for (const { name, text } of rows) {
    if (others.includes(name)) options.set(name, text ?? '')
    else digests.set(name.slice(recordOption('').length), text)
  }
  return { digests, options }
}
