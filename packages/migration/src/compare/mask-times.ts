const DATE = /\b(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.\d+)?Z?/g
const HOUR_MS = 3_600_000
/** Local times of sites differ from GMT by up to 14 hours. */
const AROUND_MS = 26 * HOUR_MS

/** Replaces dates around now in all texts of a value: the sides write at other seconds. */
export function maskTimes(value: unknown, now: Date): unknown {
  if (typeof value === 'string') return maskText(value, now)
  if (Array.isArray(value)) return value.map((one) => maskTimes(one, now))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, maskTimes(one, now)]))
}

function maskText(text: string, now: Date): string {
  return text.replace(DATE, (found, day, time) => {
    const distance = Math.abs(Date.parse(`${day}T${time}Z`) - now.getTime())
    return distance < AROUND_MS ? '<date>' : found
  })
}
