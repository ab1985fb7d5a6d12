import { decodeName } from '../../wordpress/formatting/plain-text.ts'
import type { Language } from '../../wordpress/languages/languages.ts'
import { homeUrl } from '../../wordpress/permalinks/urls.ts'
import type { LinkSettings } from '../../wordpress/permalinks/link-settings.ts'
import type { LanguageValue, SwitcherLanguage } from '../values.ts'

/** `languages`: those of the site that visitors are shown, in Polylang's order; with those that are still empty (pll_languages_list). */
export function languageRows(links: LinkSettings): LanguageValue[] {
  return activeLanguages(links).map((language) => languageRow(links, language))
}

/** The same for switchers in menus. */
export function switcherLanguages(links: LinkSettings): SwitcherLanguage[] {
  return activeLanguages(links).map((language) => ({
    id: language.id,
    ...languageRow(links, language),
  }))
}

function activeLanguages({ languages }: LinkSettings): Language[] {
  return languages.list.filter(({ active }) => active)
}

function languageRow(
  links: LinkSettings,
  { slug, locale, name, rtl, hasContent }: Language,
): LanguageValue {
  return {
    slug,
    locale,
    name: decodeName(name),
    rtl,
    url: homeUrl(links, slug),
    ...(hasContent ? {} : { empty: true }),
  }
}
