import type { PolylangSettings } from '../languages/polylang-settings.ts'
import { isPretty, type LinkSettings } from './link-settings.ts'

/** How one of Polylang's link models puts the language into a URL. */
type LanguageMark = {
  add(address: string, lang: string): string
  remove(address: string): string
}

/**
 * Switches a URL of the site to another language: an existing language is removed, then the new one is added. Null only removes the
 * language (PLL links-model.php, switch_language_in_link).
 */
export function switchLanguage(links: LinkSettings, address: string, lang: string | null): string {
  const mark = languageMark(links)
  const bare = mark.remove(address)
  return lang === null ? bare : mark.add(bare, lang)
}

/** Adds a language to a URL that has none (PLL links-model.php, add_language_to_link). */
export function addLanguage(links: LinkSettings, address: string, lang: string): string {
  return languageMark(links).add(address, lang)
}

/** Whether the language's URLs do not contain it: it is the default language, and that is hidden. */
export function isUnmarked({ languages }: LinkSettings, lang: string): boolean {
  const { hideDefault } = languages.settings
  return hideDefault && lang === languages.default
}

/** The link model; plain links override the setting (PLL model.php, get_links_model). */
export function markStyle(links: LinkSettings): 'query' | 'directory' | 'subdomain' | 'domain' {
  if (!isPretty(links)) return 'query'
  const { forceLang } = links.languages.settings
  return forceLang === 2 ? 'subdomain' : forceLang === 3 ? 'domain' : 'directory'
}

/** The part between the root and a language code: nothing, or `language/`. */
function directoryBase({ rewrite }: PolylangSettings): string {
  return rewrite ? '' : 'language/'
}

function languageMark(links: LinkSettings): LanguageMark {
  switch (markStyle(links)) {
    case 'query':
      return queryMark(links)
    case 'directory':
      return directoryMark(links)
    case 'subdomain':
      return subdomainMark(links)
    case 'domain':
      return domainMark(links)
  }
}

/** The codes that may be in a URL. */
function markedLanguages(links: LinkSettings): string[] {
  return links.languages.list.map(({ slug }) => slug).filter((slug) => !isUnmarked(links, slug))
}

/** `?lang=fr` (PLL links-default.php). */
function queryMark(links: LinkSettings): LanguageMark {
  return {
    add: (address, lang) =>
      isUnmarked(links, lang)
        ? address
        : `${address}${address.includes('?') ? '&' : '?'}lang=${lang}`,
    remove: (address) =>
      address.replace(/([?&])lang=[^&#]*(&?)/, (_, before, after) => (after ? before : '')),
  }
}

/** `/fr/` directly after the root of the site's URLs (PLL links-directory.php). */
function directoryMark(links: LinkSettings): LanguageMark {
  const root = `${links.home}/${links.structure.root}`.replace(/^https?:/, '')
  const base = directoryBase(links.languages.settings)
  const languages = markedLanguages(links)
  return {
    add(address, lang) {
      const marked = isUnmarked(links, lang) ? root : `${root}${base}${lang}/`
      return address.includes(marked) ? address : address.replace(root, () => marked)
    },
    remove(address) {
      const [before = '', rest] = splitAt(address, `${root}${base}`)
      const code = /^[^/?#]*/.exec(rest ?? '')?.[0] ?? ''
      if (rest === undefined || !languages.includes(code)) return address
      return `${before}${root}${rest.slice(code.length).replace(/^\//, '')}`
    },
  }
}

/** `fr.` before the host, replacing `www.` (PLL links-subdomain.php). */
function subdomainMark(links: LinkSettings): LanguageMark {
  const www = links.home.includes('://www.') ? '://www.' : '://'
  const languages = markedLanguages(links)
  return {
    add(address, lang) {
      const marked = `://${lang}.`
      if (isUnmarked(links, lang) || address.includes(marked)) return address
      return address.replace(www, () => marked)
    },
    remove(address) {
      const lang = languages.find((slug) => address.includes(`://${slug}.`))
      return lang === undefined ? address : address.replace(`://${lang}.`, () => www)
    },
  }
}

/** The language's own host; none for a home with a port, as in Polylang (PLL links-domain.php). */
function domainMark(links: LinkSettings): LanguageMark {
  const own = hostIn(links.home)
  const hosts = new Map([...links.languages.settings.domains].map(([k, url]) => [k, hostIn(url)]))
  return {
    add: (address, lang) => replaceHost(address, own, hosts.get(lang) || own),
    remove(address) {
      for (const host of hosts.values()) {
        const replaced = host ? replaceHost(address, host, own) : address
        if (replaced !== address) return replaced
      }
      return address
    },
  }
}

/** The host in ASCII, without a port; '' for an invalid URL. */
function hostIn(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : ''
}

function replaceHost(address: string, from: string, to: string): string {
  const [before, rest] = splitAt(address, `://${from}`)
  if (rest === undefined || (rest !== '' && !rest.startsWith('/'))) return address
  return `${before}://${to}${rest}`
}

/** The text before and after the first occurrence; nothing after if there is none. */
function splitAt(text: string, mark: string): [before: string, after: string | undefined] {
  const at = text.indexOf(mark)
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + mark.length)]
}
