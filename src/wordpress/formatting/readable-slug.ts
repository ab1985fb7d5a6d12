import { displayIfReversible } from './plain-text.ts'
import { sanitizeTitle } from './slugs.ts'

/** A menu's slug, decoded if it can be encoded back. */
export function readableSlug(slug: string, locale: string): string {
  return displayIfReversible(slug, decodeURIComponent, (text) => sanitizeTitle(text, locale))
}
