import type { PolylangSettings } from '../languages/polylang-settings.ts'
import { isPretty, type LinkSettings } from './link-settings.ts'

/** How one of Polylang's link models marks the language of an address. */
type LanguageMark = {
  add(address: string, lang: string): string
  remove(address: string): string
}

/**
 * An address of the site in another language: whatever mark it bears goes, the language's own is put in. Null for no
 * language: only the mark goes (PLL links-model.php, switch_language_in_link).
 */
export function switchLanguage(links: LinkSettings, address: string, lang: string | null): string {
  const mark = languageMark(links)
  const bare = mark.remove(address)
  return lang === null ? bare : mark.add(bare, lang)
}

/** An address that bears no mark yet, in a language (PLL links-model.php, add_language_to_link). */
export function addLanguage(links: LinkSettings, address: string, lang: string): string {
  return languageMark(links).add(address, lang)
}

/** The default language's addresses bear no mark. */
export function isUnmarked({ languages }: LinkSettings, lang: string): boolean {
  const { hideDefault } = languages.settings
  return hideDefault && lang === languages.default
}

/** Which model marks addresses; plain addresses override the setting (PLL model.php, get_links_model). */
export function markStyle(links: LinkSettings): 'query' | 'directory' | 'subdomain' | 'domain' {
  if (!isPretty(links)) return 'query'
  const { forceLang } = links.languages.settings
  return forceLang === 2 ? 'subdomain' : forceLang === 3 ? 'domain' : 'directory'
}

/** What stands between the root and a language's code: nothing, or `language/`. */
export function directoryBase({ rewrite }: PolylangSettings): string {
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

/** The codes that may stand in an address. */
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

/** `/fr/` right after the root of the site's addresses (PLL links-directory.php). */
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

/** `fr.` before the host, in the place of `www.` (PLL links-subdomain.php). */
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

/** A host of its own; none for a home with a port, as Polylang has it (PLL links-domain.php). */
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

/** In ASCII, without a port; '' for what is no address. */
function hostIn(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : ''
}

function replaceHost(address: string, from: string, to: string): string {
  const [before, rest] = splitAt(address, `://${from}`)
  if (rest === undefined || (rest !== '' && !rest.startsWith('/'))) return address
  return `${before}://${to}${rest}`
}

/** What stands before and after the first occurrence; nothing after where there is none. */
function splitAt(text: string, mark: string): [before: string, after: string | undefined] {
  const at = text.indexOf(mark)
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + mark.length)]
}
