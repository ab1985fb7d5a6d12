import type { Database } from '../../db/database.ts'
import { inBatches } from '../../db/sql.ts'
import { AppError } from '../../host/errors.ts'
import { numberChanges } from '../../record/history/number-changes.ts'
import {
  cursorBehind,
  findCursorProblem,
  readChanges,
  readCursor,
  readPruned,
} from '../../record/history/read-changes.ts'
import type { GlobalTables } from '../../wordpress/network/site.ts'
import {
  type ChangeEvent,
  countThings,
  cursorText,
  eventOf,
  parseCursor,
  resetEvent,
  withUrls,
} from './event.ts'

/** Whose changes are read. */
export type EventScope = {
  readonly db: Database
  readonly globals: GlobalTables
  /** Undefined for all sites and the tokens. */
  readonly blogId: number | undefined
  /** Numbers what was committed before the call, and returns the last number [`numberChanges`] */
  readonly number?: () => Promise<number>
}

export type ReadEvents = {
  readonly events: readonly ChangeEvent[]
  /** Where the reader is now: the id of the last event, if there is one. */
  readonly cursor: string
  /** Whether there are more events already. */
  readonly more: boolean
  /** The number of the last change of the network that was looked at. */
  readonly last: number
}

export type ReadOptions = {
  readonly limit?: number | undefined
  readonly urls?: boolean
}

/** Events that are read at a time. */
export const MAX_EVENTS = 100
/** Things in events that are read at a time; an event with more is read alone. */
const THINGS_AT_ONCE = 5000

/**
 * Reads the events after a cursor, oldest first.
 * @param since a cursor; `now` for that behind the last change; undefined for the first one behind what was deleted
 * @param options.urls false: without the addresses of pages
 * @throws AppError `rest_invalid_param` for a cursor that is none
 */
export async function readEvents(
  { db, globals, blogId, number = () => numberChanges(db, globals) }: EventScope,
  since: string | undefined,
  { limit = MAX_EVENTS, urls = true }: ReadOptions = {},
): Promise<ReadEvents> {
  const given = since === undefined || since === 'now' ? undefined : parseCursor(since)
  if (since !== undefined && since !== 'now' && given === undefined) throw invalidCursor()
  const last = await number()
  const behind = async (position: number) => cursorText(await readCursor(db, globals, position))
  // For a site too the last number of the network, so that the cursor is behind everything that was deleted.
  if (since === 'now') return { events: [], cursor: await behind(last), more: false, last }
  const after = given?.position ?? (await readPruned(db, globals, blogId))
  const read = await readChanges(db, globals, blogId, { after, limit })
  const problem = given && (await findCursorProblem(db, globals, blogId, given, last))
  if (problem !== undefined) {
    const event = resetEvent(blogId ?? 0, problem, await behind(last), new Date())
    return { events: [event], cursor: event.id, more: false, last }
  }
  const [changes = []] = inBatches(read.changes, THINGS_AT_ONCE, countThings)
  const presented = changes.flatMap((change) => eventOf(change) ?? [])
  const events = urls ? await withUrls(db, globals, presented) : presented
  const newest = changes.findLast(({ entries }) => entries.length > 0)
  const at = newest?.entries[0]?.created_at
  const cursor =
    newest && at !== undefined
      ? cursorText(cursorBehind(newest.position, at))
      : (since ?? (await behind(after)))
  return { events, cursor, more: read.more || changes.length < read.changes.length, last }
}

function invalidCursor(): AppError {
  const rule = 'must be `now`, or the id of an event or a `cursor` of an earlier answer'
  return new AppError('rest_invalid_param', `Invalid parameter(s): since. It ${rule}.`, {
    params: { since: rule },
  })
}
