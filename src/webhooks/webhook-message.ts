import { randomBytes } from 'node:crypto'
import { parseGmt } from '../db/gmt.ts'
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
export type MessageType = `changes.${EventType | 'several'}` | 'test'

/** What is sent to a receiver. The same changes have the same id and the same body. */
export type WebhookMessage = {
  readonly id: string
  readonly type: MessageType
  /** The cursor before its first event. */
  readonly since: string
  /** The cursor behind its last event. */
  readonly end: string
  readonly eventsTotal: number
  readonly body: string
}

/** What comes next for a webhook. */
export type NextMessage =
  /** Nothing up to this cursor. */
  | { readonly next: 'none'; readonly cursor: string; readonly more: boolean }
  | { readonly next: 'message'; readonly message: WebhookMessage }

/**
 * Reads the next message of a webhook from the feed: what is there and fits, so that a receiver which is slower than the changes gets several with
 * each message.
 */
export async function readNextMessage(
  changes: ChangeWatch,
  webhook: Webhook,
): Promise<NextMessage> {
  const { since, messageEnd: end } = webhook
  const list = new EventList()
  let cursor = since
  let more = true
  for (let page = 0; more && page < MAX_PAGES; page += 1) {
    const found = await changes.read(siteOf(webhook), cursor)
    for (const event of found.events) {
      // It leads past all changes that are there, also in a further try, and also if they were deleted meanwhile.
      if (event.type === 'reset') {
        const reset = new EventList()
        reset.add(event)
        return messageOf(webhook, reset, event.id)
      }
      if (end !== null && isBehind(event, end)) return messageOf(webhook, list, end)
      const wanted = filterEvent(event, webhook.filter)
      if (wanted && !list.add(wanted)) return messageOf(webhook, list, list.lastId ?? since)
    }
    cursor = found.cursor
    more = found.more
  }
  if (end !== null) return messageOf(webhook, list, end)
  return list.events.length === 0
    ? { next: 'none', cursor, more }
    : messageOf(webhook, list, cursor)
}

/** The site whose changes a webhook sends; undefined for the network. */
const siteOf = ({ blogId }: Webhook): number | undefined => (blogId === 0 ? undefined : blogId)

const positionOf = (cursor: string): number => parseCursor(cursor)?.position ?? 0

const isBehind = ({ id }: ChangeEvent, end: string): boolean => positionOf(id) > positionOf(end)

function messageOf(webhook: Webhook, list: EventList, end: string): NextMessage {
  const { id: webhookId, since } = webhook
  if (list.events.length === 0) return { next: 'none', cursor: end, more: true }
  const [type = 'several', ...others] = new Set(list.events.map((event) => event.type))
  const message = {
    id: `msg_${webhookId}_${positionOf(since)}_${end}`,
    type: `changes.${others.length > 0 ? 'several' : type}`,
    since,
    end,
    eventsTotal: list.events.length,
  } as const
  return { next: 'message', message: { ...message, body: bodyOf(webhookId, message, list) } }
}

function bodyOf(
  webhookId: number,
  { type, since, end, eventsTotal }: Omit<WebhookMessage, 'body'>,
  { events }: EventList,
): string {
  const at = events.at(-1)?.at
  return JSON.stringify({
    type,
    timestamp: (at === undefined ? new Date() : parseGmt(at)).toISOString(),
    data: { webhook_id: webhookId, since, cursor: end, events_total: eventsTotal, events },
  })
}

/** A message without changes, which shows whether the receiver accepts messages. */
export function testMessage({ id: webhookId, since }: Webhook): WebhookMessage {
  const id = `msg_${webhookId}_test_${randomBytes(8).toString('hex')}`
  const message = { id, type: 'test', since, end: since, eventsTotal: 0 } as const
  return { ...message, body: bodyOf(webhookId, message, new EventList()) }
}

/** The events of a message. */
class EventList {
  readonly events: ChangeEvent[] = []
  #things = 0
  #bytes = 0

  /** The id of the last event. */
  get lastId(): string | undefined {
    return this.events.at(-1)?.id
  }

  /** @returns false if the event does not fit any more */
  add(event: ChangeEvent): boolean {
    let thin = withoutUrls(event, MAX_MESSAGE_THINGS - this.#things)
    let bytes = bytesOf(thin)
    for (; this.events.length === 0 && bytes > MAX_LIST_BYTES; bytes = bytesOf(thin))
      thin = withoutUrls(thin, Math.floor(thin.things.length / 2))
    if (this.#things >= MAX_MESSAGE_THINGS || this.#bytes + bytes > MAX_LIST_BYTES) return false
    this.events.push(thin)
    this.#things += thin.things.length
    this.#bytes += bytes
    return true
  }
}

/** An event with its first things, without addresses: those of the time when a reader wants them are in the feed. */
const withoutUrls = (event: ChangeEvent, most: number): ChangeEvent => ({
  ...event,
  things: event.things.slice(0, most).map((thing) => ({ ...thing, url: null })),
})

/** With a comma. */
const bytesOf = (event: ChangeEvent): number => Buffer.byteLength(JSON.stringify(event)) + 1
