import type { Tx } from '../../db/transaction.ts'
import type { Site } from '../network/site.ts'
import { optionKeys } from '../object-cache/stale-keys.ts'
import type { Autoload } from './autoload.ts'

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
