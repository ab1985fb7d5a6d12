import type { Tx } from '../../db/transaction.ts'
import type { Site } from '../network/site.ts'
import { optionKeys } from '../object-cache/stale-keys.ts'
import type { Autoload } from './autoload.ts'

export type OptionValue = { readonly name: string; readonly value: string }

/**
 * Stores options as they are given, already serialized; new rows get `autoload`, rows that exist keep theirs.
 * The caller holds the lock under which the values were made.
 */
export async function writeOptions(
  tx: Tx,
  site: Site,
  options: readonly OptionValue[],
  autoload: Autoload,
): Promise<void> {
  if (options.length === 0) return
  await tx
    .sql(site.tables.options)
    .insert(
      options.map(({ name, value }) => ({
        option_name: name,
        option_value: sentText(tx, value),
        autoload,
      })),
    )
    .onConflict('option_name')
    .merge(['option_value'])
  tx.forget(
    optionKeys(
      site,
      options.map(({ name }) => name),
    ),
  )
}

/** Longer texts are sent as bytes: to escape a megabyte, the driver goes through it for 20 ms, and every request waits. */
const LONG_TEXT = 32 * 1024

function sentText({ sql }: Tx, text: string): string | ReturnType<Tx['sql']['raw']> {
  return text.length < LONG_TEXT ? text : sql.raw('CONVERT(? USING utf8mb4)', [Buffer.from(text)])
}

/** Deletes options by name. */
export async function deleteOptions(tx: Tx, site: Site, names: readonly string[]): Promise<void> {
  await tx.sql(site.tables.options).whereIn('option_name', names).delete()
  tx.forget(optionKeys(site, names))
}
