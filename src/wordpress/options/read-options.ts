import type { Db } from '../../db/database.ts'
import { escapeLike, readRows, streamRows } from '../../db/sql.ts'
import type { Site } from '../network/site.ts'

export type OptionRow = { readonly option_name: string; readonly option_value: string }

/** The stored text of an option, as `get_option` reads it before unserializing. */
export async function readOption(db: Db, site: Site, name: string): Promise<string | undefined> {
  return (await readOptions(db, site, [name])).get(name)
}

/**
 * The stored texts of several options; missing options are not in the map. All reads of a site within one tick share one statement: links,
 * languages and settings each read their own options, mostly at the same time.
 */
export async function readOptions(
  db: Db,
  site: Site,
  names: readonly string[],
): Promise<Map<string, string>> {
  if (names.length === 0) return new Map()
  const texts = await readBatched(db, site, names)
  const found = new Map<string, string>()
  for (const name of names) {
    const text = texts.get(name)
    if (text !== undefined) found.set(name, text)
  }
  return found
}

/**
 * The first line of an option's stored text. The rest, which may be megabytes, is not transferred. Shares a statement with the reads of whole
 * texts.
 */
export async function readOptionLine(
  db: Db,
  site: Site,
  name: string,
): Promise<string | undefined> {
  const text = (await readBatched(db, site, [LINE_MARK + name])).get(name)
  const end = text?.indexOf('\n') ?? -1
  return end < 0 ? text : text?.slice(0, end)
}

/**
 * The ends of the first lines of several options, after the last occurrence of a text; of a line without it the whole line. Missing options are not in the
 * map.
 */
export async function readOptionLineEnds(
  db: Db,
  { tables: { options } }: Site,
  names: readonly string[],
  after: string,
): Promise<Map<string, string>> {
  if (names.length === 0) return new Map()
  const rows = await readRows<OptionRow>(
    db,
    `SELECT option_name, SUBSTRING_INDEX(SUBSTRING_INDEX(option_value, '\\n', 1), :after, -1) AS option_value
      FROM :options: WHERE option_name IN (:names)`,
    { options, after, names },
  )
  return new Map(rows.map((row) => [row.option_name, row.option_value]))
}

/**
 * The stored text of an option if its SHA-256 is another one than this, in hexadecimal; `same` if not. All reads of a site within one tick share one
 * statement.
 */
export async function readOptionUnlessSame(
  db: Db,
  site: Site,
  name: string,
  digest: string,
): Promise<'same' | { readonly text: string | undefined }> {
  const { options } = site.tables
  const rows = await db.batches.read(
    `changed texts of ${options}`,
    [`${digest}${name}`],
    (all: string[]) => readChangedTexts(db, options, all),
  )
  const row = rows.get(name)
  if (row?.digest === digest) return 'same'
  // An option whose text has become the known one of another option.
  if (row?.text === null) return { text: await readOption(db, site, name) }
  return { text: row?.text }
}

/** In hexadecimal. */
const DIGEST_LENGTH = 64

type ChangedText = { readonly digest: string; readonly text: string | null }

/** @param all digests with the names of options */
async function readChangedTexts(
  db: Db,
  options: string,
  all: readonly string[],
): Promise<Map<string, ChangedText>> {
  const rows = await readRows<ChangedText & { option_name: string }>(
    db,
    `SELECT option_name, SHA2(option_value, 256) AS digest, IF(SHA2(option_value, 256) IN (:digests), NULL, option_value) AS text
      FROM :options: WHERE option_name IN (:names)`,
    {
      options,
      digests: all.map((one) => one.slice(0, DIGEST_LENGTH)),
      names: all.map((one) => one.slice(DIGEST_LENGTH)),
    },
  )
  return new Map(rows.map((row) => [row.option_name, row]))
}

/** Before the names of options of which only the first line is read. No option has a name that begins with it. */
const LINE_MARK = '\0'

function readBatched(
  db: Db,
  { tables: { options } }: Site,
  names: readonly string[],
): Promise<Map<string, string>> {
  return db.batches.read(`texts of ${options}`, names, (all: string[]) =>
    readTexts(db, options, all),
  )
}

/**
 * Reads options by name; by marked name, their first lines. The column's collation treats names as equal that differ for PHP (case, accents);
 * callers look up exact names.
 */
async function readTexts(db: Db, options: string, all: string[]): Promise<Map<string, string>> {
  const whole = new Set(all.filter((name) => !name.startsWith(LINE_MARK)))
  const marked = all.filter((name) => name.startsWith(LINE_MARK))
  const lines = marked
    .map((name) => name.slice(LINE_MARK.length))
    .filter((name) => !whole.has(name))
  const text =
    lines.length === 0
      ? 'option_value'
      : "IF(option_name IN (:lines), SUBSTRING_INDEX(option_value, '\\n', 1), option_value)"
  const rows = await readRows<{ option_name: string; text: string }>(
    db,
    `SELECT option_name, ${text} AS text FROM :options: WHERE option_name IN (:names)`,
    { options, lines, names: [...whole, ...lines] },
  )
  return new Map(rows.map((row) => [row.option_name, row.text]))
}

/** The stored texts of all options whose names have this prefix and suffix, in one statement. */
export async function readOptionsMatching(
  db: Db,
  site: Site,
  prefix: string,
  suffix: string,
): Promise<Map<string, string>> {
  const rows = await readRows<OptionRow>(
    db,
    'SELECT option_name, option_value FROM :options: WHERE option_name LIKE :names',
    { options: site.tables.options, names: `${escapeLike(prefix)}%${escapeLike(suffix)}` },
  )
  return new Map(rows.map((row) => [row.option_name, row.option_value]))
}

/** The names of all options with this prefix. */
export async function readOptionNames(db: Db, site: Site, prefix: string): Promise<string[]> {
  const rows = await readRows<Pick<OptionRow, 'option_name'>>(
    db,
    'SELECT option_name FROM :options: WHERE option_name LIKE :names',
    { options: site.tables.options, names: `${escapeLike(prefix)}%` },
  )
  return rows.map(({ option_name }) => option_name)
}

export type StreamedOption = { readonly name: string; readonly text: string }

/**
 * Streams the options with this prefix, so that their total size does not matter. For names that end with `shortened`, only the first line
 * is read.
 */
export async function* streamOptions(
  db: Db,
  site: Site,
  prefix: string,
  shortened: string,
): AsyncGenerator<StreamedOption> {
  const rows = streamRows<StreamedOption>(
    db,
    `SELECT option_name AS name,
        IF(option_name LIKE :shortened, SUBSTRING_INDEX(option_value, '\\n', 1), option_value) AS text
      FROM :options: WHERE option_name LIKE :names`,
    {
      options: site.tables.options,
      shortened: `%${escapeLike(shortened)}`,
      names: `${escapeLike(prefix)}%`,
    },
  )
  // The column's collation treats names as equal that differ for PHP.
  for await (const row of rows) if (row.name.startsWith(prefix)) yield row
}
