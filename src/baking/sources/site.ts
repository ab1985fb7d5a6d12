import { findLanguage } from '../../wordpress/languages/language.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { homeUrl } from '../../wordpress/permalinks/home-url.ts'
import type { LinkSettings } from '../../wordpress/permalinks/link-settings.ts'
import type { Value } from '../program.ts'

/** `site.*`: what a layout says of the site, in the language being rendered. */
export function siteFields(
  site: Site,
  links: LinkSettings,
  settings: Readonly<Record<string, Value>>,
  lang: string | null,
): Record<string, Value> {
  const language = findLanguage(links.languages, lang)
  const locale = language?.locale ?? (settings.WPLANG || 'en_US')
  return {
    id: site.blogId,
    title: settings.blogname,
    description: settings.blogdescription,
    url: homeUrl(links, language?.slug ?? null),
    home: links.home,
    domain: site.domain,
    lang: language?.slug ?? String(locale).split('_')[0],
    locale,
    rtl: language?.rtl ?? false,
    dir: language?.rtl ? 'rtl' : 'ltr',
  }
}
