import type { ChangeEvent } from '../events/event.ts'
import type { EventType } from '../events/event-types.ts'

/** Which changes a webhook sends. */
export type WebhookFilter = {
  /** Null for all types. A `reset` is always sent. */
  readonly types: readonly EventType[] | null
  /** Null for all kinds of things except webhooks. */
  readonly kinds: readonly ChangeEvent['things'][number]['kind'][] | null
  /** The sites of a webhook of the network; null for all. */
  readonly sites: readonly number[] | null
}

/** The event with the things that a filter lets through; undefined if it lets none through. */
export function filterEvent(
  event: ChangeEvent,
  { types, kinds, sites }: WebhookFilter,
): ChangeEvent | undefined {
  if (event.type === 'reset') return event
  if (types !== null && !types.includes(event.type)) return undefined
  if (sites !== null && !sites.includes(event.site_id)) return undefined
  const things = event.things.filter(({ kind }) =>
    kinds === null ? kind !== 'webhook' : kinds.includes(kind),
  )
  // Things that are not listed may be of any kind.
  const isComplete = event.things.length === event.things_total
  if (isComplete && things.length === 0) return undefined
  return { ...event, things, things_total: isComplete ? things.length : event.things_total }
}
