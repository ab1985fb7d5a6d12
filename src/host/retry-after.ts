/**
 * The value of `Retry-After`, seconds or a date (RFC 9110, 10.2.3), in milliseconds; undefined without a usable one.
 * @param maxMs a longer time is cut
 */
export function parseRetryAfter(
  value: string | null | undefined,
  maxMs: number,
): number | undefined {
  if (value === null || value === undefined) return undefined
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), maxMs) : undefined
}
