import type { Db } from '../db/database.ts'
import { escapeLike, inBatches, readRows } from '../db/sql.ts'
import type { Site } from '../wordpress/network/site.ts'
import { readOptions } from '../wordpress/options/read-options.ts'
import { encodePhp } from '../wordpress/serialized/encode-php.ts'
import { recordOption } from './option-names.ts'
import { type RecordEnds, type RecordNames, readRecordNames, readRecordNamesFromEnds } from './record.ts'
import { findSlug } from './slug.ts'

const RECORD_OPTION = new RegExp(`^${recordOption('([0-9a-f]{16})')}$`)
/** Characters of a record's start and end that have all but its markup, where it is of today's form. */
const RECORD_END_CHARACTERS = 300
/** Records of older forms that are read at a time, in bytes. */
const RECORD_BATCH_BYTES = 4 * 1024 * 1024

type EndsRow = RecordEnds & { readonly option_name: string }

/**
 * The text of the registry for a site that has none: what its records say. Of two records with one slug the one written last has it; a
 * record without a slug of its own bears its id, until it is renamed. The markup is not read, but for records of older forms.
 */
export async function rebuildRegistry(db: Db, site: Site): Promise<string> {
  const named = [...(await readAllRecordNames(db, site))].map(([id, names]) => ({ id, ...names }))
  const slugs = new Map<string, string>()
  const taken = new Set<string>()
  for (const { id, slug } of named.sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1))) {
    const own = findSlug(slug)
    const name = own === undefined || taken.has(own) ? id : own
    slugs.set(id, name)
    taken.add(name)
  }
  return encodePhp(Object.fromEntries([...slugs].sort()))
}

async function readAllRecordNames(db: Db, site: Site): Promise<Map<string, RecordNames>> {
  const rows = await readRows<EndsRow>(
    db,
    `SELECT option_name, LENGTH(option_value) AS bytes, LEFT(option_value, :length) AS start,
      RIGHT(option_value, :length) AS end
    FROM :options: WHERE option_name LIKE :records AND CHAR_LENGTH(option_name) = :nameLength
    ORDER BY option_name`,
    {
      options: site.tables.options,
      records: `${escapeLike(recordOption(''))}%`,
      nameLength: recordOption('0123456789abcdef').length,
      length: RECORD_END_CHARACTERS,
    },
  )
  const names = new Map<string, RecordNames>()
  const others: { id: string; bytes: number }[] = []
  for (const row of rows) {
    const id = RECORD_OPTION.exec(row.option_name)?.[1]
    if (id === undefined) continue
    const found = readRecordNamesFromEnds(row)
    if (found) names.set(id, found)
    else others.push({ id, bytes: row.bytes })
  }
  for (const batch of inBatches(others, RECORD_BATCH_BYTES, ({ bytes }) => bytes)) {
    const options = batch.map(({ id }) => recordOption(id))
    const texts = await readOptions(db, site, options)
    for (const { id } of batch) names.set(id, readRecordNames(texts.get(recordOption(id)) ?? ''))
  }
  return names
}
