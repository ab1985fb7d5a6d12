/** The named entities that WordPress does not encode: those of HTML 4.01, and `apos`. */
const NAMED = new Set(
  (
    'Aacute aacute Acirc acirc acute AElig aelig Agrave agrave alefsym Alpha alpha amp and ang ' +
    'apos Aring aring asymp Atilde atilde Auml auml bdquo Beta beta brvbar bull cap Ccedil ccedil ' +
    'cedil cent Chi chi circ clubs cong copy crarr cup curren Dagger dagger dArr darr deg Delta ' +
    'delta diams divide Eacute eacute Ecirc ecirc Egrave egrave empty emsp ensp Epsilon epsilon ' +
    'equiv Eta eta ETH eth Euml euml euro exist fnof forall frac12 frac14 frac34 frasl Gamma ' +
    'gamma ge gt hArr harr hearts hellip Iacute iacute Icirc icirc iexcl Igrave igrave image ' +
    'infin int Iota iota iquest isin Iuml iuml Kappa kappa Lambda lambda lang laquo lArr larr ' +
    'lceil ldquo le lfloor lowast loz lrm lsaquo lsquo lt macr mdash micro middot minus Mu mu ' +
    'nabla nbsp ndash ne ni not notin nsub Ntilde ntilde Nu nu Oacute oacute Ocirc ocirc OElig ' +
    'oelig Ograve ograve oline Omega omega Omicron omicron oplus or ordf ordm Oslash oslash ' +
    'Otilde otilde otimes Ouml ouml para part permil perp Phi phi Pi pi piv plusmn pound Prime ' +
    'prime prod prop Psi psi quot radic rang raquo rArr rarr rceil rdquo real reg rfloor Rho rho ' +
    'rlm rsaquo rsquo sbquo Scaron scaron sdot sect shy Sigma sigma sigmaf sim spades sub sube ' +
    'sum sup sup1 sup2 sup3 supe szlig Tau tau there4 Theta theta thetasym thinsp THORN thorn ' +
    'tilde times trade Uacute uacute uArr uarr Ucirc ucirc Ugrave ugrave uml upsih Upsilon ' +
    'upsilon Uuml uuml weierp Xi xi Yacute yacute yen Yuml yuml Zeta zeta zwj zwnj'
  ).split(' '),
)

const REFERENCE =
  /&(?:#(0*[1-9][0-9]{0,6});|#[Xx](0*[1-9A-Fa-f][0-9A-Fa-f]{0,5});|([A-Za-z]{2,8}[0-9]{0,2});)?/g

/** The characters of XML: no control characters except tab and line ends, no surrogates, no U+FFFE and U+FFFF. */
const isCharacter = (code: number): boolean =>
  code === 0x9 ||
  code === 0xa ||
  code === 0xd ||
  (code >= 0x20 && code <= 0xd7ff) ||
  (code >= 0xe000 && code <= 0xfffd) ||
  (code >= 0x10000 && code <= 0x10ffff)

const withoutZeros = (digits: string): string => digits.replace(/^0+/, '')

/**
 * Encodes every `&` that is not part of a valid reference as `&amp;`; numeric references lose or gain leading zeros (`&#0038;` becomes
 * `&#038;`). WordPress's `wp_kses_normalize_entities` (wp-includes/kses.php).
 */
export const normalizeEntities = (text: string): string =>
  text.replace(REFERENCE, (reference, decimal?: string, hex?: string, name?: string) => {
    if (decimal !== undefined && isCharacter(Number(decimal)))
      return `&#${withoutZeros(decimal).padStart(3, '0')};`
    if (hex !== undefined && isCharacter(Number.parseInt(hex, 16)))
      return `&#x${withoutZeros(hex)};`
    if (name !== undefined && NAMED.has(name)) return reference
    return `&amp;${reference.slice(1).replace(/^#X/, '#x')}`
  })

/**
 * Encodes `<`, `>` and bare `&`, and quotes on request. Existing references are unchanged, except for `&apos;`, which is not in PHP's HTML
 * 4.01 table. WordPress's `_wp_specialchars` (wp-includes/formatting.php).
 */
export const specialChars = (text: string, quotes: 'keep' | 'encode'): string => {
  const encoded = normalizeEntities(text)
    .replaceAll('&apos;', '&amp;apos;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
  return quotes === 'keep' ? encoded : encoded.replaceAll('"', '&quot;').replaceAll("'", '&#039;')
}

/**
 * Encodes each `<` without a `>` before the next `<`, with the text up to there: it is text, not a tag. WordPress's `wp_pre_kses_less_than`
 * (wp-includes/formatting.php).
 */
export const escapeUnclosedTags = (html: string): string =>
  html.replace(/<[^<>]*>?/g, (tag) => (tag.endsWith('>') ? tag : specialChars(tag, 'encode')))
