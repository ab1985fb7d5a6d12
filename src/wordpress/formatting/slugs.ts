import { stripTags } from './plain-text.ts'

/**
 * The slug to store for a title; `''` if nothing remains. `locale` is the site's, such as `de_DE`. The caller makes it unique. WordPress's
 * `sanitize_title` (wp-includes/formatting.php).
 */
export const sanitizeTitle = (title: string, locale: string): string =>
  sanitizeTitleWithDashes(removeAccents(title, locale), 'save')

const MAX_SLUG_BYTES = 200

const BEYOND_ASCII = /[^\0-\x7f]/gu

const escapeChar = (char: string): string =>
  char > '\x7f' ? encodeURIComponent(char).toLowerCase() : char

const anyOf = (chars: string): string => [...chars].map(escapeChar).join('|')

/** Dashes and all kinds of spaces. */
const DASHES =
  '\u00a0\u2011\u2013\u2014\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f'
const DASH_ENTITIES = '&(?:nbsp|ndash|mdash|#160|#8209|#8211|#8212);'
const TO_DASH = new RegExp(`${anyOf(DASHES)}|${DASH_ENTITIES}|/`, 'g')

/** Quotes, signs, combining accents, and characters without width. */
const DROPPED = new RegExp(
  anyOf(
    '\u00a1\u00a9\u00ab\u00ad\u00ae\u00b0\u00b4\u00bb\u00bf\u02ca\u0300\u0301\u0304\u030c\u0341' +
      '\u200b\u200c\u200d\u200e\u200f\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u2022\u2026' +
      '\u202a\u202b\u202c\u202d\u202e\u2039\u203a\u2122\ufeff\ufffc',
  ),
  'g',
)
const TIMES = /%c3%97/g

/** Existing escapes stay; a `%` that is not part of one is removed. */
const keepEscapes = (title: string): string =>
  title
    .replace(/%([a-f0-9]{2})/gi, '---$1---')
    .replaceAll('%', '')
    .replace(/---([a-f0-9]{2})---/gi, '%$1')

/** A part of a title as it is in slugs: in lower case, with characters beyond ASCII as lower-case escapes. */
export const escapeSlugPart = (text: string): string =>
  text.toWellFormed().toLowerCase().replace(BEYOND_ASCII, escapeChar)

/** `utf8_uri_encode`: percent-encodes characters beyond ASCII, and truncates between characters. */
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
 * Converts a title to a slug of at most 200 bytes, with only `a-z 0-9 _ -` and lower-case escapes. `save` creates a slug to store, `query`
 * one to look up. WordPress's `sanitize_title_with_dashes` (wp-includes/formatting.php), with PHP 8.3's rule for the Greek final sigma.
 */
const sanitizeTitleWithDashes = (title: string, context: 'save' | 'query'): string => {
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

/** Latin-1, Latin Extended-A, and the further letters of Vietnamese, Pinyin and Romanian. */
const ACCENTED =
  /[\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u017f\u01a0\u01a1\u01af\u01b0\u01cd-\u01dc\u0218-\u021b\u1ea0-\u1ef9]/g
const MARKS = /[\u0300-\u036f]/g

/** Letters that Unicode does not decompose into a base letter and its marks. */
const UNDECOMPOSED: Readonly<Record<string, string>> = {
  Æ: 'AE',
  æ: 'ae',
  Ð: 'D',
  ð: 'd',
  Đ: 'D',
  đ: 'd',
  Ə: 'E',
  ǝ: 'e',
  Ħ: 'H',
  ħ: 'h',
  ı: 'i',
  Ĳ: 'IJ',
  ĳ: 'ij',
  ĸ: 'k',
  Ŀ: 'L',
  ŀ: 'l',
  Ł: 'L',
  ł: 'l',
  ŉ: 'n',
  Ŋ: 'N',
  ŋ: 'n',
  Ø: 'O',
  ø: 'o',
  Œ: 'OE',
  œ: 'oe',
  ß: 's',
  ſ: 's',
  Þ: 'TH',
  þ: 'th',
  Ŧ: 'T',
  ŧ: 't',
  ɑ: 'a',
  ª: 'a',
  º: 'o',
  '€': 'E',
  '£': '',
}

const GERMAN = { Ä: 'Ae', ä: 'ae', Ö: 'Oe', ö: 'oe', Ü: 'Ue', ü: 'ue', ẞ: 'SS', ß: 'ss' }
const DANISH = { Æ: 'Ae', æ: 'ae', Ø: 'Oe', ø: 'oe', Å: 'Aa', å: 'aa' }
const CATALAN = { l·l: 'll' }
const SERBO_CROATIAN = { Đ: 'DJ', đ: 'dj' }

const rulesOf = (locale: string): Readonly<Record<string, string>> => {
  if (locale.startsWith('de')) return GERMAN
  if (locale === 'da_DK') return DANISH
  if (locale === 'ca') return CATALAN
  return locale === 'sr_RS' || locale === 'bs_BA' ? SERBO_CROATIAN : {}
}

/**
 * Replaces accented Latin letters with plain ones; the rest is unchanged, in Unicode's composed form (NFC). `locale` is a WordPress locale
 * such as `de_DE`. WordPress's `remove_accents` (wp-includes/formatting.php).
 *
 * No package has this table: the closest one, `remove-accents`, differs in 108 letters. Unicode's decomposition gives all of it except for
 * the letters listed above.
 */
export const removeAccents = (text: string, locale: string): string =>
  ASCII.test(text) ? text : replaceLetters(text, locale)

/** Characters, then their combining marks. */
const MARKED = /[^\p{M}]*\p{M}{0,1024}/gu

/**
 * The text in NFC. Longer runs of marks than any script uses are composed in pieces, because sorting the marks takes time that grows with
 * the square of their number.
 */
const composed = (text: string): string => text.replace(MARKED, (piece) => piece.normalize('NFC'))

const ASCII = /^[\x00-\x7f]*$/

const replaceLetters = (text: string, locale: string): string =>
  Object.entries({ ...UNDECOMPOSED, ...rulesOf(locale) })
    .reduce((result, [from, to]) => result.replaceAll(from, to), composed(text))
    .replace(ACCENTED, (letter) => letter.normalize('NFD').replace(MARKS, ''))

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
 * The slugs of a page path, outermost first, as stored in `post_name`: `о-нама/тим/` and its percent-encoded form give the same two.
 * Accents stay, unlike in `sanitizeTitle`, so `équipe` does not find the page `equipe`. `['']` for the empty path. WordPress's
 * `get_page_by_path` (wp-includes/post.php).
 */
export const pagePathSlugs = (path: string): string[] =>
  encodeBytes(decodeBytes(path))
    .replace(/^\/+|(?<!\/)\/+$/g, '')
    .split('/')
    .map((part) => sanitizeTitleWithDashes(part, 'query'))

/** The length of the columns `post_name` and `slug`. */
const MAX_NUMBERED_SLUG_BYTES = 200

/** A character: its percent-encoded bytes, or itself. */
const ENCODED_CHARACTER = /%[c-f][0-9a-f](?:%[89ab][0-9a-f])*|%[0-9a-f]{2}|./gis

/**
 * Appends a number to a slug. If the result exceeds the column, the slug is truncated between characters (_truncate_post_slug, post.php).
 */
export function numberedSlug(slug: string, number: number): string {
  const suffix = `-${number}`
  return `${truncateSlug(slug, MAX_NUMBERED_SLUG_BYTES - suffix.length)}${suffix}`
}

function truncateSlug(slug: string, length: number): string {
  if (slug.length <= length) return slug
  return (slug.includes('%') ? takeWholeCharacters(slug, length) : slug.slice(0, length)).replace(
    /-+$/,
    '',
  )
}

function takeWholeCharacters(slug: string, length: number): string {
  let cut = ''
  for (const [character] of slug.matchAll(ENCODED_CHARACTER)) {
    if (cut.length + character.length > length) break
    cut += character
  }
  return cut
}
