/** HTML as the text that a reader would see. Titles of pages, items and sites are stored as HTML: `Fish &amp; chips`. */
export function textOf(html: string): string {
  if (!/[<&]/.test(html)) return html
  const withoutTags = html.replace(/<!--[\s\S]*?-->|<\/?[a-z][^>]*>/gi, '').replaceAll('<', '&lt;')
  // Only character references are left to parse, and only the text of the document is used.
  return new DOMParser().parseFromString(parsable(withoutTags), 'text/html').body.textContent.trim()
}

type Policy = { createHTML(html: string): string }
type Factory = {
  createPolicy(name: string, rules: { createHTML: (html: string) => string }): Policy
}

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
  const date = new Date(`${gmt.replace(' ', 'T')}Z`)
  return Number.isNaN(date.getTime())
    ? gmt
    : date.toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' })
}

/** A path or an address for readers: without percent encoding where that is possible. */
export function decodedPath(encoded: string): string {
  try {
    return decodeURI(encoded)
  } catch {
    return encoded
  }
}

/** Seconds for a reader: `3 minutes`. */
export function duration(seconds: number): string {
  if (seconds < 120) return count(seconds, 'second')
  if (seconds < 7200) return count(Math.floor(seconds / 60), 'minute')
  return seconds < 172_800
    ? count(Math.floor(seconds / 3600), 'hour')
    : count(Math.floor(seconds / 86_400), 'day')
}
