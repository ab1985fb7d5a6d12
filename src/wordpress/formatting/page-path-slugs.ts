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
 * The slugs that a page path names, outermost first: `about/Équipe/` and `about/%C3%A9quipe` both
 * end in a stored slug's `%c3%a9quipe`. Accents are kept, as a lookup must: WordPress's
 * `get_page_by_path` (wp-includes/post.php). `['']` for the empty path.
 */
export const pagePathSlugs = (path: string): string[] =>
  encodeBytes(decodeBytes(path))
    .replace(/^\/+|\/+$/g, '')
    .split('/')
    .map((part) => sanitizeTitleWithDashes(part, 'query'))
