import { decodeName } from '../../wordpress/formatting/decode-name.ts'
import { homeUrl } from '../../wordpress/permalinks/home-url.ts'
import type { LinkSettings } from '../../wordpress/permalinks/link-settings.ts'
import type { LanguageValue } from '../values.ts'

/** `languages`: those of the site that visitors are shown, in Polylang's order. */
export function languageRows(links: LinkSettings): LanguageValue[] {
  return links.languages.list
    .filter(({ active }) => active)
    .map(({ slug, locale, name, rtl }) => ({
      slug,
      locale,
      name: decodeName(name),
      rtl,
      url: homeUrl(links, slug),
    }))
}
