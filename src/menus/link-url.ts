import { phpTrim } from '../wordpress/formatting/plain-text.ts'
import { sanitizeUrl } from '../wordpress/formatting/sanitize-url.ts'

/**
 * The address that is stored for a link: a path gets the site's address before it (contract, section 2.6), the rest is WordPress's rule.
 * Undefined for what leads nowhere: a protocol that WordPress refuses, or one without anything behind it.
 * @param home the site's address, without a slash at its end
 */
export function linkUrl(home: string, text: string): string | undefined {
  const address = phpTrim(text)
  const url = sanitizeUrl(/^\/(?!\/)/.test(address) ? `${home}${address}` : address)
  return url === '' || /^https?:\/*$/.test(url) ? undefined : url
}
