import { phpTrim, removeOctets } from './plain-text.ts'
import { removeBadProtocol } from './remove-bad-protocol.ts'

const NOT_OF_AN_ADDRESS = /[^a-z0-9\-~+_.?#=!&;,/:%@$|*'()[\]\u0080-\uffff]/gi
const LINE_BREAK = /%0[da]/i
const AUTHORITY =
  /^(?:[a-z0-9+.-]+:)?\/\/(?:[^/?#@]*@)?(?:\[[^/?#\]]+\]|[^/?#:]+)(?::\d+)?(?=[/?#]|$)/i

/** What starts like this is a link within the site; anything else without `:` is a host. */
const RELATIVE = /^[/#?]|^[a-z0-9-]+\.php/i

/** Brackets are escaped but in the host, where they hold an IPv6 address. */
const escapeBrackets = (url: string): string => {
  const front = AUTHORITY.exec(url)?.[0] ?? (url.startsWith('/') ? '//' : '')
  const rest = url.replaceAll(front, '')
  const escaped = rest.replaceAll('[', '%5B').replaceAll(']', '%5D')
  return url.replaceAll(rest, () => escaped)
}

/**
 * An address as stored for a menu item: trimmed, with `http://` where it names a host only, spaces
 * escaped, `&` raw; `''` when its protocol is refused. WordPress's `sanitize_url`, that is `esc_url`
 * in its `db` context (wp-includes/formatting.php).
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
