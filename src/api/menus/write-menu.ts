import type { Tx } from '../../db/transaction.ts'
import { readMenuVersion } from '../../menus/menu-target.ts'
import type { Menu } from '../../wordpress/nav-menus/nav-menu.ts'
import type { Call } from '../endpoint.ts'

type MenuCall = Pick<Call<unknown, unknown, unknown>, 'db' | 'site' | 'expected' | 'tellVersion'>

/**
 * Runs a write of a menu, and tells the version that it leaves to callers who sent one: it is made of the whole tree, which is read for
 * nobody else.
 */
export async function runMenuWrite<Written extends { readonly menu: Menu }>(
  { db, site, expected, tellVersion }: MenuCall,
  write: (tx: Tx) => Promise<Written>,
): Promise<Written> {
  const { written, version } = await db.transaction(async (tx) => {
    const written = await write(tx)
    return { written, version: expected && (await readMenuVersion(tx, site, written.menu.id)) }
  }, site)
  tellVersion(version)
  return written
}
