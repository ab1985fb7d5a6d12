import { trimEnd } from '../../wordpress/formatting/plain-text.ts'

/** An address as WordPress compares it: whatever its scheme, without a fragment and slashes at its end. */
export function normalizeAddress(url: string): string {
  const hash = url.indexOf('#')
  const withoutFragment = hash > 0 ? url.slice(0, hash) : url
  return trimEnd(withoutFragment.replace(/^\w+:\/\//, '//'), '/\\')
}
