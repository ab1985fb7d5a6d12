/** The locales whose language tag is not the locale with hyphens: the field `w3c` of Polylang's list of languages (settings/languages.php). */
const TAGS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    bel: 'be',
    bre: 'br',
    de_CH_informal: 'de-CH',
    de_DE_formal: 'de-DE',
    dzo: 'dz',
    hat: 'ht',
    hau: 'ha',
    ibo: 'ig',
    ido: 'io',
    kin: 'rw',
    lb_LU: 'lb',
    lin: 'ln',
    lug: 'lg',
    mri: 'mi',
    nl_NL_formal: 'nl-NL',
    oci: 'oc',
    roh: 'rm',
    sna: 'sn',
    srd: 'sc',
    tir: 'ti',
    tuk: 'tk',
    wol: 'wo',
    xho: 'xh',
    yor: 'yo',
    zul: 'zu',
  }),
)

/** The language tag of a WordPress locale, as in `lang` and `hreflang`: `fr_FR` becomes `fr-FR` (PLL language-factory.php, `w3c`). */
export function languageTag(locale: string): string {
  return TAGS.get(locale) ?? locale.replaceAll('_', '-')
}
