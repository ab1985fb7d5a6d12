import { decodeRegistry } from '../content/frames/registry.ts'
import type { Db } from '../db/database.ts'
import type { Tx } from '../db/transaction.ts'
import type { Site } from '../wordpress/network/site.ts'
import type { ChangedRows } from './changed-rows.ts'
import { findNetworkEdits, type NetworkKey } from './seen-network.ts'
import { findOptionEdits, type OptionEdit, storeSeenOptions } from './seen-options.ts'
import { findPostEdits, type PostEdit, storeSeenPosts } from './seen-posts.ts'
import { findStringsEdit, STRINGS } from './seen-strings.ts'
import { findTermEdits, storeSeenTerms, type TermEdit } from './seen-terms.ts'

/** The rows of a site that differ from what was seen last. */
export type Edits = {
  readonly posts: readonly PostEdit[]
  readonly terms: readonly TermEdit[]
  readonly options: readonly OptionEdit[]
  /** The new checksum of the texts that Polylang translates; undefined if none differs. */
  readonly strings: string | undefined
  /** Which parts of the network's state differ, with their new values. */
  readonly network: ReadonlyMap<NetworkKey, string>
}

/** Compares the rows that may have changed with what was seen last: up to ten statements. */
export async function findEdits(db: Db, site: Site, rows: ChangedRows): Promise<Edits> {
  const [posts, terms, options, strings, network] = await Promise.all([
    findPostEdits(db, site, rows.posts),
    rows.terms ? findTermEdits(db, site) : [],
    findOptionEdits(db, site, rows.options),
    rows.terms ? findStringsEdit(db, site) : undefined,
    rows.network ? findNetworkEdits(db, site) : new Map(),
  ])
  return { posts, terms, options, strings, network }
}

export function hasNoEdits({ posts, terms, options, strings, network }: Edits): boolean {
  const isEmpty = posts.length + terms.length + options.length + network.size === 0
  return isEmpty && strings === undefined
}

/** Stores that these edits have been seen. */
export async function storeSeen(tx: Tx, site: Site, edits: Edits): Promise<void> {
  await storeSeenPosts(tx, site, edits.posts)
  await storeSeenTerms(tx, site, edits.terms)
  const others: [string, string][] = [...edits.network]
  if (edits.strings !== undefined) others.push([STRINGS, edits.strings])
  const ofOthers = others.map(([name, after]) => ({ name, digest: 0, after }))
  await storeSeenOptions(tx, site, [...edits.options, ...ofOthers])
}

/** The slugs of frames by id in a remembered registry; none if it is damaged. */
export function slugsIn(registry: string | undefined): ReadonlyMap<string, string> {
  try {
    const names = registry === undefined ? [] : decodeRegistry(registry).all()
    return new Map(names.map(({ id, slug }) => [id, slug]))
  } catch {
    return new Map()
  }
}
