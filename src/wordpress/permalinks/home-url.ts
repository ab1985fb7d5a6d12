import { trimEnd } from '../formatting/plain-text.ts'
import { type LinkSettings, endAddress, isPretty } from './link-settings.ts'
import { addLanguage, isUnmarked, markStyle } from './switch-language.ts'

/**
 * The address of the site's home, or of its home in a language: the front page's own address there, unless languages have hosts of
 * their own, no front page, or are set to redirect (PLL links-model.php, set_language_home_urls).
 * @param lang code of one of the site's languages, or null
 */
export function homeUrl(links: LinkSettings, lang: string | null): string {
  if (lang === null) return `${links.home}/`
  const { redirectLang, forceLang } = links.languages.settings
  const style = markStyle(links)
  const page = links.front.translations.get(lang)
  if (!page || redirectLang || style === 'subdomain' || style === 'domain')
    return bareHomeUrl(links, lang)
  if (isUnmarked(links, lang)) return `${links.home}/`
  const address = isPretty(links)
    ? endAddress(links.structure, `${links.home}/${links.structure.root}${page.path}`)
    : `${links.home}/?page_id=${page.id}`
  return forceLang === 0 ? address : addLanguage(links, address, lang)
}

/** The home itself with the language's mark, whatever the setting says of contents (home_url of each link model). */
function bareHomeUrl(links: LinkSettings, lang: string): string {
  const style = markStyle(links)
  if (style === 'domain') {
    const domain = links.languages.settings.domains.get(lang) || links.home
    return `${trimEnd(domain, '/')}/`
  }
  if (isUnmarked(links, lang)) return `${links.home}/`
  const root = style === 'directory' ? links.structure.root : ''
  return addLanguage(links, `${links.home}/${root}`, lang)
}
