import type { Db } from '../../db/database.ts'
import type { EntryRow, HistoryKind } from '../../record/history/history-row.ts'
import {
  findEntryAt,
  listEntries,
  type Moment,
  readContent,
} from '../../record/history/read-history.ts'
import type { Site } from '../../wordpress/network/site.ts'
import type { StateText } from '../diff/entry-diff.ts'
import { assertMoment } from './choose-targets.ts'

/** Former names of things that are compared. */
const MAX_CANDIDATES = 1000

/** A thing at a moment: the entry with its state, or nothing but its id if it has not been written since the history began. */
export type ThingAt = { readonly id: string; readonly entry?: EntryRow }

/**
 * Finds the thing that had this id or name at a moment.
 * @param current id of the thing that has it now
 * @returns undefined if no thing had it
 * @throws AppError `entry_not_found` if the moment is an entry that the site does not have
 */
export async function findThingAt(
  db: Db,
  site: Site,
  { kind, ref, current }: { kind: HistoryKind; ref: string; current: string | undefined },
  moment: Moment,
): Promise<ThingAt | undefined> {
  await assertMoment(db, site, moment)
  const { blogId, globals } = site
  const named = await listEntries(db, globals, blogId, { kind, ref, limit: MAX_CANDIDATES })
  const ids = [...(current === undefined ? [] : [current]), ...named.map((entry) => entry.ref)]
  for (const id of new Set(ids)) {
    const entry = await findEntryAt(db, site, { kind, ref: id }, moment)
    if (entry && entry.state !== null && [id, entry.name, slugOf(entry)].includes(ref))
      return { id, entry }
  }
  if (current === undefined) return undefined
  const [any] = await listEntries(db, globals, blogId, { kind, ref: current, limit: 1 })
  return any ? undefined : { id: current }
}

const slugOf = ({ state }: EntryRow): unknown => JSON.parse(state ?? '{}').slug

/** The state that an entry holds; undefined if the thing did not exist. */
export async function readState(
  db: Db,
  site: Parameters<typeof readContent>[1],
  entry: EntryRow,
): Promise<StateText | undefined> {
  if (entry.state === null) return undefined
  return { fields: JSON.parse(entry.state), content: await readContent(db, site, entry) }
}
