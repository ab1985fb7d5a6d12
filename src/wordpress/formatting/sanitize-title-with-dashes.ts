import { stripTags } from './plain-text.ts'

const MAX_SLUG_BYTES = 200

const escapeChar = (char: string): string =>
  char > '\x7f' ? encodeURIComponent(char).toLowerCase() : char

const anyOf = (chars: string): string => [...chars].map(escapeChar).join('|')

/** Dashes and the spaces of every width. */
const DASHES =
  '\u00a0\u2011\u2013\u2014\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f'
const DASH_ENTITIES = '&(?:nbsp|ndash|mdash|#160|#8209|#8211|#8212);'
const TO_DASH = new RegExp(`${anyOf(DASHES)}|${DASH_ENTITIES}|/`, 'g')

/** Quotes, signs, loose accents, and what has no width. */
const DROPPED = new RegExp(
  anyOf(
    '\u00a1\u00a9\u00ab\u00ad\u00ae\u00b0\u00b4\u00bb\u00bf\u02ca\u0300\u0301\u0304\u030c\u0341' +
      '\u200b\u200c\u200d\u200e\u200f\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u2022\u2026' +
      '\u202a\u202b\u202c\u202d\u202e\u2039\u203a\u2122\ufeff\ufffc',
  ),
  'g',
)
const TIMES = /%c3%97/g

/** Escapes that the title already holds stay; a `%` that begins none goes. */
const keepEscapes = (title: string): string =>
  title
    .replace(/%([a-f0-9]{2})/gi, '---$1---')
    .replaceAll('%', '')
    .replace(/---([a-f0-9]{2})---/gi, '%$1')

/** `utf8_uri_encode`: percent-encodes what is not ASCII, and cuts between characters. */
const encodeWithin = (text: string, maxBytes: number): string => {
  const isAscii = Buffer.byteLength(text) === text.length
  if (isAscii) return text.slice(0, maxBytes)
  let encoded = ''
  for (const char of text) {
    const piece = escapeChar(char)
    if (encoded.length + piece.length > maxBytes) break
    encoded += piece
  }
  return encoded
}

/**
 * A title as a slug: lower case, at most 200 bytes, of `a-z 0-9 _ -` and lower-case escapes only.
 * `save` makes a slug to store, `query` one to look up. WordPress's `sanitize_title_with_dashes`
 * (wp-includes/formatting.php), on PHP 8.3 or newer as to the Greek final sigma.
 */
export const sanitizeTitleWithDashes = (title: string, context: 'save' | 'query'): string => {
  const plain = keepEscapes(stripTags(title.toWellFormed()))
  const encoded = encodeWithin(plain.toLowerCase(), MAX_SLUG_BYTES)
  const slug =
    context === 'save'
      ? encoded.replace(TO_DASH, '-').replace(DROPPED, '').replace(TIMES, 'x')
      : encoded
  return slug
    .replace(/&[^\n]+?;/g, '')
    .replaceAll('.', '-')
    .replace(/[^%a-z0-9 _-]/g, '')
    .replace(/[ -]+/g, '-')
    .replace(/^-|-$/g, '')
}
