import type { Db } from '../db/database.ts'
import { gmtText } from '../db/gmt.ts'
import type { Site } from './network/site.ts'
import { readOptions } from './options/read-options.ts'

/** A date as stored in WordPress's tables: `YYYY-MM-DD HH:MM:SS`, in the site's time and in GMT. */
export type PostDate = { readonly local: string; readonly gmt: string }

/** The options that set a site's time. */
export type TimeSettings = {
  /** `timezone_string`: a name such as `Europe/Paris`, or ''. */
  readonly timezone: string
  /** `gmt_offset`: hours, with fractions; used if there is no name. */
  readonly gmtOffset: number
}

/** WordPress's value for a missing date, such as the GMT date of a draft. Strict servers reject it as a date. */
export const ZERO_DATE = '0000-00-00 00:00:00'

/**
 * The current time in the site's time zone and in GMT (current_time, functions.php; wp_timezone_string), with the zone's daylight saving
 * rules. A zone that this machine does not know is ignored.
 */
export function currentTime(settings: TimeSettings, now: () => Date): PostDate {
  const instant = now()
  const local = inZone(settings.timezone, instant) ?? withOffset(settings.gmtOffset, instant)
  return { local, gmt: gmtText(instant) }
}

/** WordPress truncates the offset to whole minutes. */
function withOffset(hours: number, instant: Date): string {
  return gmtText(new Date(instant.getTime() + Math.trunc(hours * 60) * 60_000))
}

function inZone(timeZone: string, instant: Date): string | undefined {
  if (timeZone === '') return undefined
  try {
    const format = new Intl.DateTimeFormat('en-US', { timeZone, ...DATE_FIELDS })
    const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, value]))
    const [year, month, day, hour, minute, second] = FIELD_ORDER.map((type) => parts.get(type))
    return `${year}-${month}-${day} ${hour}:${minute}:${second}`
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const FIELD_ORDER = ['year', 'month', 'day', 'hour', 'minute', 'second'] as const

const DATE_FIELDS = {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
} as const

/** Reads the options that set a site's time. */
export async function readTimeSettings(db: Db, site: Site): Promise<TimeSettings> {
  const options = await readOptions(db, site, ['timezone_string', 'gmt_offset'])
  return {
    timezone: options.get('timezone_string') ?? '',
    gmtOffset: Number(options.get('gmt_offset')) || 0,
  }
}
