import { sanitizeTitleWithDashes } from './sanitize-title-with-dashes.ts'

const decodeBytes = (text: string): Buffer =>
  Buffer.from(
    Buffer.from(text.replaceAll('+', ' '))
      .toString('latin1')
      .replace(/%([a-f0-9]{2})/gi, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      ),
    'latin1',
  )

const encodeBytes = (bytes: Buffer): string =>
  bytes
    .toString('latin1')
    .replace(/[^a-z0-9._~ /-]/gi, (char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`)

/**
 * The slugs that a page path names, outermost first, as they stand in `post_name`: `о-нама/тим/`
 * and its percent-encoded form give the same two. Accents stay, unlike in `sanitizeTitle`, so
 * `équipe` does not find the page `equipe`. `['']` for the empty path. WordPress's
 * `get_page_by_path` (wp-includes/post.php).
 */
export const pagePathSlugs = (path: string): string[] =>
  encodeBytes(decodeBytes(path))
    .replace(/^\/+|(?<!\/)\/+$/g, '')
    .split('/')
    .map((part) => sanitizeTitleWithDashes(part, 'query'))
