import type { Tx } from '../../db/transaction.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { deleteOptions, writeOptions } from '../../wordpress/options/write-options.ts'
import { newVersionNonce } from './graph-cache.ts'
import { metaOption, VERSION_OPTION } from './option-names.ts'
import { lockRegistry } from './registry.ts'

/**
 * Deletes the metas of frames whose records another program has written, and replaces the version of the site's frames. The metas are
 * created again from the records.
 */
export async function forgetMetas(tx: Tx, site: Site, ids: readonly string[]): Promise<void> {
  await lockRegistry(tx, site)
  deleteOptions(tx, site, ids.map(metaOption))
  writeOptions(tx, site, [{ name: VERSION_OPTION, value: newVersionNonce() }], 'off')
}
