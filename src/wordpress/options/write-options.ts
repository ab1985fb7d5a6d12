import type { Db } from '../../db/database.ts'
import { inBatches } from '../../db/sql.ts'
import type { Tx } from '../../db/transaction.ts'
import type { Site } from '../network/site.ts'
import { optionKeys } from '../object-cache/cache-keys.ts'

/**
 * The stored texts of these options, their rows locked until the transaction ends. Always in the order of their names,
 * whatever order they are asked in, so that two writers can't wait for each other.
 */
export async function lockOptions(
  tx: Tx,
  site: Site,
  names: readonly string[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const name of [...names].sort()) {
    const row: { option_name: string; option_value: string } | undefined = await tx
      .sql(site.tables.options)
      .select('option_name', 'option_value')
      .where({ option_name: name })
      .forUpdate()
      .first()
    if (row?.option_name === name) found.set(name, row.option_value)
  }
  return found
}

/**
 * The stored text of this option, its row locked; a missing row is first made with `initial`. A row that is not there
 * can't be locked: without this, two writers would each take it for missing and the later would undo the earlier.
 */
export async function lockOrCreateOption(
  tx: Tx,
  site: Site,
  name: string,
  initial: string | (() => Promise<string>),
  autoload: Autoload,
): Promise<string> {
  const held = (await lockOptions(tx, site, [name])).get(name)
  if (held !== undefined) return held
  const value = typeof initial === 'string' ? initial : await initial()
  await tx
    .sql(site.tables.options)
    .insert({ option_name: name, option_value: value, autoload })
    .onConflict('option_name')
    .ignore()
  tx.invalidate(optionKeys(site, [name]))
  return (await lockOptions(tx, site, [name])).get(name) ?? value
}

/**
 * Locks options without reading their values.
 * @returns the names of those that are there
 */
export async function lockExistingOptions(
  tx: Tx,
  site: Site,
  names: readonly string[],
): Promise<Set<string>> {
  const rows: { option_name: string }[] = await tx
    .sql(site.tables.options)
    .select('option_name')
    .whereIn('option_name', names)
    .orderBy('option_name')
    .forUpdate()
  return new Set(rows.map((row) => row.option_name))
}

/** Writes an option that is held and leaves it as it was. */
export async function certifyOption(tx: Tx, site: Site, name: string): Promise<void> {
  const option = tx.sql(site.tables.options).where({ option_name: name })
  await option.clone().update({ autoload: tx.sql.raw("CONCAT(autoload, '.')") })
  await option.clone().update({ autoload: tx.sql.raw('LEFT(autoload, CHAR_LENGTH(autoload) - 1)') })
}

export type OptionValue = { readonly name: string; readonly value: string }

/** Characters in a statement: it stays well below the 4 MB that the smallest servers take, unless a single text is longer. */
const MAX_STATEMENT_CHARACTERS = 512 * 1024

/**
 * Stores options as they are given, already serialized; new rows get `autoload`, rows that exist keep theirs.
 * The caller holds the lock under which the values were made. They are written in the order of their names, as they are locked
 * (`lockOptions`), in as many statements as they are long.
 */
export async function writeOptions(
  tx: Tx,
  site: Site,
  options: readonly OptionValue[],
  autoload: Autoload,
): Promise<void> {
  const sorted = [...options].sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const batch of inBatches(sorted, MAX_STATEMENT_CHARACTERS, ({ value }) => value.length)) {
    await tx
      .sql(site.tables.options)
      .insert(
        batch.map(({ name, value }) => ({
          option_name: name,
          option_value: value,
          autoload,
        })),
      )
      .onConflict('option_name')
      .merge(['option_value'])
  }
  tx.invalidate(
    optionKeys(
      site,
      options.map(({ name }) => name),
    ),
  )
}

/** Deletes options by name. */
export async function deleteOptions(tx: Tx, site: Site, names: readonly string[]): Promise<void> {
  await tx.sql(site.tables.options).whereIn('option_name', names).delete()
  tx.invalidate(optionKeys(site, names))
}

/** What the column `autoload` may hold: `yes` and `no` up to WordPress 6.5, the others since. */
export type Autoload = 'yes' | 'no' | 'on' | 'off' | 'auto' | 'auto-on' | 'auto-off'

/** Above this many bytes WordPress doesn't autoload by itself (wp_determine_option_autoload_value). */
const MAX_AUTOLOADED_BYTES = 150_000

/**
 * The `autoload` that this site's WordPress would give a new option for which no caller has a wish
 * (wp_determine_option_autoload_value). `db_version` doesn't tell 6.5 from 6.6, so the words already in the table do.
 */
export async function autoloadOfNewOption(db: Db, site: Site, value: string): Promise<Autoload> {
  const modern: unknown = await db
    .sql(site.tables.options)
    .select('option_id')
    .whereIn('autoload', ['on', 'off', 'auto', 'auto-on', 'auto-off'])
    // Our own rows say `off` on every version and prove nothing.
    .whereNot('option_name', 'like', 'svc\\_%')
    .first()
  if (modern === undefined) return 'yes'
  return Buffer.byteLength(value) > MAX_AUTOLOADED_BYTES ? 'auto-off' : 'auto'
}
