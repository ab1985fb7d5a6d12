import { parseUrl } from '../../host/parse-url.ts'
import type { PolylangSettings } from '../languages/polylang-settings.ts'
import { isPretty, type LinkSettings } from './link-settings.ts'

/** How one of Polylang's link models puts the language into a URL. */
type LinkRules = {
  add(address: string, lang: string): string
  remove(address: string): string
}

/**
 * Switches a URL of the site to another language: an existing language is removed, then the new one is added. Null only removes the
 * language (PLL links-model.php, switch_language_in_link).
 */
export function switchLanguage(links: LinkSettings, address: string, lang: string | null): string {
  const rules = linkRules(links)
  const bare = rules.remove(address)
  return lang === null ? bare : rules.add(bare, lang)
}

/** Adds a language to a URL that has none (PLL links-model.php, add_language_to_link). */
export function addLanguage(links: LinkSettings, address: string, lang: string): string {
  return linkRules(links).add(address, lang)
}

/** Whether the language's URLs do not contain it: it is the default language, and that is hidden. */
export function isHiddenLanguage({ languages }: LinkSettings, lang: string): boolean {
  const { hideDefault } = languages.settings
  return hideDefault && lang === languages.default
}

/** The link model; plain links override the setting (PLL model.php, get_links_model). */
export function linkModel(links: LinkSettings): 'query' | 'directory' | 'subdomain' | 'domain' {
  if (!isPretty(links)) return 'query'
  const { forceLang } = links.languages.settings
  return forceLang === 2 ? 'subdomain' : forceLang === 3 ? 'domain' : 'directory'
}

/** The part between the root and a language code: nothing, or `language/`. */
function directoryBase({ rewrite }: PolylangSettings): string {
  return rewrite ? '' : 'language/'
}

function linkRules(links: LinkSettings): LinkRules {
  switch (linkModel(links)) {
    case 'query':
      return queryRules(links)
    case 'directory':
      return directoryRules(links)
    case 'subdomain':
      return subdomainRules(links)
    case 'domain':
      return domainRules(links)
  }
}

/** The codes that may be in a URL. */
function visibleLanguages(links: LinkSettings): string[] {
  return links.languages.list
    .map(({ slug }) => slug)
    .filter((slug) => !isHiddenLanguage(links, slug))
}

/** `?lang=fr` (PLL links-default.php). */
function queryRules(links: LinkSettings): LinkRules {
  return {
    add: (address, lang) =>
      isHiddenLanguage(links, lang)
        ? address
        : `${address}${address.includes('?') ? '&' : '?'}lang=${lang}`,
    remove: (address) =>
      address.replace(/([?&])lang=[^&#]*(&?)/, (_, before, after) => (after ? before : '')),
  }
}

/** `/fr/` directly after the root of the site's URLs (PLL links-directory.php). */
function directoryRules(links: LinkSettings): LinkRules {
  const root = `${links.home}/${links.structure.root}`.replace(/^https?:/, '')
  const base = directoryBase(links.languages.settings)
  const languages = visibleLanguages(links)
  return {
    add(address, lang) {
      const prefix = isHiddenLanguage(links, lang) ? root : `${root}${base}${lang}/`
      return address.includes(prefix) ? address : address.replace(root, () => prefix)
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
function subdomainRules(links: LinkSettings): LinkRules {
  const www = links.home.includes('://www.') ? '://www.' : '://'
  const languages = visibleLanguages(links)
  return {
    add(address, lang) {
      const prefix = `://${lang}.`
      if (isHiddenLanguage(links, lang) || address.includes(prefix)) return address
      return address.replace(www, () => prefix)
    },
    remove(address) {
      const lang = languages.find((slug) => address.includes(`://${slug}.`))
      return lang === undefined ? address : address.replace(`://${lang}.`, () => www)
    },
  }
}

/** The language's own host; none for a home with a port, as in Polylang (PLL links-domain.php). */
function domainRules(links: LinkSettings): LinkRules {
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
  return parseUrl(url)?.hostname ?? ''
}

function replaceHost(address: string, from: string, to: string): string {
  const [before, rest] = splitAt(address, `://${from}`)
  if (rest === undefined || (rest !== '' && !rest.startsWith('/'))) return address
  return `${before}://${to}${rest}`
}

/** The text before and after the first occurrence; nothing after if there is none. */
function splitAt(text: string, separator: string): [before: string, after: string | undefined] {
  const at = text.indexOf(separator)
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + separator.length)]
}
