const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#039;',
}

/** Escapes text for element content and for quoted attributes: the same five characters are dangerous in both. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}

/** Attributes whose address a browser follows, loads or submits to. */
const ADDRESS_ATTRIBUTES = new Set([
  'href',
  'src',
  'action',
  'formaction',
  'poster',
  'xlink:href',
  'data',
  'cite',
  'background',
  'manifest',
  'ping',
  'longdesc',
])

const SAFE_SCHEMES = new Set(['http', 'https', 'mailto', 'tel'])

/** Attributes with several addresses, and their separator: `srcset`, its preload form, and the values of SVG animations. */
const ADDRESS_LISTS: ReadonlyMap<string, string> = new Map([
  ['srcset', ','],
  ['imagesrcset', ','],
  ['values', ';'],
  ['from', ';'],
  ['to', ';'],
  ['by', ';'],
])

/** Whether an attribute may have this value. Addresses must be relative or have a safe scheme. */
export function isAllowedInAttribute(name: string, value: string): boolean {
  if (name === 'content') return !isRedirect(value)
  const separator = ADDRESS_LISTS.get(name)
  if (separator !== undefined) return value.split(separator).every(isSafeAddress)
  return !ADDRESS_ATTRIBUTES.has(name) || isSafeAddress(value)
}

/** The start of a `<meta http-equiv=refresh>`: seconds and a separator (HTML, "shared declarative refresh steps"). */
const REFRESH = /^[\t\n\f\r ]*[\d.]+(?:[\t\n\f\r ]*[;,]|[\t\n\f\r ])[\t\n\f\r ]*/
const OTHER_ADDRESS = /^(?:url *=|['"]?(?:[/\\]|(?:https?|javascript|vbscript|data):))/i

/** Whether this `content` would make `<meta http-equiv=refresh>` redirect. Texts such as "10 years of tea" are allowed. */
function isRedirect(content: string): boolean {
  const [seconds] = REFRESH.exec(content) ?? []
  return seconds !== undefined && OTHER_ADDRESS.test(leading(content, seconds.length))
}

/** The start of an address as a browser parses it: without tabs and line ends. */
const leading = (text: string, from: number): string =>
  text.slice(from, from + 1000).replace(/[\t\n\f\r]/g, '')

/**
 * Whether an address is relative or has a safe scheme. Parsed as browsers do: leading control characters and spaces are skipped, tabs and
 * line ends are removed everywhere.
 */
export function isSafeAddress(address: string): boolean {
  const [, written] = /^[\u0000-\u0020]*([a-z][a-z0-9+.\-\t\n\r]*):/i.exec(address) ?? []
  const scheme = written?.replace(/[\t\n\r]/g, '').toLowerCase()
  return scheme === undefined || SAFE_SCHEMES.has(scheme)
}
