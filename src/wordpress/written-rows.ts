import { crc32 } from 'node:zlib'
import type { Tx } from '../db/transaction.ts'
import { menuItemKeys, menuKeys, optionKeys, postMetaKeys } from './cache-keys.ts'
import { itemObjectId, type StoredItem } from './nav-menus/menu-item.ts'
import type { MenuIds } from './nav-menus/nav-menu.ts'
import type { Site } from './network/site.ts'

/** The rows of a site that a transaction has written so far: what other programs have cached of them is stale, and they are no edits. */
export type WrittenRows = {
  /** Options by name. With a digest, the new text was made of one with this CRC32. */
  readonly options: Map<string, { readonly formerDigest: number } | 'stored' | 'deleted'>
  /** Ids of posts whose meta values were written. */
  readonly metas: Set<number>
  /** Menu items by id. */
  readonly items: Map<number, 'stored' | 'deleted'>
  /** Ids of the posts and terms that the written menu items link. */
  readonly linked: Set<number>
  /** Ids of menus in `term_taxonomy`. */
  readonly menus: Set<number>
}

export function writtenRows(tx: Tx, { blogId }: Pick<Site, 'blogId'>): WrittenRows {
  const key = `written rows ${blogId}`
  const known = tx.local.get(key) as WrittenRows | undefined
  const rows = known ?? {
    options: new Map(),
    metas: new Set(),
    items: new Map(),
    linked: new Set(),
    menus: new Set(),
  }
  if (!known) tx.local.set(key, rows)
  return rows
}

/** @param before the text of which the new one was made, with what other programs have written to it [none] */
export function noteOption(tx: Tx, site: Site, name: string, before?: string): void {
  const { options } = writtenRows(tx, site)
  const first = options.get(name)
  if (first === undefined || first === 'deleted')
    options.set(name, before === undefined ? 'stored' : { formerDigest: crc32(before) })
  tx.invalidate(optionKeys(site, [name]))
}

export function noteDeletedOptions(tx: Tx, site: Site, names: readonly string[]): void {
  for (const name of names) writtenRows(tx, site).options.set(name, 'deleted')
  tx.invalidate(optionKeys(site, names))
}

export function noteMetas(tx: Tx, site: Site, postIds: readonly number[]): void {
  for (const id of postIds) writtenRows(tx, site).metas.add(id)
  tx.invalidate(postMetaKeys(site, postIds))
}

export function noteItems(
  tx: Tx,
  site: Site,
  ids: readonly number[],
  state: 'stored' | 'deleted' = 'stored',
): void {
  for (const id of ids) writtenRows(tx, site).items.set(id, state)
  tx.invalidate(menuItemKeys(site, ids))
}

/** Notes what these menu items link from now on. */
export function noteLinks(
  tx: Tx,
  site: Site,
  items: Iterable<Pick<StoredItem, 'row' | 'meta'>>,
): void {
  const { linked } = writtenRows(tx, site)
  for (const { row, meta } of items) {
    const object = itemObjectId(meta)
    // An item with an address links itself, one of an archive nothing with an id.
    if (object > 0 && object !== row.ID) linked.add(object)
  }
}

export function noteMenu(tx: Tx, site: Site, { id, termTaxonomyId }: MenuIds): void {
  writtenRows(tx, site).menus.add(termTaxonomyId)
  tx.invalidate(menuKeys(site, [id]))
}
