import { findLanguage } from '../../wordpress/languages/languages.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { homeUrl } from '../../wordpress/permalinks/urls.ts'
import type { LinkSettings } from '../../wordpress/permalinks/link-settings.ts'
import type { Value } from '../program.ts'
import type { Settings } from './settings.ts'

/** Locales written from right to left, for sites whose languages no plugin keeps; WordPress has it in its translations. */
const RIGHT_TO_LEFT = /^(?:ar|ary|azb|ckb|dv|fa|haz|he|ps|sd|skr|snd|ug|ur)(?:_|$)/

/** `site.*`: what a layout says of the site, in the language being rendered. */
export function siteFields(
  site: Site,
  links: LinkSettings,
  settings: Settings,
  lang: string | null,
): Record<string, Value> {
  const language = findLanguage(links.languages, lang)
  const locale = language?.locale ?? (settings.WPLANG || 'en_US')
  const rtl = language?.rtl ?? RIGHT_TO_LEFT.test(locale)
  return {
    id: site.blogId,
    title: settings.blogname,
    description: settings.blogdescription,
    url: homeUrl(links, language?.slug ?? null),
    home: links.home,
    domain: site.domain,
    lang: language?.slug ?? locale.split('_')[0],
    locale,
    rtl,
    dir: rtl ? 'rtl' : 'ltr',
  }
}
