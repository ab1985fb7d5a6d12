import { inBatches } from '../../db/sql.ts'
import type { Tx } from '../../db/transaction.ts'
import type { Site } from '../network/site.ts'
import { optionKeys } from '../object-cache/stale-keys.ts'
import type { Autoload } from './autoload.ts'

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
