import type { Database } from '../db/database.ts'
import { AppError } from '../errors.ts'
import { numberChanges } from '../history/number-changes.ts'
import {
  BEGINNING,
  cursorBehind,
  findCursorProblem,
  readChanges,
  readLastCursor,
} from '../history/read-changes.ts'
import type { GlobalTables } from '../wordpress/network/site.ts'
import { type ChangeEvent, cursorText, parseCursor, presentChanges, resetEvent } from './event.ts'

/** Whose changes are read. */
export type EventScope = {
  readonly db: Database
  readonly globals: GlobalTables
  /** Undefined for all sites and the tokens. */
  readonly blogId: number | undefined
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

/** Events that are read at a time. */
export const MAX_EVENTS = 100

/**
 * Reads the events after a cursor, oldest first.
 * @param since a cursor; `now` for that behind the last change; undefined for the oldest event that is kept
 * @throws AppError `rest_invalid_param` for a cursor that is none
 */
export async function readEvents(
  { db, globals, blogId }: EventScope,
  since: string | undefined,
  limit = MAX_EVENTS,
): Promise<ReadEvents> {
  const given = since === undefined || since === 'now' ? undefined : parseCursor(since)
  if (since !== undefined && since !== 'now' && given === undefined) throw invalidCursor()
  const last = await numberChanges(db, globals)
  if (since === 'now') {
    const cursor = cursorText(await readLastCursor(db, globals))
    return { events: [], cursor, more: false, last }
  }
  const after = given ?? BEGINNING
  const options = { after: after.position, limit }
  const { changes, more } = await readChanges(db, globals, blogId, options)
  const problem = given && (await findCursorProblem(db, globals, blogId, given, last))
  if (problem !== undefined) {
    const event = resetEvent(blogId ?? 0, problem, await readLastCursor(db, globals), new Date())
    return { events: [event], cursor: event.id, more: false, last }
  }
  const events = await presentChanges(db, globals, changes)
  const newest = changes.findLast(({ entries }) => entries.length > 0)
  const at = newest?.entries[0]?.created_at
  const cursor = newest && at !== undefined ? cursorBehind(newest.position, at) : after
  return { events, cursor: cursorText(cursor), more, last }
}

function invalidCursor(): AppError {
  const rule = 'must be `now`, or the id of an event or a `cursor` of an earlier answer'
  return new AppError('rest_invalid_param', `Invalid parameter(s): since. It ${rule}.`, {
    params: { since: rule },
  })
}
