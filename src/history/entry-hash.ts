import { sha256Hex } from '../hash.ts'
import type { EntryRow } from './history-row.ts'

/** The fields of an entry that its hash covers, in this order. */
const HASHED_FIELDS = [
  'previous',
  'blog_id',
  'kind',
  'ref',
  'name',
  'action',
  'state',
  'content',
  'version',
  'user_id',
  'token_id',
  'label',
  'request_id',
  'created_at',
] as const

export type HashedFields = Pick<EntryRow, (typeof HASHED_FIELDS)[number]>

/**
 * The hash of an entry. It covers the hash of the previous entry of the same thing: a chain in which no entry can be changed, and none but the
 * oldest and the latest removed, without a trace. Each thing has its own chain because its writers hold its lock anyway; one chain for a
 * site would make its writers wait for each other.
 */
export function hashOfEntry(entry: HashedFields): string {
  return sha256Hex(JSON.stringify(HASHED_FIELDS.map((field) => entry[field])))
}
