import { timeText } from '../../db/gmt.ts'
import type { Moment } from '../../record/history/read-history.ts'

/** The formats of a moment, for messages. */
export const MOMENT_FORMATS =
  'the id of an entry, or a time such as 2026-03-01T09:30:00Z or "2026-03-01 09:30:00" (GMT)'

/** A time in the format of the history; undefined if it is malformed. A time without a zone is GMT. */
export function parseTime(text: string): string | undefined {
  const [, date, time = '00:00:00', zone = 'Z'] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)(Z|[+-]\d\d:?\d\d)?)?$/.exec(
      text.trim(),
    ) ?? []
  const moment = date === undefined ? undefined : new Date(`${date}T${time}${zone}`)
  if (!moment || Number.isNaN(moment.getTime())) return undefined
  return timeText(moment)
}

/** A moment: digits are the id of an entry, everything else is a time; undefined if it is malformed. */
export function parseMoment(text: string): Moment | undefined {
  if (/^[1-9]\d{0,14}$/.test(text)) return { entry: Number(text) }
  const time = parseTime(text)
  return time === undefined ? undefined : { time }
}
