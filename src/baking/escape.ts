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

/** May this value stand in this attribute? Addresses must be relative or of a harmless scheme (decisions, section 6). */
export function isAllowedInAttribute(name: string, value: string): boolean {
  return !ADDRESS_ATTRIBUTES.has(name) || isSafeAddress(value)
}

/**
 * Is this a relative address or one of a harmless scheme? Read as a browser reads it: control characters and
 * spaces in front are skipped, tabs and line ends are dropped wherever they are.
 */
export function isSafeAddress(address: string): boolean {
  const [, written] = /^[\u0000-\u0020]*([a-z][a-z0-9+.\-\t\n\r]*):/i.exec(address) ?? []
  const scheme = written?.replace(/[\t\n\r]/g, '').toLowerCase()
  return scheme === undefined || SAFE_SCHEMES.has(scheme)
}
