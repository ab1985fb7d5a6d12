/** HTML as the text that a reader would see. Titles of pages, items and sites are stored as HTML: `Fish &amp; chips`. */
export function textOf(html: string): string {
  if (!/[<&]/.test(html)) return html
  const withoutTags = html.replace(/<!--[\s\S]*?-->|<\/?[a-z][^>]*>/gi, '').replaceAll('<', '&lt;')
  // Only character references are left to parse, and only the text of the document is used.
  return new DOMParser().parseFromString(parsable(withoutTags), 'text/html').body.textContent.trim()
}

/** The title of a page for readers. */
export const pageTitle = ({ id, title = '' }: Titled): string => textOf(title) || `Page ${id}`

type Titled = { readonly id: number | string; readonly title?: string | undefined }

type Policy = { readonly createHTML: (html: string) => string }
type Factory = { createPolicy(name: string, rules: Policy): Policy }

/** The only use of HTML that the console's policy allows. Browsers without Trusted Types need no permission. */
const policy = (globalThis as { readonly trustedTypes?: Factory }).trustedTypes?.createPolicy(
  'wp-frames-text',
  { createHTML: (html) => html },
)

const parsable = (html: string): string => policy?.createHTML(html) ?? html

const numbers = new Intl.NumberFormat('en')

/** `1,204 frames`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${numbers.format(number)} ${number === 1 ? one : many}`
}

/** Bytes for a reader: `2.4 kB`. */
export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  return bytes < 1_000_000
    ? `${(bytes / 1000).toFixed(1)} kB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** A time of the API (`2026-03-01 09:30:00`, GMT) in the reader's zone. */
export function time(gmt: string): string {
  return dateOf(gmt)?.toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' }) ?? gmt
}

/** A time of the API; undefined for what is none, such as the date of a draft. */
export function dateOf(gmt: string): Date | undefined {
  const date = new Date(`${gmt.replace(' ', 'T')}Z`)
  return Number.isNaN(date.getTime()) ? undefined : date
}

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/** The units of `timeAgo`: up to so many seconds, and the seconds of one. */
const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, limit: number, seconds: number])[] = [
  ['minute', 3600, 60],
  ['hour', 86_400, 3600],
  ['day', 30 * 86_400, 86_400],
]

/** A time of the API for a reader: `3 minutes ago`, `in 2 days`; the date if it is more than a month away. */
export function timeAgo(gmt: string, now = Date.now()): string {
  const date = dateOf(gmt)
  if (!date) return gmt
  const seconds = (date.getTime() - now) / 1000
  const distance = Math.abs(seconds)
  if (distance < 45) return seconds > 0 ? 'in a moment' : 'just now'
  const unit = UNITS.find(([, limit]) => distance < limit * 0.97)
  return unit
    ? relative.format(Math.round(seconds / unit[2]), unit[0])
    : date.toLocaleDateString('en-GB', { dateStyle: 'medium' })
}

/** A path or an address for readers: without percent encoding where that is possible. */
export function decodedPath(encoded: string): string {
  try {
    return decodeURI(encoded)
  } catch {
    return encoded
  }
}

/** An address for readers, on the site itself without the address of the site. */
export function shortAddress(url: string, home: string): string {
  const own = home.replace(/\/+$/, '')
  return decodedPath(url.startsWith(`${own}/`) ? url.slice(own.length) : url)
}

/** Seconds for a reader: `3 minutes`. */
export function duration(seconds: number): string {
  if (seconds < 120) return count(seconds, 'second')
  if (seconds < 7200) return count(Math.floor(seconds / 60), 'minute')
  return seconds < 172_800
    ? count(Math.floor(seconds / 3600), 'hour')
    : count(Math.floor(seconds / 86_400), 'day')
}

/** What Enter takes of a list: the one with this name, or else the first that has it within its name. Capital letters are small ones. */
export function bestOf<One>(
  found: readonly One[],
  typed: string,
  nameOf: (one: One) => string,
): One | undefined {
  const wanted = typed.toLowerCase()
  return (
    found.find((one) => nameOf(one).toLowerCase() === wanted) ??
    found.find((one) => nameOf(one).toLowerCase().includes(wanted))
  )
}
