const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#039;',
}

/** Text for element content and for a quoted attribute: the same five characters are dangerous in either. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}

/** Attributes that a browser follows, loads or sends to. */
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

/** Attributes with several addresses, and what parts them: `srcset` and its preload form, and what SVG animates an attribute to. */
const ADDRESS_LISTS: ReadonlyMap<string, string> = new Map([
  ['srcset', ','],
  ['imagesrcset', ','],
  ['values', ';'],
  ['from', ';'],
  ['to', ';'],
  ['by', ';'],
])

/** May this value stand in this attribute? Addresses must be relative or of a harmless scheme (decisions, section 6). */
export function isAllowedInAttribute(name: string, value: string): boolean {
  if (name === 'content') return !isRedirect(value)
  const separator = ADDRESS_LISTS.get(name)
  if (separator !== undefined) return value.split(separator).every(isSafeAddress)
  return !ADDRESS_ATTRIBUTES.has(name) || isSafeAddress(value)
}

/** How `<meta http-equiv=refresh>` begins: seconds, and what parts them from the address (HTML, "shared declarative refresh steps"). */
const REFRESH = /^[\t\n\f\r ]*[\d.]+(?:[\t\n\f\r ]*[;,]|[\t\n\f\r ])[\t\n\f\r ]*/
const OTHER_ADDRESS = /^(?:url *=|['"]?(?:[/\\]|(?:https?|javascript|vbscript|data):))/i

/** Would `<meta http-equiv=refresh>` lead elsewhere with this content? Texts such as "10 years of tea" stay allowed. */
function isRedirect(content: string): boolean {
  const [seconds] = REFRESH.exec(content) ?? []
  return seconds !== undefined && OTHER_ADDRESS.test(leading(content, seconds.length))
}

/** As a browser reads an address: without tabs and line ends. */
const leading = (text: string, from: number): string =>
  text.slice(from, from + 1000).replace(/[\t\n\f\r]/g, '')

/**
 * Is this a relative address or one of a harmless scheme? Read as a browser reads it: control characters and
 * spaces in front are skipped, tabs and line ends are dropped wherever they are.
 */
export function isSafeAddress(address: string): boolean {
  const [, written] = /^[\u0000-\u0020]*([a-z][a-z0-9+.\-\t\n\r]*):/i.exec(address) ?? []
  const scheme = written?.replace(/[\t\n\r]/g, '').toLowerCase()
  return scheme === undefined || SAFE_SCHEMES.has(scheme)
}
