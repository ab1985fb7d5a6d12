import { z } from 'zod'
import { readCopyUrls } from '../../build/publishing/copies-table.ts'
import type { Db } from '../../db/database.ts'
import { timeText } from '../../db/gmt.ts'
import type { DeepReadonly } from '../../host/effects.ts'
import { groupBy } from '../../host/group-by.ts'
import {
  EVENT_KIND,
  type EventAction,
  type EventState,
  HISTORY_ACTIONS,
  HISTORY_KINDS,
} from '../../record/history/history-row.ts'
import {
  type ChangeCursor,
  type ChangeEntry,
  type CursorProblem,
  cursorBehind,
  type HistoryChange,
  MAX_CHANGE_ENTRIES,
} from '../../record/history/read-changes.ts'
import type { GlobalTables } from '../../wordpress/network/site.ts'
import { EVENT_TYPES, type EventType } from './event-types.ts'

export const THING_KINDS = [...HISTORY_KINDS, 'page'] as const
const THING_ACTIONS = [...HISTORY_ACTIONS, 'published', 'removed'] as const

const EventThingSchema = z
  .object({
    kind: z.enum(THING_KINDS),
    ref: z.string().meta({
      description: 'As in the history; the id of a page.',
      examples: ['4f1c2d3e4b5a6978'],
    }),
    name: z.string().meta({
      description: 'Its slug or name; empty without an entry.',
      examples: ['site-header'],
    }),
    action: z.enum(THING_ACTIONS),
    entry: z
      .int()
      .nullable()
      .describe(
        'The entry of the history with the states; null of a page, and of what has no entries.',
      ),
    url: z
      .string()
      .nullable()
      .describe('The address of a published page at present; null if it has no static copy now.'),
  })
  .meta({ id: 'EventThing' })

/** One change: what a transaction has written to a site. */
export const EventSchema = z
  .object({
    id: z
      .string()
      .meta({ description: 'The cursor behind this event.', examples: ['1207-4f1c2d3e'] }),
    type: z
      .enum(EVENT_TYPES)
      .describe(
        '`changed`: written through this service. `edited`: another program has written it. `published`: visitors see these static copies now. `reset`: events are missing here, see `reason`; read everything once, and go on from `id`.',
      ),
    site_id: z
      .int()
      .meta({ description: '0 for a token, and for a webhook of the network.', examples: [2] }),
    at: z.string().meta({ description: 'GMT.', examples: ['2026-03-01 09:30:00.250'] }),
    user_id: z.int().nullable(),
    token_id: z.int().nullable(),
    label: z.string().nullable().describe('Label of the token; `cli deploy@web1` for a command.'),
    request_id: z.string().nullable().describe('`X-Request-Id` of the request.'),
    things: z
      .array(EventThingSchema)
      .describe(`What the change concerns; at most ${MAX_CHANGE_ENTRIES}.`),
    things_total: z.int().describe('Number of things, also of those that are not listed.'),
    reason: z
      .enum(['pruned', 'unknown'])
      .nullable()
      .describe(
        'Of a `reset`. `pruned`: the cursor is older than what is kept. `unknown`: this database does not know the cursor; a backup was restored. Null for other types.',
      ),
  })
  .meta({ id: 'ChangeEvent' })

export type ChangeEvent = DeepReadonly<z.infer<typeof EventSchema>>

type PresentedThing = ChangeEvent['things'][number]

/** The text of a cursor: the number of the change, and what identifies it. */
export const cursorText = ({ position, check }: ChangeCursor): string =>
  position === 0 ? '0' : `${position}-${check}`

/** The cursor in a text; undefined if it is none. */
export function parseCursor(text: string): ChangeCursor | undefined {
  if (text === '0') return { position: 0, check: '' }
  const [, position, check] = /^([1-9]\d{0,14})-([0-9a-f]{8})$/.exec(text) ?? []
  if (position === undefined || check === undefined) return undefined
  return { position: Number(position), check }
}

/** The events with the addresses of their pages. */
export async function withUrls(
  db: Db,
  globals: GlobalTables,
  events: readonly ChangeEvent[],
): Promise<readonly ChangeEvent[]> {
  const published = events.filter(({ type }) => type === 'published')
  if (published.length === 0) return events
  const pages = groupBy(published, ({ site_id }) => site_id)
  const wanted = new Map(
    Array.from(pages, ([siteId, ofSite]) => [
      siteId,
      ofSite.flatMap(({ things }) =>
        things.flatMap(({ kind, ref }) => (kind === 'page' ? Number(ref) : [])),
      ),
    ]),
  )
  const urls = await readCopyUrls(db, globals, wanted)
  const withUrl = (siteId: number, thing: PresentedThing): PresentedThing => ({
    ...thing,
    url: urls.get(`${siteId} ${thing.ref}`) ?? null,
  })
  return events.map((event) =>
    event.type === 'published'
      ? { ...event, things: event.things.map((thing) => withUrl(event.site_id, thing)) }
      : event,
  )
}

/** The event of a change; undefined if it changed nothing that a client could know: the deletion of old entries. */
export function eventOf({ position, entries, total }: HistoryChange): ChangeEvent | undefined {
  const shown = entries.filter(({ kind }) => kind !== 'pruning')
  const [first] = shown
  if (first === undefined) return undefined
  const all = shown.flatMap(thingsOf)
  const things = all.slice(0, MAX_CHANGE_ENTRIES)
  const hidden = shown.reduce((sum, entry) => sum + totalOf(entry), total - entries.length)
  return {
    id: cursorText(cursorBehind(position, first.created_at)),
    type: typeOf(shown),
    site_id: first.blog_id,
    at: first.created_at,
    user_id: first.user_id,
    token_id: first.token_id,
    label: first.label,
    request_id: first.request_id,
    things,
    things_total: hidden,
    reason: null,
  }
}

const stateOf = ({ state }: ChangeEntry): EventState =>
  state === null ? { pages: {}, edited: [], total: 0 } : JSON.parse(state)

const totalOf = (entry: ChangeEntry): number =>
  entry.kind === EVENT_KIND ? stateOf(entry).total : 1

function thingsOf(entry: ChangeEntry): PresentedThing[] {
  if (entry.kind !== EVENT_KIND) {
    const { id, kind, ref, name, action } = entry
    return [{ kind, ref, name, action, entry: id, url: null }]
  }
  const { pages, edited } = stateOf(entry)
  const without = { name: '', entry: null, url: null }
  const ofPages = (Object.entries(pages) as [EventAction, number[]][]).flatMap(([action, ids]) =>
    ids.map((id): PresentedThing => ({ kind: 'page', ref: String(id), action, ...without })),
  )
  const others = edited.map((thing): PresentedThing => ({ ...thing, ...without }))
  return [...ofPages, ...others]
}

/** Number of the things that the event of a change lists. */
export const countThings = ({ entries }: HistoryChange): number =>
  Math.min(
    entries.reduce((sum, entry) => sum + totalOf(entry), 0),
    MAX_CHANGE_ENTRIES,
  )

/** Actions of entries without an author. */
const EDITS: ReadonlySet<string> = new Set(['found', 'edited'])

function typeOf(entries: readonly ChangeEntry[]): EventType {
  if (entries.some(({ kind, action }) => kind === EVENT_KIND && action === 'published'))
    return 'published'
  return entries.every(({ action }) => EDITS.has(action)) ? 'edited' : 'changed'
}

/** Tells a reader that it cannot go on from its cursor. */
export function resetEvent(
  siteId: number,
  reason: CursorProblem,
  cursor: string,
  now: Date,
): ChangeEvent {
  return {
    id: cursor,
    type: 'reset',
    site_id: siteId,
    at: timeText(now),
    user_id: null,
    token_id: null,
    label: null,
    request_id: null,
    things: [],
    things_total: 0,
    reason,
  }
}
