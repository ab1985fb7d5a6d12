import { storeRows } from '../../db/sql.ts'
import type { Tx } from '../../db/transaction.ts'
import { groupBy } from '../../host/group-by.ts'
import {
  EVENT_KIND,
  type EventState,
  type EventThing,
  type HistorySite,
  historyTable,
} from './history-row.ts'
import { NO_ENTRY, timeOf } from './record-history.ts'

/** Things that one event names. */
const MAX_EVENT_THINGS = 1000

/** Records what only the list of events shows, in the transaction that knows it. An event without things is not recorded. */
export async function recordEvent(
  tx: Tx,
  { blogId, globals }: HistorySite,
  action: 'published' | 'edited',
  things: readonly EventThing[],
): Promise<void> {
  if (things.length === 0) return
  const named = things.slice(0, MAX_EVENT_THINGS)
  const state: EventState = {
    pages: Object.fromEntries(
      Array.from(
        groupBy(named.filter(isPage), (thing) => thing.action),
        ([one, pages]) => [one, pages.map(({ ref }) => Number(ref))],
      ),
    ),
    edited: named.filter((thing) => !isPage(thing)),
    total: things.length,
  }
  const row = {
    ...NO_ENTRY,
    blog_id: blogId,
    kind: EVENT_KIND,
    action,
    state: JSON.stringify(state),
    created_at: timeOf(tx),
    // They are limited by `EVENTS_KEPT`, so that they do not displace entries.
    bytes: 0,
    position: null,
  }
  await storeRows(tx, [{ table: historyTable(globals), rows: [row] }])
}

const isPage = ({ kind }: EventThing): boolean => kind === 'page'
