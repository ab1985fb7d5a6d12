import { type ChangeEvent, parseCursor } from '../../../src/changes/events/event.ts'

/** The number of the change behind which a cursor is. */
export const positionOf = (cursor: string): number => parseCursor(cursor)?.position ?? 0

/** A sentence for everything that is missing, there twice, or out of order. @param written request ids of all changes */
export function eventFaults(
  name: string,
  events: readonly ChangeEvent[],
  written: readonly string[],
): string[] {
  const got = new Set(events.map(({ request_id }) => request_id))
  const missing = written.filter((requestId) => !got.has(requestId))
  const repeated = events.length - new Set(events.map(({ id }) => id)).size
  const resets = events.filter(({ type }) => type === 'reset').length
  return [
    ...(missing.length > 0
      ? [`the ${name} did not get ${missing.length} changes, such as ${missing[0]}`]
      : []),
    ...(repeated > 0 ? [`the ${name} got ${repeated} changes twice`] : []),
    ...(resets > 0 ? [`the ${name} got ${resets} resets`] : []),
    ...orderFaults(name, events),
  ]
}

/** A sentence if changes of a thing, or of all things, are not in their order. */
function orderFaults(name: string, events: readonly ChangeEvent[]): string[] {
  const entries = new Map<string, number>()
  let last = 0
  for (const { id, site_id, things } of events) {
    const position = positionOf(id)
    if (position <= last) return [`the ${name} got ${id} after the change ${last}`]
    last = position
    for (const { kind, ref, entry } of things) {
      const thing = `${kind} ${ref} of site ${site_id}`
      const before = entries.get(thing) ?? 0
      if ((entry ?? 0) <= before)
        return [`the ${name} got the entry ${entry} of the ${thing} after ${before}`]
      entries.set(thing, entry ?? 0)
    }
  }
  return []
}
