import { phpTrim } from '#php-serialized'
import { removeOctets } from './plain-text.ts'

const NOT_OF_AN_ADDRESS = /[^a-z0-9\-~+_.?#=!&;,/:%@$|*'()[\]\u0080-\uffff]/gi
const LINE_BREAK = /%0[da]/i
const AUTHORITY =
  /^(?:[a-z0-9+.-]+:)?\/\/(?:[^/?#@]*@)?(?:\[[^/?#\]]+\]|[^/?#:]+)(?::\d+)?(?=[/?#]|$)/i

/** Links within the site; any other text without `:` is a host. */
const RELATIVE = /^[/#?]|^[a-z0-9-]+\.php/i

/** Escapes brackets except in the host, where they delimit an IPv6 address. */
const escapeBrackets = (url: string): string => {
  const front = AUTHORITY.exec(url)?.[0] ?? (url.startsWith('/') ? '//' : '')
  const rest = url.replaceAll(front, '')
  const escaped = rest.replaceAll('[', '%5B').replaceAll(']', '%5D')
  return url.replaceAll(rest, () => escaped)
}

/**
 * A URL as stored for a menu item: trimmed, with `http://` before a bare host, spaces escaped, `&` unescaped; `''` if its protocol is
 * refused. WordPress's `sanitize_url`, which is `esc_url` in its `db` context (wp-includes/formatting.php).
 */
export const sanitizeUrl = (address: string): string => {
  const known = phpTrim(address).replaceAll(' ', '%20').replace(NOT_OF_AN_ADDRESS, '')
  if (known === '') return ''
  const oneLine = /^mailto:/i.test(known) ? known : removeOctets(known, LINE_BREAK)
  const repaired = oneLine.replaceAll(';//', '://')
  const absolute =
    repaired.includes(':') || RELATIVE.test(repaired) ? repaired : `http://${repaired}`
  const url = /[[\]]/.test(absolute) ? escapeBrackets(absolute) : absolute
  if (url.startsWith('/')) return url
  const allowed = removeBadProtocol(url)
  return allowed.toLowerCase() === url.toLowerCase() ? allowed : ''
}

/** WordPress's `wp_allowed_protocols` (wp-includes/functions.php), without additions by plugins. */
const ALLOWED_PROTOCOLS = new Set(
  (
    'http https ftp ftps mailto news irc irc6 ircs gopher nntp feed telnet mms rtsp sms svn tel ' +
    'fax xmpp webcal urn'
  ).split(' '),
)

const MAX_ROUNDS = 6
const MAX_FEEDS = 2

const COLON = /:|&#0*58;|&#x0*3a;|&colon;/i
const UNCLOSED_COLON = /&#0*58(?![;0-9])|&#x0*3a(?![;a-f0-9])/gi

const removeNulls = (text: string): string =>
  text.replace(/[\x00-\x08\x0b\x0c\x0e-\x1f]/g, '').replace(/(?<!\\)\\+0+/g, '')

const protocolOf = (scheme: string): string => {
  const decoded = scheme
    .replace(/&#([0-9]+);/g, (_, digits: string) => String.fromCharCode(Number(digits) % 256))
    .replace(/&#x([0-9a-f]+);/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16) % 256),
    )
  const name = removeNulls(decoded.replace(/[ \t\n\v\f\r]/g, '')).toLowerCase()
  return ALLOWED_PROTOCOLS.has(name) ? `${name}:` : ''
}

const removeOnce = (text: string, feeds = 0): string => {
  const closed = text.replace(UNCLOSED_COLON, '$&;')
  const colon = COLON.exec(closed)
  if (colon === null || closed.slice(0, colon.index).includes('/?')) return closed
  const protocol = protocolOf(closed.slice(0, colon.index))
  const rest = phpTrim(closed.slice(colon.index + colon[0].length))
  if (protocol !== 'feed:') return protocol + rest
  if (feeds === MAX_FEEDS) return ''
  const inner = removeOnce(rest, feeds + 1)
  return inner === '' ? '' : protocol + inner
}

/**
 * Removes a protocol that WordPress does not allow (`javascript:alert(1)` becomes `alert(1)`) and lower-cases an allowed one. Detects
 * protocols that are hidden by entities, white space or repetition. WordPress's `wp_kses_bad_protocol` (wp-includes/kses.php).
 */
export const removeBadProtocol = (address: string): string => {
  let text = removeNulls(address)
  if (text.startsWith('https://') || text.startsWith('http://')) return text
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const next = removeOnce(text)
    if (next === text) return text
    text = next
  }
  return ''
}
