import { removeAccents } from './remove-accents.ts'
import { sanitizeTitleWithDashes } from './sanitize-title-with-dashes.ts'

/**
 * The slug to store for a title; `''` when nothing of it is left. `locale` is the site's, such as
 * `de_DE`. Making it unique is the caller's. WordPress's `sanitize_title`
 * (wp-includes/formatting.php).
 */
export const sanitizeTitle = (title: string, locale: string): string =>
  sanitizeTitleWithDashes(removeAccents(title, locale), 'save')
