import { storeRows } from '../db/sql.ts'
import type { Tx } from '../db/transaction.ts'
import {
  EVENT_KIND,
  type EventState,
  type EventThing,
  type HistorySite,
  historyTable,
} from './history-row.ts'
import { ENTRY_BYTES, NO_ENTRY, timeOf } from './record-history.ts'

/** Things that one event names. */
export const MAX_EVENT_THINGS = 1000

/** Records what only the feed of changes shows, in the transaction that knows it. An event without things is not recorded. */
export async function recordEvent(
  tx: Tx,
  { blogId, globals }: HistorySite,
  action: 'published' | 'edited',
  things: readonly EventThing[],
): Promise<void> {
  if (things.length === 0) return
  const named: EventState = { things: things.slice(0, MAX_EVENT_THINGS), total: things.length }
  const state = JSON.stringify(named)
  const bytes = state.length + ENTRY_BYTES
  const row = {
    ...NO_ENTRY,
    blog_id: blogId,
    kind: EVENT_KIND,
    action,
    state,
    created_at: timeOf(tx),
    bytes,
    position: null,
  }
  await storeRows(tx, [{ table: historyTable(globals), rows: [row] }])
  tx.grow(blogId, bytes)
}
