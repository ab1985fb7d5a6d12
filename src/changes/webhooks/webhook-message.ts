import { randomBytes } from 'node:crypto'
import { parseGmt } from '../../db/gmt.ts'
import type { ChangeWatch } from '../events/change-watch.ts'
import { type ChangeEvent, parseCursor } from '../events/event.ts'
import type { EventType } from '../events/event-types.ts'
import { filterEvent } from './webhook-filter.ts'
import type { Webhook } from './webhooks-table.ts'

/** The specification wants less than 20 kB. */
export const MAX_MESSAGE_BYTES = 20_000
/** Things in a message. */
export const MAX_MESSAGE_THINGS = 100
/** Bytes of the events of a message; the rest is for the fields around them. */
const MAX_LIST_BYTES = MAX_MESSAGE_BYTES - 1000
/** Pages of the feed that are read for one message. */
const MAX_PAGES = 100

/** `changes.several`: the events have different types. */
type MessageType = `changes.${EventType | 'several'}` | 'test'

/** What is sent to a receiver. The same changes have the same id and the same body. */
export type WebhookMessage = {
  readonly message_id: string
  readonly type: MessageType
  /** The cursor before its first event. */
  readonly since: string
  /** The cursor behind its last event. */
  readonly message_end: string
  /** Number of its events. */
  readonly events: number
  readonly body: string
}

/** What comes next for a webhook. */
export type NextMessage = {
  /** Undefined if there is nothing up to the cursor. */
  readonly message?: WebhookMessage
  readonly cursor: string
  /** Whether there may be something behind the cursor. */
  readonly more: boolean
}

/**
 * Reads the next message of a webhook from the feed: what is there and fits, so that a receiver which is slower than the changes gets several with
 * each message. The addresses of pages are not read: those of the time when a receiver wants them are in the feed.
 */
export async function readNextMessage(
  changes: ChangeWatch,
  webhook: Webhook,
): Promise<NextMessage> {
  const { blog_id: blogId, filter, since, message_end: end } = webhook
  const list = new EventList()
  let cursor = since
  let more = true
  for (let page = 0; more && page < MAX_PAGES; page += 1) {
    const found = await changes.read(blogId || undefined, cursor, { urls: false })
    for (const event of found.events) {
      // It leads past all changes that are there, also in a further try, and also if they were deleted meanwhile.
      if (event.type === 'reset') return messageOf(webhook, [event], event.id)
      if (end !== null && positionOf(event.id) > positionOf(end))
        return messageOf(webhook, list.events, end)
      const wanted = filterEvent(event, filter)
      if (wanted && !list.add(wanted)) return messageOf(webhook, list.events)
    }
    cursor = found.cursor
    more = found.more
  }
  if (end === null && list.events.length === 0) return { cursor, more }
  return messageOf(webhook, list.events, end ?? cursor)
}

const positionOf = (cursor: string): number => parseCursor(cursor)?.position ?? 0

/** @param end the cursor behind the message [that of the last event] */
function messageOf(
  { id: webhookId, since }: Webhook,
  events: readonly ChangeEvent[],
  end = events.at(-1)?.id ?? since,
): NextMessage {
  if (events.length === 0) return { cursor: end, more: true }
  const [type = 'several', ...others] = new Set(events.map((event) => event.type))
  const message = bodyOf(webhookId, events, {
    message_id: `msg_${webhookId}_${positionOf(since)}_${end}`,
    type: `changes.${others.length > 0 ? 'several' : type}`,
    since,
    message_end: end,
  })
  return { message, cursor: end, more: true }
}

/** A message without changes, which shows whether the receiver accepts messages. */
export function testMessage({ id: webhookId, since }: Webhook): WebhookMessage {
  const message_id = `msg_${webhookId}_test_${randomBytes(8).toString('hex')}`
  return bodyOf(webhookId, [], { message_id, type: 'test', since, message_end: since })
}

function bodyOf(
  webhook_id: number,
  events: readonly ChangeEvent[],
  message: Omit<WebhookMessage, 'events' | 'body'>,
): WebhookMessage {
  const { type, since, message_end: cursor } = message
  const at = events.at(-1)?.at
  const timestamp = at === undefined ? new Date() : parseGmt(at)
  const data = { webhook_id, since, cursor, events_total: events.length, events }
  return { ...message, events: events.length, body: JSON.stringify({ type, timestamp, data }) }
}

/** The events of a message. */
class EventList {
  readonly events: ChangeEvent[] = []
  #things = 0
  #bytes = 0

  /** Adds an event, with its first things. @returns false if it does not fit any more */
  add(event: ChangeEvent): boolean {
    let thin = cut(event, MAX_MESSAGE_THINGS - this.#things)
    let bytes = bytesOf(thin)
    for (; this.events.length === 0 && bytes > MAX_LIST_BYTES; bytes = bytesOf(thin))
      thin = cut(thin, Math.floor(thin.things.length / 2))
    if (this.#things >= MAX_MESSAGE_THINGS || this.#bytes + bytes > MAX_LIST_BYTES) return false
    this.events.push(thin)
    this.#things += thin.things.length
    this.#bytes += bytes
    return true
  }
}

const cut = (event: ChangeEvent, most: number): ChangeEvent => ({
  ...event,
  things: event.things.slice(0, most),
})

/** With a comma. */
const bytesOf = (event: ChangeEvent): number => Buffer.byteLength(JSON.stringify(event)) + 1
