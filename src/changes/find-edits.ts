import { removeValue, SerializedError } from '#php-serialized'
import type { Db } from '../db/database.ts'
import type { Tx } from '../db/transaction.ts'
import { REGISTRY_OPTION } from '../frames/option-names.ts'
import { decodeRegistry } from '../frames/registry.ts'
import { sha256Hex } from '../hash.ts'
import {
  describeNetworkActivity,
  isPolylangIn,
  NETWORK_ACTIVITY_OPTIONS,
  POLYLANG_SETTING,
} from '../wordpress/languages/polylang-activity.ts'
import { readNetworkOptions } from '../wordpress/network/network-option.ts'
import type { Site } from '../wordpress/network/site.ts'
import { readOptions } from '../wordpress/options/read-options.ts'
import type { ChangedRows } from './changed-rows.ts'
import { NETWORK_KEYS, readNetworkState, readSeenNetworkState } from './seen-network.ts'
import {
  findOptionEdits,
  type OptionEdit,
  type SeenOption,
  storeSeenOptions,
} from './seen-options.ts'
import { findPostEdits, type PostEdit, storeSeenPosts } from './seen-posts.ts'
import { findStringsEdit, STRINGS } from './seen-strings.ts'
import { findTermEdits, storeSeenTerms, type TermEdit } from './seen-terms.ts'
import { SHOWN_OPTIONS } from './shown-content.ts'

/** An edited option, with what is remembered of its value before and after. */
export type EditedOption = OptionEdit & { readonly after: string | undefined }

/** The rows of a site that differ from what was seen last. */
export type Edits = {
  readonly posts: readonly PostEdit[]
  readonly terms: readonly TermEdit[]
  readonly options: readonly EditedOption[]
  /** The new checksum of the texts that Polylang translates; undefined if none differs. */
  readonly strings: string | undefined
  /** Which parts of the network's state differ, with their new values. */
  readonly network: ReadonlyMap<(typeof NETWORK_KEYS)[number], string>
}

/** Compares the rows that may have changed with what was seen last: up to ten statements. */
export async function findEdits(db: Db, site: Site, rows: ChangedRows): Promise<Edits> {
  const [posts, terms, options, strings, network] = await Promise.all([
    findPostEdits(db, site, rows.posts),
    rows.terms ? findTermEdits(db, site) : [],
    findEditedOptions(db, site, rows.options),
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
  const ofNetwork = [...edits.network].map(([name, value]) => ({ name, digest: 0, value }))
  const ofStrings =
    edits.strings === undefined ? [] : [{ name: STRINGS, digest: 0, value: edits.strings }]
  const options: SeenOption[] = edits.options.map(({ name, digest, after }) => ({
    name,
    digest,
    value: after,
  }))
  await storeSeenOptions(tx, site, [...options, ...ofStrings, ...ofNetwork])
}

/** @param only names of options that may differ [all that pages may show] */
export async function findEditedOptions(
  db: Db,
  site: Site,
  only: ChangedRows['options'],
): Promise<EditedOption[]> {
  const edits = await findOptionEdits(db, site, SHOWN_OPTIONS, only)
  const names = edits.map(({ name }) => name).filter((name) => name in REMEMBERED)
  const values = await readOptions(db, site, names)
  return edits.map((edit) => {
    const value = values.get(edit.name)
    return { ...edit, after: value === undefined ? undefined : REMEMBERED[edit.name]?.(value) }
  })
}

/** What is remembered of the values of options: what the next edit is compared with, to find what it touches. */
const REMEMBERED: Readonly<Record<string, (value: string) => string>> = {
  [REGISTRY_OPTION]: (text) => text,
  show_on_front: (text) => text,
  page_on_front: (text) => text,
  page_for_posts: (text) => text,
  active_plugins: (text) => String(isPolylangIn(text)),
  [POLYLANG_SETTING]: (text) => text,
  polylang: (text) => sha256Hex(withoutMenus(text)),
}

/** Polylang's settings without its map of menus, which says nothing about URLs. */
function withoutMenus(polylang: string): string {
  try {
    return removeValue(polylang, ['nav_menus'])
  } catch (error) {
    if (error instanceof SerializedError) return polylang
    throw error
  }
}

async function findNetworkEdits(db: Db, site: Site): Promise<Edits['network']> {
  const { globals, networkId } = site
  const options = await readNetworkOptions(db, globals, [networkId], WATCHED_NETWORK_OPTIONS)
  const [state, seen] = await Promise.all([
    readNetworkState(db, site, describeNetwork(options.get(networkId))),
    readSeenNetworkState(db, site),
  ])
  const edited = NETWORK_KEYS.filter((key) => state[key] !== seen[key])
  return new Map(edited.map((key) => [key, state[key]]))
}

/** The options of the network on which pages depend. */
export const WATCHED_NETWORK_OPTIONS = [...NETWORK_ACTIVITY_OPTIONS, 'WPLANG'] as const

/** What these options say, as far as pages depend on it. */
export function describeNetwork(options: ReadonlyMap<string, string> = new Map()): string {
  return [describeNetworkActivity(options), options.get('WPLANG')].filter(Boolean).join(' ')
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
